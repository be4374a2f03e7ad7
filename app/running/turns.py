"""Questions that run: each on its own thread, its events kept for whoever watches, now or after a reload."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from core.domain.answer import Answer, Kind, Route, Status, Understood
from core.domain.event import Answered, Event, Finished
from core.domain.fields import PromiseLevel
from core.domain.ids import ConversationId, TurnId
from core.domain.principal import Principal
from core.errors import GroundworkError

if TYPE_CHECKING:
    from core.agent.base import Agent, Way
    from core.plan.ir.nodes import Plan
    from core.workbench import Workbench

KEPT = 200


@dataclass
class RunningTurn:
    """A turn of this process. `events` only grows, so it may be read by index while it runs.

    question: as it is kept, with personal data masked.
    is_answered: its answer is kept and told; its follow-ups may still be planned.
    """

    id: TurnId
    conversation: ConversationId
    question: str
    principal: Principal
    chosen: Understood | None = None
    way: Way = ""
    plan: Plan | None = None
    promise: PromiseLevel | Literal["bucket"] | None = None
    offline: bool = False
    agent: Agent = ""
    events: list[dict[str, Any]] = field(default_factory=list)
    is_answered: bool = False
    done: bool = False
    ended: threading.Lock = field(default_factory=threading.Lock)  # guards: a turn ends once
    stopping: threading.Event = field(default_factory=threading.Event)


class TurnRegistry:
    """Starts, stops and remembers turns; the last ones that ended stay for late watchers. Thread-safe."""

    def __init__(self, bench: Workbench, *, kept: int = KEPT) -> None:
        self._bench = bench
        self._kept = kept
        self._lock = threading.Lock()  # guards: _turns
        self._turns: OrderedDict[TurnId, RunningTurn] = OrderedDict()

    def start(
        self,
        conversation: ConversationId,
        question: str,
        principal: Principal,
        *,
        buckets: tuple[str, ...],
        chosen: Understood | None = None,
        way: Way = "",
        plan: Plan | None = None,
        promise: PromiseLevel | Literal["bucket"] | None = None,
        offline: bool = False,
        agent: Agent = "",
    ) -> RunningTurn:
        """Save the question as a turn and answer it on a thread of its own; returns at once.

        plan: a reading that was chosen for it. promise, offline, agent: see `QuestionService.stream`.
        """
        saved = self._bench.for_principal(principal).conversations.start_turn(conversation, question)
        turn = RunningTurn(
            saved.id, conversation, saved.question, principal, chosen, way, plan, promise, offline, agent
        )
        with self._lock:
            self._turns[turn.id] = turn
            for old in [t.id for t in self._turns.values() if t.done][: -self._kept or None]:
                del self._turns[old]
        threading.Thread(
            target=self._run, args=(turn, question, buckets), name=f"turn-{turn.id}", daemon=True
        ).start()
        return turn

    def get(self, turn: str) -> RunningTurn | None:
        """The turn, if it runs here or ran here lately."""
        with self._lock:
            return self._turns.get(TurnId(turn))

    def stop(self, turn: str) -> None:
        """End a running turn now, whatever its thread is at; what it has not said by then is not said.

        One that was answered stays so, without the follow-ups that were still being planned.
        """
        found = self.get(turn)
        if found is None:
            return
        found.stopping.set()
        with found.ended:
            if not found.done and not found.is_answered:
                self._bench.for_principal(found.principal).conversations.stop_turn(found.id)
            self._end(found, "finished" if found.is_answered else "stopped")

    def close(self) -> None:
        """Stop all that runs."""
        with self._lock:
            running = [turn.id for turn in self._turns.values() if not turn.done]
        for turn in running:
            self.stop(turn)

    def _run(self, turn: RunningTurn, question: str, buckets: tuple[str, ...]) -> None:
        try:
            self._answer(turn, question, buckets)
        except GroundworkError as error:
            self._fail(turn, error.message, error.next_step)
        except Exception as error:  # the thread's edge: the turn must end, and say so, whatever happened
            self._fail(turn, f"The answer failed: {error}", "Ask again; if it stays, run doctor.")
        finally:
            turn.done = True

    def _answer(self, turn: RunningTurn, question: str, buckets: tuple[str, ...]) -> None:
        stream = self._bench.for_principal(turn.principal).questions.stream(
            question,
            buckets=buckets,
            conversation=turn.conversation,
            chosen=turn.chosen,
            way=turn.way,
            plan=turn.plan,
            promise=turn.promise,
            offline=turn.offline,
            agent=turn.agent,
        )
        try:
            for event in stream:
                if turn.stopping.is_set():
                    return
                self._take(turn, event)
        finally:
            if hasattr(stream, "close"):
                stream.close()

    def _take(self, turn: RunningTurn, event: Event) -> None:
        """Tell an event; what has been told of the answer is not told again."""
        with turn.ended:
            if turn.done:
                return
            if isinstance(event, Finished):
                later: dict[str, Any] = {"follow_ups": event.answer.follow_ups}
                if readings := event.answer.other_readings:
                    later["other_readings"] = [each.model_dump(exclude={"plan"}) for each in readings]
                self._end(turn, event.type, **later)
                return
            if isinstance(event, Answered):
                self._bench.for_principal(turn.principal).conversations.finish_turn(turn.id, event.answer)
                turn.is_answered = True
            turn.events.append(event.model_dump(mode="json"))

    def _end(self, turn: RunningTurn, type: str, **said: Any) -> None:
        if not turn.done:
            turn.events.append({"type": type, **said})
            turn.done = True

    def _fail(self, turn: RunningTurn, message: str, next_step: str) -> None:
        if turn.is_answered:  # what went wrong is no part of the answer
            with turn.ended:
                self._end(turn, "finished")
            return
        answer = Answer(
            question=turn.question,
            trace_id="",
            data_version=self._bench.data_version(),
            status=Status.FAILED,
            kind=Kind.LOOKUP,
            route=Route.NONE,
            text=f"{message} {next_step}".strip(),
        )
        for event in (Answered(at_ms=0.0, answer=answer), Finished(at_ms=0.0, answer=answer)):
            self._take(turn, event)
