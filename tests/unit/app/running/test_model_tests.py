"""A test of the model server on a thread of its own, and how it is broken off."""

from __future__ import annotations

import threading
from collections.abc import Callable

from app.running.model_tests import RunningTest


def test_one_that_is_cancelled_is_done_at_once_and_broken_off_once_it_begins() -> None:
    test, broken_off = RunningTest(), threading.Event()

    test.cancel()

    assert test.done
    assert test.is_cancelled
    test.begin(broken_off.set)
    assert broken_off.is_set()


def test_one_that_runs_is_broken_off_by_what_it_gave() -> None:
    test, calls = RunningTest(), []
    break_off: Callable[[], None] = lambda: calls.append("broken off")  # noqa: E731
    test.begin(break_off)

    test.cancel()
    test.cancel()

    assert calls == ["broken off"]


def test_one_that_has_ended_stays_as_it_ended() -> None:
    test = RunningTest()
    test.ended.set()

    test.cancel()

    assert not test.is_cancelled
