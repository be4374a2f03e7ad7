"""Questions that run: each on its own thread, its events kept for whoever watches, now or after a reload."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from core.ask.request import Question, QuestionHandle, as_drafted
from core.domain.answer import Answer, Kind, Route, Status
from core.domain.conversation import TurnState
from core.domain.event import Answered, Drafted, Event, Finished, Waiting
from core.domain.ids import ConversationId, TurnId
from core.domain.principal import Principal
from core.errors import GroundworkError

if TYPE_CHECKING:
    from core.workbench import Workbench

KEPT = 200
GRACE_S = 15.0
"""For which a turn goes on that nobody watches: a page that is loaded anew is back by then."""
_LOOK_S = 0.5


class Watcher(Protocol):
    """Somebody for whom a question is answered; a tab of a browser. Hashable, and equal by who it is."""

    def is_open(self) -> bool:
        """True while it is there. Thread-safe."""
        ...


@dataclass
class RunningTurn:
    """A turn of this process. `events` only grows, so it may be read by index while it runs.

    question: as it is kept, with personal data masked.
    is_answered: its answer is kept and told; its follow-ups may still be planned. draft: the answer before a
    model writes it. watchers: for whom it runs; where it has any, it ends a while after the last has left.
    """

    id: TurnId
    conversation: ConversationId
    question: str
    principal: Principal
    events: list[dict[str, Any]] = field(default_factory=list)
    draft: Answer | None = None
    handle: QuestionHandle = field(default_factory=QuestionHandle)
    watchers: set[Watcher] = field(default_factory=set)
    is_answered: bool = False
    done: bool = False
    ended: threading.Lock = field(default_factory=threading.Lock)  # guards: a turn ends once
    stopping: threading.Event = field(default_factory=threading.Event)


class TurnRegistry:
    """Starts, stops and remembers turns; the last ones that ended stay for late watchers. Thread-safe."""

    def __init__(self, bench: Workbench, *, kept: int = KEPT, grace_s: float = GRACE_S) -> None:
        self._bench = bench
        self._kept = kept
        self._grace_s = grace_s
        self._lock = threading.Lock()  # guards: _turns, and who watches one
        self._turns: OrderedDict[TurnId, RunningTurn] = OrderedDict()

    def start(
        self, conversation: ConversationId, question: Question, watcher: Watcher | None = None
    ) -> RunningTurn:
        """Save the question as a turn and answer it on a thread of its own; returns at once.

        conversation: to which it belongs. watcher: who asked; None: it runs to its end, whoever leaves.
        """
        principal, asked = question.principal, replace(question, conversation=conversation)
        saved = self._bench.for_principal(principal).conversations.start_turn(conversation, question.text)
        watchers = set() if watcher is None else {watcher}
        turn = RunningTurn(saved.id, conversation, saved.question, principal, watchers=watchers)
        with self._lock:
            self._turns[turn.id] = turn
            for old in [t.id for t in self._turns.values() if t.done][: -self._kept or None]:
                del self._turns[old]
        turn.handle = QuestionHandle(lambda event: self._tell(turn, event))
        threading.Thread(target=self._run, args=(turn, asked), name=f"turn-{turn.id}", daemon=True).start()
        if watcher is not None:
            threading.Thread(
                target=self._attend, args=(turn,), name=f"attendance-{turn.id}", daemon=True
            ).start()
        return turn

    def watch(self, turn: str, watcher: Watcher | None) -> bool:
        """Note who watches a turn, too; True where it runs here or ran here lately."""
        found = self.get(turn)
        if found is not None and watcher is not None and not found.done:
            with self._lock:
                found.watchers = {*found.watchers, watcher}
        return found is not None

    def get(self, turn: str) -> RunningTurn | None:
        """The turn, if it runs here or ran here lately."""
        with self._lock:
            return self._turns.get(TurnId(turn))

    def stop(self, turn: str) -> None:
        """End a running turn now, whatever its thread is at; what it has not said by then is not said.

        One that was answered stays so, without the follow-ups that were still being planned. One that a model
        was writing keeps the answer that stood before.
        """
        found = self.get(turn)
        if found is None:
            return
        found.stopping.set()
        with found.ended:
            if found.is_answered or found.done:
                self._end(found, "finished")
            elif found.draft is not None:
                self._cut(found, found.draft, TurnState.STOPPED)
            else:
                self._bench.for_principal(found.principal).conversations.stop_turn(found.id)
                self._end(found, "stopped")
        found.handle.stop("stopped")

    def close(self) -> None:
        """Stop all that runs."""
        with self._lock:
            running = [turn.id for turn in self._turns.values() if not turn.done]
        for turn in running:
            self.stop(turn)

    def _attend(self, turn: RunningTurn) -> None:
        """Wait for its end; where nobody has watched it for a while, bring that about."""
        last_seen = time.monotonic()
        while not turn.done and not turn.is_answered:
            if any(watcher.is_open() for watcher in turn.watchers):
                last_seen = time.monotonic()
            elif time.monotonic() - last_seen >= self._grace_s:
                self._interrupt(turn)
                return
            time.sleep(min(_LOOK_S, self._grace_s))

    def _interrupt(self, turn: RunningTurn) -> None:
        """Close what a model does for a turn that nobody watches.

        It ends with the answer that stood before the model wrote; where that is not there yet, as it comes.
        """
        with turn.ended:  # first: what the stopped stream says next must not come before the end
            turn.handle.stop("interrupted")
            if turn.draft is not None and not turn.done and not turn.is_answered:
                self._cut(turn, turn.draft, TurnState.INTERRUPTED)

    def _cut(self, turn: RunningTurn, draft: Answer, state: TurnState) -> None:
        """End a turn with the answer that stood before a model wrote it."""
        turn.stopping.set()
        answer = as_drafted(draft, "interrupted" if state is TurnState.INTERRUPTED else "stopped")
        self._bench.for_principal(turn.principal).conversations.finish_turn(turn.id, answer, state)
        told = Answered(at_ms=answer.timings_ms.get("total", 0.0), answer=answer)
        turn.events.append(told.model_dump(mode="json"))
        self._end(turn, state.value)

    def _tell(self, turn: RunningTurn, event: Event) -> None:
        """Tell at once what the stream, which is blocked, gives later."""
        if not turn.done:
            turn.events.append(event.model_dump(mode="json"))

    def _run(self, turn: RunningTurn, question: Question) -> None:
        try:
            self._answer(turn, question)
        except GroundworkError as error:
            self._fail(turn, error.message, error.next_step)
        except Exception as error:  # the thread's edge: the turn must end, and say so, whatever happened
            self._fail(turn, f"The answer failed: {error}", "Ask again; if it stays, run doctor.")
        finally:
            turn.done = True

    def _answer(self, turn: RunningTurn, question: Question) -> None:
        questions = self._bench.for_principal(turn.principal).questions
        stream = questions.stream(question, handle=turn.handle)
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
            if turn.done or isinstance(event, Waiting):  # which its handle told
                return
            if isinstance(event, Drafted):
                turn.draft = event.answer
                if turn.handle.cause == "interrupted":
                    self._cut(turn, event.answer, TurnState.INTERRUPTED)
                    return
            if isinstance(event, Finished):
                later: dict[str, Any] = {"follow_ups": event.answer.follow_ups}
                if readings := event.answer.other_readings:
                    later["other_readings"] = [each.model_dump(exclude={"plan"}) for each in readings]
                self._end(turn, event.type, **later)
                return
            if isinstance(event, Answered):
                kept = self._bench.for_principal(turn.principal).conversations
                shown = kept.finish_turn(turn.id, event.answer).answer
                if shown is not None and shown.is_masked:  # access was taken away while it was made
                    event = event.model_copy(update={"answer": shown})
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
