from __future__ import annotations

import threading

from core.jobs.runner import Turns


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
            while len(turns._lines[0]) < number + 1:
                event.wait(0.001)
    for thread in threads:
        thread.join()

    assert order == [0, 1, 2]


def test_after_one_turn_of_a_long_job_a_short_one_has_its_turn() -> None:
    turns, order = Turns(), []

    def take(name: str, is_short: bool) -> None:
        with turns.taken(is_short=is_short):
            order.append(name)

    threads, asked = [], threading.Event()
    with turns.taken():
        for name in ("ingest 1", "ingest 2", "field 1", "field 2"):
            waiting = sum(map(len, turns._lines))
            thread = threading.Thread(target=take, args=(name, name.startswith("field")))
            thread.start()
            threads.append(thread)
            while sum(map(len, turns._lines)) == waiting:
                asked.wait(0.001)
    for thread in threads:
        thread.join()

    assert order == ["field 1", "ingest 1", "field 2", "ingest 2"]


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
