"""The Answer and its parts: the JSON that the page, the command line and the API all speak.

Every model is closed and frozen, and `Answer.model_validate_json(a.model_dump_json()) == a`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from pydantic import ConfigDict, Field

from core.domain.frozen import Frozen
from core.domain.llm.use import ModelUse

SCHEMA = 1


class Status(StrEnum):
    """Outcome of a question."""

    ANSWERED = "answered"
    PARTIAL = "partial"
    ABSTAINED = "abstained"
    CLARIFY = "clarify"
    REFUSED = "refused"
    FAILED = "failed"


class Kind(StrEnum):
    """Kind of answer that a question asks for."""

    LOOKUP = "lookup"
    AGGREGATE = "aggregate"
    COMPLIANCE = "compliance"
    COMPARISON = "comparison"
    SUMMARY = "summary"
    GENERAL = "general"


class Route(StrEnum):
    """Route of a question: where its answer was looked for."""

    STRUCTURED = "structured"
    HYBRID = "hybrid"
    LONG_TEXT = "long_text"
    NONE = "none"


class Verdict(StrEnum):
    """Outcome of checking a claim."""

    SUPPORTED = "supported"
    COMPUTED = "computed"
    UNSUPPORTED = "unsupported"


class ConfidenceLabel(StrEnum):
    """Confidence in a word."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"


class QuotedPlace(Frozen):
    """A place in the collection; `quote` equals the stored page text [start:end] of that version."""

    document: str
    title: str
    source: str
    version: int
    page: int
    start: int
    end: int
    quote: str


class Citation(QuotedPlace):
    """A place that a claim rests on; n counts up through the answer."""

    n: int


class Check(Frozen):
    """One check of a claim, by name, with its outcome."""

    name: str
    ok: bool
    detail: str = ""


class Claim(Frozen):
    """A sentence of the answer with what it rests on."""

    text: str
    verdict: Verdict
    checks: tuple[Check, ...] = ()
    citations: tuple[Citation, ...] = ()


class Value(Frozen):
    """A direct answer: money as a decimal string with its currency in `unit`."""

    type: Literal["number", "money", "date", "text", "boolean"]
    value: str
    unit: str | None = None


class Column(Frozen):
    """A column of an answer's table."""

    name: str
    type: str


