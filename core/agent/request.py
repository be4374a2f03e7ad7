"""A question as it is asked, the hold on it while it runs, and a request for one answer to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any, Literal

from core.domain.answer import Answer, ConfidenceLabel, Degradation, Kind, Route, Understood
from core.domain.conversation import Turn
from core.domain.event import Event
from core.domain.fields import PromiseLevel
from core.domain.ids import ConversationId
from core.domain.llm.use import ModelUse
from core.domain.principal import Principal
from core.llm.reply import whole_characters
from core.plan.door import PlanDoor
from core.plan.ir.nodes import Plan
from core.records.database.visibility import Visibility

HIGH = 0.7
MEDIUM = 0.4
MOST_CONFIDENT_IN_PART = 0.35  # of an answer of which only a part was understood or found: always LOW

Agent = Literal["", "orchestrator", "loop"]
"""Agent that works with a model: one that plans first, or one conversation with tools; "": as set."""

Way = Literal["", "text", "whatever", "afresh"]
"""text: search the text of everything. whatever: do so where something would have to be asked back.
afresh: as if nothing had been chosen in the conversation.
"""

Cause = Literal["stopped", "interrupted"]
"""Why a question ended early: its user stopped it, or nobody was there any more."""

_WORDS = {
    "stopped": "Stopped while the model wrote",
    "interrupted": "The browser was closed while the model wrote",
}


@dataclass(frozen=True, slots=True)
class Question:
    """A question in its words, who asks it of which buckets (none: all), how, and what went before.

    The answered turns of `conversation`, or else `history`, are what a follow-up question refers to, and
    what words that may mean several things meant before, but for those that there were when the set in hand
    was cleared. chosen: what was just clicked for such words. plan: a reading that was chosen, which is run
    instead of a planner's. promise: how sure clauses must be for it, "bucket" as each bucket's level decided
    them; None: as the question before it had it. offline: call no language model. before: the place of a turn
    that is asked once more, which goes on from the turns in front of it, and not from its own answer.
    """

    text: str
    principal: Principal
    buckets: tuple[str, ...] = ()
    conversation: ConversationId | None = None
    history: tuple[Turn, ...] = ()
    chosen: Understood | None = None
    way: Way = ""
    plan: Plan | None = None
    promise: PromiseLevel | Literal["bucket"] | None = None
    offline: bool = False
    agent: Agent = ""
    before: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", whole_characters(self.text))  # half of a pair cannot be kept


@dataclass(frozen=True, slots=True)
class QuestionRequest:
    """Question and principal of every answer. is_kept: whether its answer can be fetched by its trace.

    door: of the policies, which its plans pass.
    """

    question: str
    trace_id: str
    data_version: int
    visibility: Visibility
    door: PlanDoor
    at_ms: Callable[[], float]
    is_kept: bool = False


def answer_to(asked: QuestionRequest, plan: Plan | None, **fields: Any) -> Answer:
    """The answer with these fields, and the word for its confidence; plan None: nothing was planned."""
    values = {
        "question": asked.question,
        "trace_id": asked.trace_id,
        "data_version": asked.data_version,
        "kind": plan.kind if plan is not None else Kind.LOOKUP,
        "route": plan.route if plan is not None else Route.NONE,
        "plan": plan.model_dump(mode="json") if plan is not None else None,
        "confidence_label": label_of(fields.get("confidence", 0.0)),
    }
    return Answer.model_validate({**values, **fields})


def label_of(confidence: float) -> ConfidenceLabel:
    """The word for a confidence: HIGH from .7, MEDIUM from .4, else LOW."""
    if confidence >= HIGH:
        return ConfidenceLabel.HIGH
    return ConfidenceLabel.MEDIUM if confidence >= MEDIUM else ConfidenceLabel.LOW


def flags_of(confidence: float) -> tuple[str, ...]:
    """The flag of an answer that is not sure; () of any other."""
    return ("low_confidence",) if label_of(confidence) is ConfidenceLabel.LOW else ()


def less_sure(answer: Answer, most: float, **changes: Any) -> Answer:
    """The answer with these changes, and no surer than that."""
    confidence = min(answer.confidence, most)
    told = {
        "confidence": confidence,
        "confidence_label": label_of(confidence),
        "flags": tuple(dict.fromkeys((*answer.flags, *flags_of(confidence)))),
    }
    return answer.model_copy(update=told | changes)


class QuestionHandle:
    """Held by who asks, from another thread than the one that reads the stream. Thread-safe.

    tell: gets what a call waits for while it waits; the stream, which is blocked by then, gives it later.
    cause: why it was stopped; None where it was not.
    """

    def __init__(self, tell: Callable[[Event], None] = lambda _: None) -> None:
        self.tell = tell
        self.cause: Cause | None = None
        self._lock = Lock()  # guards the cause and the acts: an act is done once, whichever comes first
        self._acts: list[Callable[[], None]] = []

    def stop(self, cause: Cause = "stopped") -> None:
        """Close what a model is doing for the question now; the first cause stays. Safe to call twice."""
        with self._lock:
            self.cause = self.cause or cause
            acts, self._acts = self._acts, []
        for act in acts:
            act()

    def on_stop(self, act: Callable[[], None]) -> None:
        """Have something done when it is stopped, which may be now."""
        with self._lock:
            if self.cause is None:
                self._acts.append(act)
                return
        act()


def as_drafted(draft: Answer, cause: Cause, use: ModelUse | None = None) -> Answer:
    """The answer that was there before a model wrote, with why it stands as it is, and the use of models."""
    stands = "the quotes stand as they were found" if draft.claims else "the answer without it stands"
    said = Degradation(code="E004", message=f"{_WORDS[cause]}; {stands}.")
    use = use or draft.model_use or ModelUse()
    return draft.model_copy(update={"degradations": (*draft.degradations, said), "model_use": use})
