"""Deadlines around calls, with no server at all."""

from __future__ import annotations

import threading
import time

import pytest

from core.config.models import IndexSettings
from core.errors import IndexUnavailableError
from core.index.weaviate.connection import Call, Connection, Deadline, together


def test_a_call_gives_its_result_or_its_error() -> None:
    assert Call(lambda: 3).result(5) == 3
    with pytest.raises(ZeroDivisionError):
        Call(lambda: 1 // 0).result(5)


def test_a_call_that_takes_longer_is_left_behind_as_a_daemon() -> None:
    go = threading.Event()
    call = Call(lambda: go.wait(30))
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        call.result(0.05)
    assert time.monotonic() - began < 5
    assert any(thread.daemon and thread.name == "weaviate-call" for thread in threading.enumerate())
    go.set()
    assert call.result(5) is True


def test_a_call_that_ends_when_one_looks_away_is_not_late() -> None:
    connection = Connection(IndexSettings(engine="weaviate", url="http://127.0.0.1:9"))

    class JustNow(Call[int]):
        """Ends between the wait that was too short and the look whether it has ended."""

        def __init__(self) -> None:
            self._looked = False

        @property
        def has_ended(self) -> bool:
            return True

        def result(self, within_s: float) -> int:
            if not self._looked:
                self._looked = True
                raise TimeoutError
            return 7

    assert connection._result(JustNow(), Deadline(60), []) == 7


def test_calls_run_at_once_and_all_end_before_an_error_goes_on() -> None:
    ended: list[str] = []
    both = threading.Barrier(2)

    def fail() -> str:
        both.wait(10)
        raise ValueError

    def succeed() -> str:
        both.wait(10)
        ended.append("yes")
        return "yes"

    with pytest.raises(ValueError):  # noqa: PT011
        together([fail, succeed], Deadline(20))
    assert ended == ["yes"]


def test_an_absent_server_is_named_and_a_closed_connection_says_so() -> None:
    connection = Connection(IndexSettings(engine="weaviate", url="http://127.0.0.1:9"))
    with pytest.raises(IndexUnavailableError, match="No Weaviate server answers"):
        connection.probe()
    connection.close()
    connection.close()
    with pytest.raises(IndexUnavailableError, match="closed"):
        connection.search(lambda _client, _deadline: None)
