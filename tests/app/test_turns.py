from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.running.turns import RunningTurn, TurnRegistry
from core.ask.request import Question, QuestionHandle
from core.domain.conversation import TurnState
from core.domain.event import Drafted, Event, StageStarted, Waiting
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import IndexUnavailableError
from tests.support.fake_workbench import FakeWorkbench

QUESTION = "What is the total liability of ACME per incident?"


def run(bench: FakeWorkbench, registry: TurnRegistry, question: str = QUESTION) -> RunningTurn:
    conversation = bench.new_conversation(LOCAL_ADMIN)
    return registry.start(conversation.id, Question(question, LOCAL_ADMIN))


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

    def stream(self, question: Any, principal: Principal = LOCAL_ADMIN, **options: Any) -> Iterator[Event]:
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


class WritingWorkbench(FakeWorkbench):
    """Has its draft, then writes until `gate` opens or its handle is stopped."""

    drafts = True
    handle: QuestionHandle | None = None

    def stream(self, question: Any, principal: Principal = LOCAL_ADMIN, **options: Any) -> Iterator[Event]:
        handle = self.handle = options["handle"]
        halted = threading.Event()
        handle.on_stop(halted.set)
        for event in super().stream(question, principal, **options):
            if event.type == "answered":
                if self.drafts:
                    yield Drafted(at_ms=event.at_ms, answer=event.answer)
                halted.wait(10)
                yield StageStarted(at_ms=event.at_ms, stage="write", label="Writing")
            yield event


class Tab:
    def __init__(self, is_open: bool = True) -> None:
        self.open = is_open

    def is_open(self) -> bool:
        return self.open


def test_who_asked_watches_a_turn_before_its_thread_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, tab, seen = FakeWorkbench(tmp_path), Tab(), []
    begin = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        seen.extend(set(each.watchers) for each in registry._turns.values())
        begin(thread)

    registry = TurnRegistry(bench)  # type: ignore[arg-type]
    monkeypatch.setattr(threading.Thread, "start", start)
    registry.start(bench.new_conversation(LOCAL_ADMIN).id, Question(QUESTION, LOCAL_ADMIN), watcher=tab)
    join()
    assert seen[0] == {tab}


def drafted(turn: RunningTurn) -> None:
    deadline = time.monotonic() + 10
    while turn.draft is None and time.monotonic() < deadline:
        time.sleep(0.01)


def test_a_turn_that_is_stopped_while_a_model_writes_keeps_what_stood_there(tmp_path: Path) -> None:
    bench = WritingWorkbench(tmp_path)
    bench.submit_sample()
    registry = TurnRegistry(bench)  # type: ignore[arg-type]
    turn = run(bench, registry)
    drafted(turn)
    registry.stop(turn.id)

    [stored] = bench.turns(turn.conversation)
    assert turn.done
    assert bench.handle is not None
    assert bench.handle.cause == "stopped"
    assert stored.state is TurnState.STOPPED
    assert stored.answer is not None
    assert stored.answer.claims
    assert "Stopped while the model wrote" in stored.answer.degradations[-1].message
    assert [event["type"] for event in turn.events[-2:]] == ["answered", "stopped"]
    join()
    assert turn.events[-1] == {"type": "stopped"}


def test_a_turn_whose_tab_was_closed_is_interrupted_with_what_stood_there(tmp_path: Path) -> None:
    bench = WritingWorkbench(tmp_path)
    registry = TurnRegistry(bench, grace_s=0.2)  # type: ignore[arg-type]
    tab = Tab()
    turn = registry.start(
        bench.new_conversation(LOCAL_ADMIN).id, Question(QUESTION, LOCAL_ADMIN), watcher=tab
    )
    drafted(turn)
    time.sleep(0.5)
    assert not turn.done
    tab.open = False
    join()

    [stored] = bench.turns(turn.conversation)
    assert stored.state is TurnState.INTERRUPTED
    assert stored.answer is not None
    assert "The browser was closed" in stored.answer.degradations[-1].message
    assert turn.events[-1] == {"type": "interrupted"}


class HastyWorkbench(WritingWorkbench):
    """Has its answer the moment that it is stopped, while whoever stops it is still at it."""

    def stream(self, question: Any, principal: Principal = LOCAL_ADMIN, **options: Any) -> Iterator[Event]:
        stream = super().stream(question, principal, **options)
        first = next(stream)
        options["handle"].on_stop(lambda: time.sleep(0.3))
        yield first
        yield from stream


def test_an_answer_that_comes_while_its_turn_is_interrupted_does_not_win(tmp_path: Path) -> None:
    bench = HastyWorkbench(tmp_path)
    registry = TurnRegistry(bench, grace_s=0.0)  # type: ignore[arg-type]
    tab = Tab()
    turn = registry.start(
        bench.new_conversation(LOCAL_ADMIN).id, Question(QUESTION, LOCAL_ADMIN), watcher=tab
    )
    drafted(turn)
    tab.open = False
    join()

    [stored] = bench.turns(turn.conversation)
    assert stored.state is TurnState.INTERRUPTED
    assert [event["type"] for event in turn.events].count("answered") == 1
    assert turn.events[-1] == {"type": "interrupted"}


def test_a_turn_that_another_tab_watches_goes_on(tmp_path: Path) -> None:
    bench = WritingWorkbench(tmp_path)
    registry = TurnRegistry(bench, grace_s=0.2)  # type: ignore[arg-type]
    turn = registry.start(
        bench.new_conversation(LOCAL_ADMIN).id, Question(QUESTION, LOCAL_ADMIN), watcher=Tab(False)
    )
    assert registry.watch(turn.id, Tab())
    drafted(turn)
    time.sleep(0.6)

    assert not turn.done
    registry.close()
    join()


def test_a_closed_tab_before_there_is_a_draft_stops_the_model_and_not_the_answer(tmp_path: Path) -> None:
    bench = WritingWorkbench(tmp_path)
    bench.drafts = False
    registry = TurnRegistry(bench, grace_s=0.1)  # type: ignore[arg-type]
    turn = registry.start(
        bench.new_conversation(LOCAL_ADMIN).id, Question(QUESTION, LOCAL_ADMIN), watcher=Tab(False)
    )
    join()

    [stored] = bench.turns(turn.conversation)
    assert stored.state is TurnState.DONE
    assert stored.answer is not None


def test_a_wait_is_told_while_it_lasts_and_not_again(tmp_path: Path) -> None:
    bench = WritingWorkbench(tmp_path)
    registry = TurnRegistry(bench)  # type: ignore[arg-type]
    turn = run(bench, registry)
    drafted(turn)
    wait = Waiting(at_ms=1.0, wait_s=14.0, label="Waiting 14 s for the minute's token budget")
    turn.handle.tell(wait)
    registry._take(turn, wait)

    assert [event["type"] for event in turn.events].count("waiting") == 1
    registry.close()
    join()


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
