from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.running.turns import RunningTurn, TurnRegistry
from core.domain.conversation import TurnState
from core.domain.event import Event, StageStarted
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import IndexUnavailableError
from tests.support.fake_workbench import FakeWorkbench

QUESTION = "What is the total liability of ACME per incident?"


def run(bench: FakeWorkbench, registry: TurnRegistry, question: str = QUESTION) -> RunningTurn:
    conversation = bench.new_conversation(LOCAL_ADMIN)
    return registry.start(conversation.id, question, LOCAL_ADMIN, buckets=())


def join() -> None:
    for thread in threading.enumerate():
        if thread.name.startswith("turn-"):
            thread.join(10)


def test_a_turn_ends_with_its_answer_stored(tmp_path: Path) -> None:
    bench = FakeWorkbench(tmp_path)
    turn = run(bench, TurnRegistry(bench))  # type: ignore[arg-type]
    join()

    [stored] = bench.turns(turn.conversation)
    assert turn.done
    assert stored.state is TurnState.DONE
    assert turn.events[-1]["type"] == "finished"


def test_a_stopped_turn_says_nothing_more(tmp_path: Path) -> None:
    gate = threading.Event()
    bench = FakeWorkbench(tmp_path, gate=gate)
    registry = TurnRegistry(bench)  # type: ignore[arg-type]
    turn = run(bench, registry)
    registry.stop(turn.id)
    gate.set()
    join()

    [stored] = bench.turns(turn.conversation)
    assert stored.state is TurnState.STOPPED
    assert turn.events[-1] == {"type": "stopped"}
    assert turn.done


class LateWorkbench(FakeWorkbench):
    """Plans its follow-ups until `gate` opens; then does `end`."""

    def __init__(self, folder: Path, gate: threading.Event, end: Callable[[], None]) -> None:
        super().__init__(folder)
        self._late, self._end = gate, end

    def stream(self, question: str, principal: Principal = LOCAL_ADMIN, **options: Any) -> Iterator[Event]:
        for event in super().stream(question, principal, **options):
            if event.type == "finished":
                assert self._late.wait(10)
                self._end()
            yield event


def answered(turn: RunningTurn) -> None:
    deadline = time.monotonic() + 10
    while not turn.is_answered and time.monotonic() < deadline:
        time.sleep(0.01)


def test_a_turn_that_is_stopped_while_its_follow_ups_are_planned_keeps_its_answer(tmp_path: Path) -> None:
    gate = threading.Event()
    bench = LateWorkbench(tmp_path, gate, lambda: None)
    registry = TurnRegistry(bench)  # type: ignore[arg-type]
    turn = run(bench, registry)
    answered(turn)
    registry.stop(turn.id)
    gate.set()
    join()

    [stored] = bench.turns(turn.conversation)
    assert stored.state is TurnState.DONE
    assert stored.answer is not None
    assert stored.answer.status == "answered"
    assert turn.events[-1] == {"type": "finished"}
    assert [event["type"] for event in turn.events].count("answered") == 1


def test_follow_ups_that_fail_leave_the_answer_as_it_was_given(tmp_path: Path) -> None:
    def fail() -> None:
        raise ZeroDivisionError("boom")

    gate = threading.Event()
    gate.set()
    bench = LateWorkbench(tmp_path, gate, fail)
    turn = run(bench, TurnRegistry(bench))  # type: ignore[arg-type]
    join()

    [stored] = bench.turns(turn.conversation)
    assert stored.answer is not None
    assert stored.answer.status == "answered"
    assert turn.done
    assert turn.events[-1] == {"type": "finished"}


class BrokenWorkbench(FakeWorkbench):
    error: Exception = IndexUnavailableError(
        "The index is being rebuilt.", next_step="Ask again in a minute."
    )

    def stream(self, *args: object, principal: object, **options: object) -> Iterator[Event]:  # type: ignore[override]
        yield StageStarted(at_ms=0, stage="plan", label="Planning")
        raise self.error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (BrokenWorkbench.error, "The index is being rebuilt. Ask again in a minute."),
        (ZeroDivisionError("boom"), "The answer failed: boom"),
    ],
)
def test_an_error_becomes_a_failed_answer_that_is_kept(tmp_path: Path, error: Exception, said: str) -> None:
    bench = BrokenWorkbench(tmp_path)
    bench.error = error
    turn = run(bench, TurnRegistry(bench))  # type: ignore[arg-type]
    join()

    [stored] = bench.turns(turn.conversation)
    assert stored.answer is not None
    assert stored.answer.status == "failed"
    assert stored.answer.text.startswith(said)


def test_only_the_last_ended_turns_are_remembered(tmp_path: Path) -> None:
    bench = FakeWorkbench(tmp_path)
    registry = TurnRegistry(bench, kept=2)  # type: ignore[arg-type]
    turns = []
    for _ in range(5):
        turns.append(run(bench, registry))
        join()

    assert [registry.get(turn.id) is not None for turn in turns] == [False, False, True, True, True]
