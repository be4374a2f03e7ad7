from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.telemetry.measures import (
    MOST_SERIES,
    OTHER,
    QUESTION_TIMES,
    REQUESTS,
    SOCKETS,
    Tally,
    known,
)


def test_counts_add_up_by_labels_from_any_thread() -> None:
    tally = Tally()
    with ThreadPoolExecutor(8) as pool:
        for _ in range(800):
            pool.submit(tally.count, REQUESTS, "page", "GET", "200")
    tally.count(SOCKETS, by=2)
    tally.count(SOCKETS, by=-1)
    assert tally.counted(REQUESTS) == {("page", "GET", "200"): 800}
    assert tally.counted(SOCKETS) == {(): 1}


def test_a_time_counts_in_the_first_bound_that_holds_it() -> None:
    tally = Tally()
    for seconds in (0.05, 0.06, 500.0):
        tally.time(QUESTION_TIMES, seconds, "lookup", "no")
    times = tally.timed(QUESTION_TIMES)["lookup", "no"]
    assert (times.counts[0], times.counts[1], times.counts[-1]) == (1, 1, 1)
    assert times.total == pytest.approx(500.11)


def test_a_label_never_holds_words_of_people() -> None:
    tally = Tally()
    for text in ("<img src=x>", "who is ann@example.com?", "x" * 41, 'a"b', "line\nbreak"):
        tally.count(REQUESTS, text, "GET", "200")
    assert tally.counted(REQUESTS) == {(OTHER, "GET", "200"): 5}


def test_labels_that_never_end_become_one() -> None:
    tally = Tally()
    for number in range(MOST_SERIES + 50):
        tally.count(REQUESTS, f"path-{number}", "GET", "200")
    found = tally.counted(REQUESTS)
    assert len(found) == MOST_SERIES + 1
    assert found[OTHER, OTHER, OTHER] == 50


def test_labels_that_are_not_those_of_the_measure_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="has 3 labels"):
        Tally().count(REQUESTS, "page")


def test_what_is_not_known_is_other() -> None:
    assert (known("a", ["a"]), known("b", ["a"])) == ("a", OTHER)
