from __future__ import annotations

import threading

from core.jobs.turns import Turns


def test_turns_are_taken_in_the_order_of_asking() -> None:
    turns, order = Turns(), []
    asked = [threading.Event() for _ in range(3)]

    def take(number: int) -> None:
        with turns.taken():
            order.append(number)

    threads = []
    with turns.taken():
        for number, event in enumerate(asked):
            thread = threading.Thread(target=take, args=(number,))
            thread.start()
            threads.append(thread)
            while len(turns._queue) < number + 2:
                event.wait(0.001)
    for thread in threads:
        thread.join()

    assert order == [0, 1, 2]


def test_a_turn_that_nobody_waits_for_is_not_awaited() -> None:
    turns = Turns()

    with turns.taken():
        assert not turns.is_awaited


def test_a_failed_turn_is_given_on() -> None:
    turns = Turns()

    try:
        with turns.taken():
            raise ValueError
    except ValueError:
        pass

    with turns.taken():
        assert not turns.is_awaited
