"""Typed events of one question: page, command line, trace and API read the same stream."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field

from core.domain.answer import (
    Answer,
    Claim,
    Degradation,
    StruckClaim,
    Understood,
)
from core.domain.fields import PromiseLevel
from core.domain.frozen import Frozen
from core.domain.guards.verdict import GuardVerdict
from core.domain.llm.use import ModelCall, ModelStatement

FIELDS_STATE_NOTHING = "The fields do not state it"
"""Label of a computation over fields after which the text is searched."""


class TimedEvent(Frozen):
    """Base of all events. at_ms: since the question began."""

    type: str
    at_ms: float


class StageStarted(TimedEvent):
    """A stage began; `label` is what a person reads ("Searching 45 documents")."""

    type: Literal["stage_started"] = "stage_started"
    stage: str
    label: str


class StageFinished(TimedEvent):
    """A stage ended: how long it took, what did the work, and how much came out."""

    type: Literal["stage_finished"] = "stage_finished"
    stage: str
    label: str
    latency_ms: float
    source: str
    counts: dict[str, int] = Field(default_factory=dict)


class Guarded(TimedEvent):
    """A guard said something of the question, of what was found, or of the answer."""

    type: Literal["guarded"] = "guarded"
    verdict: GuardVerdict


class ClaimAdded(TimedEvent):
    """A checked claim, ready to be shown; index is its place in the answer, from 0."""

    type: Literal["claim_added"] = "claim_added"
    index: int
    claim: Claim


class ModelCalled(TimedEvent):
    """A call of a language model ended, well or not."""

    type: Literal["model_called"] = "model_called"
    call: ModelCall


class Waiting(TimedEvent):
    """A call of a language model waits for the token budget; `label` is what a person reads."""

    type: Literal["waiting"] = "waiting"
    wait_s: float
    label: str


class Drafted(TimedEvent):
    """The answer as it is without a model, before one writes it: what stands where that is stopped."""

    type: Literal["drafted"] = "drafted"
    answer: Answer


class QuestionRead(TimedEvent):
    """A model read the question: what it said of it, part by part, and what was used."""

    type: Literal["question_read"] = "question_read"
    parts: tuple[ModelStatement, ...]


class ToolUsed(TimedEvent):
    """A tool that a model called: its arguments, and the result as the model was shown it, cut short.

    tokens: of the reply that asked for it, its prompt included; 0 for the further tools of the same reply.
    """

    type: Literal["tool_used"] = "tool_used"
    tool: str
    arguments: dict[str, Any]
    hits: int
    result: str
    latency_ms: float = 0.0
    tokens: int = 0


class ProseWritten(TimedEvent):
    """Words as a model writes them, not yet checked; index: the sentence, from 0, of the attempt."""

    type: Literal["prose_written"] = "prose_written"
    index: int
    text: str
    attempt: int = 1


class ClaimStruck(TimedEvent):
    """A written sentence that a check refused; index as in ProseWritten."""

    type: Literal["claim_struck"] = "claim_struck"
    index: int
    claim: StruckClaim
    attempt: int = 1


class Degraded(TimedEvent):
    """Something did not work as configured; the answer goes on without it."""

    type: Literal["degraded"] = "degraded"
    degradation: Degradation


class Answered(TimedEvent):
    """The answer, checked and kept; its follow-ups may come later, with `Finished`."""

    type: Literal["answered"] = "answered"
    answer: Answer


class Finished(TimedEvent):
    """The last event of every stream; carries the whole answer."""

    type: Literal["finished"] = "finished"
    answer: Answer


class PlanDrawn(TimedEvent):
    """The plan, checked and estimated, before any of its nodes runs."""

    type: Literal["plan_drawn"] = "plan_drawn"
    plan: dict[str, Any]


class NodeChanged(TimedEvent):
    """A node of the plan began, gave its result, or stopped; message: why it stopped."""

    type: Literal["node_changed"] = "node_changed"
    node: str
    state: Literal["running", "done", "stopped"]
    rows: int = 0
    hits: int = 0
    latency_ms: float = 0.0
    source: str = ""
    message: str = ""


Event = Annotated[
    StageStarted
    | StageFinished
    | Guarded
    | PlanDrawn
    | NodeChanged
    | ModelCalled
    | Waiting
    | Drafted
    | QuestionRead
    | ToolUsed
    | ProseWritten
    | ClaimAdded
    | ClaimStruck
    | Degraded
    | Answered
    | Finished,
    Field(discriminator="type"),
]


def last_answer(events: Iterable[Event]) -> Answer:
    """The whole answer that a stream ends with; blocks until it is there."""
    *_, last = events
    assert isinstance(last, Finished), "every stream ends with Finished"
    return last.answer


class AskingTerms(Frozen):
    """Terms on which a question was asked: all that it takes to ask it again.

    asked: its words before a follow-up was made whole, with personal data masked.
    way, chosen: as a person clicked when words could mean several things. plan_given: a reading that a person
    chose was run; follows: it was a turn of a conversation.
    """

    asked: str = ""
    roles: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    buckets: tuple[str, ...] = ()
    promise: PromiseLevel | None = None
    offline: bool = False
    way: str = ""
    chosen: Understood | None = None
    plan_given: bool = False
    follows: bool = False


class Trace(Frozen):
    """Record of one question's work, kept with its answer (the last event).

    terms: None in traces of earlier versions.
    """

    trace_id: str
    question: str
    user: str
    started_at: str  # ISO 8601, UTC
    events: tuple[Event, ...]
    terms: AskingTerms | None = None

    @property
    def steps(self) -> tuple[StageFinished, ...]:
        """The finished stages, in order."""
        return tuple(event for event in self.events if isinstance(event, StageFinished))