class Table(Frozen):
    """Rows of an answer; `documents[i]` is the document of row i, `members[i]` those of row i as a group.

    citations: `citations[i]` are the numbers of those that row i rests on, () where it is told of no row.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    documents: tuple[str, ...] = ()
    members: tuple[tuple[str, ...], ...] = ()
    citations: tuple[tuple[int, ...], ...] = ()


class LedgerDocuments(Frozen):
    """The four disjoint lists behind a ledger's counts. pending: those of `uncertain` still to be read.

    unknown_kind: documents outside of the scope that could not be read, so that nothing tells their kind.
    """

    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    uncertain: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    unknown_kind: tuple[str, ...] = ()


LEDGER_PARTS = ("present", "absent", "uncertain", "unreadable")
"""In the order in which people read them."""

LEDGER_LISTS: Mapping[str, Any] = {"ledger": {"documents": True, "reasons": True}}
"""What of an answer browsers ask for by parts, where somebody opens one: it has a line for every document."""


class OtherKind(Frozen):
    """Documents that are not in a scope because of their kind. kind: of a schema that is asked, "" for all of
    another; schema_name: "" where nothing tells what they are.
    """

    schema_name: str = ""
    kind: str = ""
    documents: int


class Ledger(Frozen):
    """scope = present + absent + unreadable + uncertain. reasons: why a document is one of the last two.

    about: the field, or fields, in words.
    is_exhaustive: False where a search chose part of the documents: it finds the best, and not all.
    pending: how many of the uncertain ones are so only because what was asked of them is still being read.
    fulfils: True where values are compared: present then fulfil the conditions, absent do not, whatever they
    state; else present and absent are about the field.
    promise: the level by which this question decided clauses, "" where each bucket's own did.
    unknown_kind: how many documents beside the scope could not be read, and may be of any kind.
    by_model: of how many documents a cell that was needed was decided by a language model, and by no person;
    gaps_said: how many documents have parts that were not read, "" where none has.
    copies_said: how many files the scope stands for, where some are copies of others, "" where none is.
    total: documents that may be seen in the buckets that were asked, copies counted once: the scope, those of
    other_kinds, unknown_kind, and those outside for what the question says; 0 where that is not told.
    scope_said: all of it in a sentence.
    model_checked, model_right: how many of the sample of such cells of these fields people checked, and found
    right; model_said: all three in a sentence, "" where by_model is 0.
    """

    field: str
    scope: int
    present: int
    absent: int
    unreadable: int
    uncertain: int
    documents: LedgerDocuments
    reasons: dict[str, str] = Field(default_factory=dict)
    is_exhaustive: bool = True
    fulfils: bool = False
    promise: str = ""
    about: str = ""
    pending: int = 0
    unknown_kind: int = 0
    by_model: int = 0
    model_checked: int = 0
    model_right: int = 0
    model_said: str = ""
    copies_said: str = ""
    gaps_said: str = ""
    total: int = 0
    other_kinds: tuple[OtherKind, ...] = ()
    outside: int = 0
    scope_said: str = ""


class Conflict(Frozen):
    """Sources that state different values of one field of one subject, for the same time.

    documents: the ids of those that state them, in the order of the values.
    """

    subject: str
    field: str
    values: tuple[Any, ...]
    documents: tuple[str, ...] = ()


class EvidenceItem(QuotedPlace):
    """A place that was found for the question, and what became of it.

    kind: passage of a search, or row of a field. score: of the search, or how sure the field is. method: how
    it was found. state: duplicate of a better one, contradicted by another document, cited or not.
    """

    kind: Literal["passage", "row"]
    score: float
    method: str
    state: Literal["used", "duplicate", "contradicted", "unused"]
    index: str = "passages"
    field: str = ""


class Source(Frozen):
    """A cited document with the pages that were cited; n is the first citation of it."""

    n: int
    document: str
    title: str
    source: str
    pages: tuple[int, ...]


class Assets(Frozen):
    """Images and PDFs that the cited passages refer to."""

    images: tuple[str, ...] = ()
    pdfs: tuple[str, ...] = ()


class Attempt(Frozen):
    """A search that was tried, and how much it found."""

    tool: str
    args: dict[str, Any]
    hits: int


CLEARED = "cleared"
"""Flag of the answer by which what was in hand is put away."""

MASKED = "masked"
"""Flag of an answer that is not shown, since who asked may not see any more what it rests on."""

REUSED = "; that plan is used."
"""End of the gap that says that a reading was taken from an earlier change of the wording."""


class AnswerChoice(Frozen):
    """Something to choose: the question that it stands for, and how many documents that concerns.

    plan: the whole plan that is run when it is chosen; None where the question is asked instead.
    """

    label: str
    question: str
    documents: int | None = None
    plan: dict[str, Any] | None = None


class Clarification(Frozen):
    """Reason why the question needs another word from the asker; `phrase` names the words meant."""

    type: Literal["vague", "no_low", "overload"]
    reason: str
    attempts: tuple[Attempt, ...] = ()
    hints: tuple[str, ...] = ()
    export: str | None = None
    phrase: str = ""
    options: tuple[AnswerChoice, ...] = ()


class Understood(Frozen):
    """Meaning of words of the question that the person chose, now or earlier."""

    phrase: str
    meaning: str


PartKind = Literal["subject", "document", "condition", "field", "operation", "group", "order", "search"]
PartAction = Literal[
    "field", "operation", "subject", "value", "is", "is_not", "there", "missing", "turn", "remove"
]


class ReadingPart(Frozen):
    """A part of the question as it was read: words for a node of the plan that ran, or for a part of a node.

    places: numbers of its conditions, groups or fields within the node. field: what it is about, by name.
    value: its value as a person may write it. actions: changes that can be made to it; () for none.
    """

    text: str
    node: str
    confidence: float = 1.0
    kind: PartKind = "condition"
    places: tuple[int, ...] = ()
    field: str = ""
    value: str = ""
    actions: tuple[PartAction, ...] = ()


Reader = Literal["", "rules", "reader", "model", "person"]
"""Who read a question: rules, the trained reader, a language model, or the person who chose or edited."""


class OtherReading(Frozen):
    """Another plausible reading of the question: in words, its plan, and the count that it comes to.

    count: documents or rows; None where it was not counted. by: who read it so.
    """

    text: str
    count: int | None = None
    plan: dict[str, Any]
    by: Reader = ""


class ConversationSet(Frozen):
    """The documents in hand after an answer, which the next question may be about; in JSON their key is set.

    label: what they are, as it stands above the conversation ("contracts governed by Delaware law").
    """

    documents: tuple[str, ...] = Field(default=(), alias="set")
    label: str = ""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)


class CountEstimate(Frozen):
    """Estimate of a count or sum over uncertain cells, beside the exact ledger: an interval at a level."""

    value: int | float
    low: int | float
    high: int | float
    level: float


class Degradation(Frozen):
    """Something that did not work as configured, in plain words."""

    code: str
    message: str


class NearPassage(QuotedPlace):
    """A passage that came closest where the answer abstains."""

    score: float


class StruckClaim(Frozen):
    """A sentence that a model wrote and that is not shown in the answer. reason: the check that failed.

    is_replaced: the model wrote it once more, so what counts is what it wrote then.
    """

    text: str
    reason: str
    check: str
    is_replaced: bool = False


class CitedFigure(Frozen):
    """A figure of a calculation: as it is written, and as it was read with the heads of its table.

    unit: a currency code, "%", or another; "" for a plain number. citations: its words, and those heads.
    """

    name: str
    written: str
    value: str
    unit: str
    citations: tuple[Citation, ...]


class CitedCalculation(Frozen):
    """What code calculated of cited figures. expression: over their names; shown: with the figures."""

    label: str
    expression: str
    shown: str
    value: Value
    figures: tuple[CitedFigure, ...]


class QuotedAnswer(Frozen):
    """The answer as it is without a language model, beside the one that a model wrote."""

    text: str
    claims: tuple[Claim, ...] = ()


class AnswerUpdate(Frozen):
    """Update of an answer once documents were read that were still pending before.

    at: ISO 8601 with its zone. note: what changed, a sentence. text: the answer as it was first given.
    is_last: what is still pending is not going to be read, so no other update follows.
    """

    at: str
    note: str
    text: str
    is_last: bool = False


class Answer(Frozen):
    """The answer to one question.

    reading: how the question was read, part by part, as the plan says it. parts: where several things were
    asked, the answer to each under its own question; the whole has then a text without numbers of citations,
    and no claims, table or ledger of its own. unread: documents it lists that are still being read for what
    it shows of them. written_by: the model that wrote its sentences, "" where they are quotes and templates;
    `quoted` is then the answer without it, and `struck` what it wrote and a check refused. planned_by: who
    read the question. standalone: the whole question that a follow-up was turned into. model_use: every call
    of a model, also where none of them came to anything. lacking: the roles without which it was refused.
    converts_to: a currency in which the same can be asked, where amounts are in several; "" for none.
    calculations: what code calculated of cited figures for sentences of a model. copies: by document that it
    is about the other documents of the same words, which are counted once.
    """

    schema_: Literal[1] = Field(default=1, alias="schema")
    question: str
    trace_id: str
    data_version: int
    status: Status
    kind: Kind
    route: Route
    text: str
    claims: tuple[Claim, ...] = ()
    value: Value | None = None
    table: Table | None = None
    ledger: Ledger | None = None
    confidence: float = 0.0
    confidence_label: ConfidenceLabel = ConfidenceLabel.LOW
    gaps: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    evidence: tuple[EvidenceItem, ...] = ()
    sources: tuple[Source, ...] = ()
    nearest: tuple[NearPassage, ...] = ()
    follow_ups: tuple[str, ...] = ()
    assets: Assets = Assets()
    clarification: Clarification | None = None
    understood: tuple[Understood, ...] = ()
    degradations: tuple[Degradation, ...] = ()
    flags: tuple[str, ...] = ()
    plan: dict[str, Any] | None = None
    timings_ms: dict[str, float] = Field(default_factory=dict)
    reading: tuple[ReadingPart, ...] = ()
    other_readings: tuple[OtherReading, ...] = ()
    conversation: ConversationSet | None = None
    estimate: CountEstimate | None = None
    parts: tuple[Answer, ...] = ()
    update: AnswerUpdate | None = None
    unread: tuple[str, ...] = ()
    written_by: str = ""
    planned_by: Reader = ""
    standalone: str = ""
    lacking: tuple[str, ...] = ()
    struck: tuple[StruckClaim, ...] = ()
    quoted: QuotedAnswer | None = None
    model_use: ModelUse | None = None
    calculations: tuple[CitedCalculation, ...] = ()
    copies: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    converts_to: str = ""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)

    @property
    def pending(self) -> tuple[str, ...]:
        """The documents that this answer, or any of its parts, still waits for."""
        own = self.ledger.documents.pending if self.ledger is not None else ()
        return tuple(dict.fromkeys((*own, *self.unread, *(id for part in self.parts for id in part.pending))))

    @property
    def is_masked(self) -> bool:
        """True where a sentence stands in its place."""
        return MASKED in self.flags

    @property
    def document_ids(self) -> frozenset[str]:
        """The documents whose words, values or titles it may hold, whether it is about them or not.

        What a search found is in no ledger, nor is the policy whose limit is compared with.
        """
        found = {citation.document for citation in self.citations}
        found |= {each.document for each in self.evidence} | {each.document for each in self.sources}
        found |= {each.document for each in self.nearest}
        found |= {id for conflict in self.conflicts for id in conflict.documents}
        return frozenset(found | (set(self.table.documents) - {""} if self.table is not None else set()))

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation of every claim and calculation, in the order of n, each once."""
        of_figures = (figure.citations for made in self.calculations for figure in made.figures)
        of_claims = (claim.citations for claim in self.claims)
        seen = {each.n: each for some in (*of_figures, *of_claims) for each in some}
        return tuple(seen[n] for n in sorted(seen))
