"""A question as it is asked, its state and the hold on it while it runs, and the answers to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from core.answer.computed.wording import listed
from core.answer.sureness import judged
from core.config.models import LlmSettings
from core.domain.answer import Answer, Degradation, Kind, Route, Understood
from core.domain.conversation import Turn
from core.domain.document import DocumentSummary
from core.domain.event import Degraded, Event, StageFinished, StageStarted, Waiting
from core.domain.fields import PromiseLevel
from core.domain.ids import ConversationId
from core.domain.llm.use import ModelUse
from core.domain.principal import Principal
from core.guard.masking import Masking
from core.llm.base import ModelCalls
from core.llm.reply import whole_characters
from core.plan.conversation_state import ConversationState
from core.plan.ir.nodes import Plan
from core.plan.reading import Reading
from core.store.database.visibility import Snapshot, Visibility

if TYPE_CHECKING:
    from core.plan.door import PlanDoor
    from core.store.base import BucketSummary

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
NAMED = 4  # buckets
_ABOUT = (
    "I answer questions from the documents in your collection. Every statement I make is a quote that you "
    "can open on its page; where the documents do not say, I tell you what I searched instead of guessing."
)
_BEGIN = (
    "There are no documents here yet. Add some on the page Ingest, or run `groundwork ingest FOLDER`. To try "
    "it out first, load the sample collection: `groundwork ingest --sample`."
)
_ADD = "More documents can be added on the page Ingest, or by `groundwork ingest FOLDER`."
_WAYS = (
    "You can ask for a value, a date or a clause of one document, for all documents that have or lack "
    "something, for counts, sums and comparisons, or for what a text says on a topic. Which files could not "
    "be read, have gaps or are copies, the page Documents tells, by its filter of states."
)
_OPENINGS = {
    "greeting": "Hello.",
    "identity": "I am Groundwork, a program that reads documents; there is no person here.",
    "chat": "I can only speak for the documents that were loaded.",
}
COURTESIES = {
    "orders": (
        "A question changes nothing here, and reveals nothing but what documents say. Ask what you want to "
        "know of them."
    ),
    "clear": "What was in hand is put away: the next question stands on its own.",
    "export": (
        "A question sends and saves nothing. The table of an answer can be saved as a file by its own "
        "button, and on the command line by `groundwork ask … --export FILE`."
    ),
    "delete": (
        "A question removes nothing: the documents stay as they are. They can be removed on the page "
        "Documents, or by `groundwork documents remove`. To leave some out of what is in hand, say “without "
        "…”."
    ),
    "thanks": "You are welcome. Ask the next question whenever you like.",
    "farewell": "Goodbye. This conversation is kept, so you can go on from here later.",
    "acknowledgement": "Good. What would you like to know next?",
}
"""Replies that do not speak of the collection, by topic."""


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
    """The answer with these fields, as sure as such answers are right; plan None: nothing was planned."""
    values: dict[str, Any] = {
        "question": asked.question,
        "trace_id": asked.trace_id,
        "data_version": asked.data_version,
        "kind": plan.kind if plan is not None else Kind.LOOKUP,
        "route": plan.route if plan is not None else Route.NONE,
        "plan": plan.model_dump(mode="json") if plan is not None else None,
    }
    return judged(Answer.model_validate({**values, **fields}))


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


@dataclass(slots=True)
class Run:
    """State of one question through its stages. understood: what the planner made of it, if it did.

    buckets: those of the question, or of what a model read. others: other plausible plans. door: of the
    policies, which every plan passes before it runs. calls: of language models; None where there is none, or
    none is wanted. suggest: plans the follow-ups of the answer once it is there; None where it has them
    already. is_part: it answers one of several questions of a text. masking: of the personal data in it,
    for its events. handle: of who asked. waits: of its calls, that the stream has not given yet.
    """

    trace_id: str
    tick: Callable[[], float]
    question: Question
    visibility: Snapshot
    door: PlanDoor
    buckets: tuple[str, ...] = ()
    degradations: tuple[Degradation, ...] = ()
    understood: Plan | None = None
    known: dict[str, Understood] = field(default_factory=dict)  # by the words that were chosen for
    chosen: tuple[Understood, ...] = ()
    suggest: Callable[[], tuple[str, ...]] | None = None
    is_part: bool = False
    others: tuple[Plan, ...] = ()
    put_off: Plan | None = None  # over fields, where the text is asked first
    state: ConversationState = field(default_factory=ConversationState)
    follows: bool = False  # the question goes on from the conversation
    keeps_set: bool = True
    calls: ModelCalls | None = None
    handle: QuestionHandle = field(default_factory=QuestionHandle)
    waits: list[Waiting] = field(default_factory=list)
    unkept: list[Degradation] = field(default_factory=list)  # of its calls, that could not be recorded
    reading: Reading | None = None  # the model's, where it was asked
    standalone: str = ""  # the whole question that a follow-up was turned into
    llm: LlmSettings = field(default_factory=LlmSettings)
    masking: Masking = field(default_factory=Masking)
    hides_personal_data: bool = False
    is_reviewed: bool = True  # its flags reach the reviewers
    may_ask: bool = True  # it was not asked back just before
    started: float = 0.0
    began: dict[str, float] = field(default_factory=dict)  # when each stage did, in milliseconds
    timings: dict[str, float] = field(default_factory=dict)  # what each stage took

    def at(self) -> float:
        """Milliseconds since the question came."""
        return round((self.tick() - self.started) * 1000, 3)

    @property
    def divided(self) -> tuple[str, ...]:
        """The questions that a model read the question as; () where it read one, or none did."""
        return self.reading.questions if self.reading is not None and not self.is_part else ()

    def choose(self, chosen: Understood | None) -> None:
        """Take words as they were just chosen to mean; None: nothing was."""
        if chosen is not None:
            self.known[chosen.phrase.casefold()] = chosen
            self.chosen = (*self.chosen, chosen)

    def asking(self, question: str) -> QuestionRequest:
        """The question as what computes its answer is given it; what it computes is kept."""
        seen = self.visibility
        return QuestionRequest(
            question, self.trace_id, seen.data_version, seen, self.door, self.at, is_kept=True
        )

    def require(self, plan: Plan | None) -> None:
        """Raise RefusedError where the policies do not allow a plan, or None any question, to who asks."""
        refused = self.door.refusal(plan)
        if refused is not None:
            raise refused

    def degrade(self, *degradations: Degradation) -> Iterator[Degraded]:
        """Note what did not work, with the events that tell of it."""
        self.degradations += degradations
        for each in degradations:
            yield Degraded(at_ms=self.at(), degradation=each)

    def start_stage(self, stage: str, label: str) -> StageStarted:
        """The event that a stage began."""
        self.began[stage] = at = self.at()
        return StageStarted(at_ms=at, stage=stage, label=label)

    def finish_stage(self, stage: str, label: str, source: str, **counts: int) -> StageFinished:
        """The event that a stage is done, with the milliseconds that it took since it began."""
        at = self.at()
        self.timings[stage] = spent = round(at - self.began[stage], 3)
        return StageFinished(
            at_ms=at, stage=stage, label=label, latency_ms=spent, source=source, counts=counts
        )

    def finish_plan(self, plan: Plan, source: str = "rules") -> StageFinished:
        """The event that a plan is there, with the number of its steps."""
        count = len(plan.nodes)
        return self.finish_stage("plan", f"Planned {steps_label(count)}", source, nodes=count)


def steps_label(count: int) -> str:
    """`2 steps`."""
    return f"{count} step{'s' if count != 1 else ''}"


@dataclass(frozen=True, slots=True)
class QuestionScope:
    """buckets: as chosen, () for all. names: those that hold documents. Counts are of visible documents.

    documents: those with text, which can be searched; unread: without any. has_tables: datasets can be asked.
    """

    buckets: tuple[str, ...]
    names: tuple[str, ...]
    documents: int
    unread: int = 0
    has_tables: bool = False

    @property
    def label(self) -> str:
        """`45 documents in contracts and invoices`; `no documents` where there are none."""
        if not self.documents:
            return "no documents"
        count = f"{self.documents:,} document" + ("" if self.documents == 1 else "s")
        if not self.names or (not self.buckets and len(self.names) > NAMED):
            return f"{count} in {len(self.names)} buckets" if len(self.names) > 1 else count
        shown, more = [f"“{name}”" for name in self.names[:NAMED]], len(self.names) - NAMED
        return f"{count} in {listed([*shown, f'{more} more buckets'] if more > 0 else shown)}"

    @property
    def is_empty(self) -> bool:
        """True where there is nothing here at all, not even files without text."""
        return not self.documents and not self.unread

    @property
    def unread_note(self) -> str:
        """A sentence on the documents that could not be searched; "" where there are none."""
        if not self.unread:
            return ""
        many = ("", "it") if self.unread == 1 else ("s", "them")
        lost = f"could not be searched, because no text could be read from {many[1]}."
        return f"{self.unread:,} more document{many[0]} {lost}"


def read_scope(
    summaries: Sequence[BucketSummary], buckets: tuple[str, ...], unread: Sequence[DocumentSummary] = ()
) -> QuestionScope:
    """The scope of a question that is asked in `buckets`, () for all; unread: documents without text."""
    inside = [summary for summary in summaries if not buckets or summary.name in buckets]
    filled = [summary for summary in inside if summary.documents]
    blind = sum(not buckets or document.bucket in buckets for document in unread)
    documents = sum(s.documents for s in filled) - blind
    return QuestionScope(buckets, tuple(s.name for s in filled), max(documents, 0), blind)


def reply_to(topic: str, scope: QuestionScope, kinds: str = "", examples: Sequence[str] = ()) -> str:
    """The reply to a topic of `core.search.classify.small_talk`; unknown topics get the general help."""
    if topic in COURTESIES:
        return COURTESIES[topic]
    first = (_OPENINGS.get(topic, ""), "" if topic in ("contents", "chat") else _ABOUT)
    said = [" ".join(part for part in first if part)]
    if scope.is_empty:
        said.append(_BEGIN)
    else:
        said += [_holds(scope, kinds), _WAYS if topic in ("help", "contents") else ""]
        tried = ("For example, you can ask:", "", *(f"- {each}" for each in examples))
        said += ["\n".join(tried) if examples else "", "" if topic == "chat" else _ADD]
    return "\n\n".join(part for part in said if part)


def _holds(scope: QuestionScope, kinds: str) -> str:
    total = scope.documents + scope.unread
    names = ", ".join(f"“{name}”" for name in scope.names)
    where = f" in the bucket{'' if len(scope.names) == 1 else 's'} {names}" if names else ""
    what = f": {kinds}" if kinds else where
    unread = f" {scope.unread:,} of them could not be read." if scope.unread else ""
    many = ("is", "document") if total == 1 else ("are", "documents")
    return f"In here {many[0]} {total:,} {many[1]}{what}.{unread}"
