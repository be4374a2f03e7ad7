"""Audits: plans that are kept under a name, run again later, and compared with what they gave before.

A plan is kept as the JSON that `core.plan.ir.nodes.Plan` reads: one kept for fields which are gone since,
or by another version of this program, stays and says what is wrong when it is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from pydantic import ConfigDict, Field

from core.domain.answer import Value
from core.domain.frozen import Frozen

Part = Literal["present", "absent", "uncertain", "unreadable"]
UNDECIDED: tuple[Part, ...] = ("uncertain", "unreadable")
ParameterType = Literal[
    "text", "boolean", "money", "date", "duration", "number", "enum", "party", "bucket", "today"
]


class ParameterPlace(Frozen):
    """Position of a parameter in a plan: a value of a condition, or the buckets of a node.

    condition: its place in `node.conditions`, None for the buckets; choice: its place in `any_of`; at: which
    of several values, None for all of them.
    """

    node: str
    condition: int | None = None
    choice: int | None = None
    at: int | None = None


class Parameter(Frozen):
    """Something of a plan that may be changed at a run. name: unique among the plan's parameters.

    title: for people ("Expiration date, from"). default: the values that the plan holds; () of buckets means
    all, of `today` the day of the run. many: whether it takes several values. field: what the condition asks.
    options: the values to choose from, () where any may be written.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_.-]{0,80}$")
    type: ParameterType
    title: str = Field(max_length=200)
    default: tuple[str, ...] = Field(default=(), max_length=1_000)
    many: bool = False
    field: str = ""
    options: tuple[str, ...] = ()
    places: tuple[ParameterPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """A plan that is kept. name "": only for its link. acl: () everybody, None the owner alone (and admins).

    version rises with every change; it is what a change has to name, so that nobody overwrites another.
    """

    id: str
    name: str
    question: str
    plan: dict[str, Any]
    parameters: tuple[Parameter, ...]
    owner: str
    acl: tuple[str, ...] | None
    version: int
    created_at: datetime
    updated_at: datetime
    updated_by: str
    runs: int = 0


class KeptDocument(Frozen):
    """Outcome of one document in a run. part: its list in the ledger, None where it was in none.

    answers: whether it belongs to the answer (listed, or counted and summed). values: what was looked at of
    it, by field, in words. acl: who might see it then, which decides once the document is gone.
    """

    title: str
    version: int
    bucket: str = ""
    acl: tuple[str, ...] = ()
    part: Part | None = None
    answers: bool = False
    values: dict[str, str] = Field(default_factory=dict)


class CitedDocument(Frozen):
    """Words of one document that an answer cites, in the answer's order."""

    title: str
    quotes: tuple[str, ...]


class RunResult(Frozen):
    """Result of a run, as it is kept: enough to show it again and to compare it with another.

    plan: what ran, its parameters put in. columns, rows: of the answer's table; row_documents: the document
    of each row, "" where it has none. sources: all documents that the answer rests on or names, by who might
    see them then: () everybody. source_versions: the versions of them; runs that were kept before have none.
    cited: what was cited, by document; None of runs that were kept before this was.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")  # runs that were kept with `ledger_field`

    text: str
    plan: dict[str, Any]
    value: Value | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    row_documents: tuple[str, ...] = ()
    documents: dict[str, KeptDocument] = Field(default_factory=dict)
    sources: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    source_versions: dict[str, int] = Field(default_factory=dict)
    cited: dict[str, CitedDocument] | None = None
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditRun:
    """One run of an audit. counts: of documents by part, of those that answer, and of those that are cited.

    values: the parameters it ran with.
    is_whole: False where documents took part that the one who looks may not see: value, text and rows are
    then left out, and the counts are of the others.
    """

    id: str
    audit: str
    audit_version: int
    at: datetime
    user: str
    data_version: int
    values: dict[str, tuple[str, ...]]
    status: str
    value: Value | None
    counts: dict[str, int]
    latency_ms: float
    is_whole: bool = True
    result: RunResult | None = None  # None in lists


ChangeKind = Literal["new", "changed", "left", "gone", "outside"]
CHANGE_WORDS: dict[ChangeKind, str] = {
    "new": "New in the answer",
    "changed": "Changed in the answer",
    "left": "Left the answer",
    "gone": "Gone from the collection",
    "outside": "Not part of the answer",
}
"""Kinds of changes in words; a document that left an answer is still there, one that is gone is not."""

_SHORT: Mapping[ChangeKind, str] = {
    "new": "new in the answer",
    "changed": "changed in the answer",
    "left": "left the answer",
    "gone": "gone from the collection",
}

Why = Literal[
    "document_added",  # it was not there at the first run
    "document_removed",  # it is not there any more
    "document_withdrawn",  # the site that it came from gives it no more
    "document_updated",  # a newer version of it was ingested
    "cell_changed",  # the same version, read or decided otherwise
    "title_changed",
    "evidence_changed",  # other words of it are cited, or it is cited at one of the runs only
    "was_undecided",  # it was uncertain or unreadable at the first run
    "is_undecided",  # it is so now
    "parameter",  # the runs had other parameter values
    "plan",  # the plan was changed between the runs
    "unknown",
]


@dataclass(frozen=True, slots=True)
class Reason:
    """Reason for a document to be told otherwise. field, before, after: of a cell or a parameter."""

    why: Why
    text: str
    field: str = ""
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document of which two runs say different things. before, after: its part, None where it had none."""

    document: str
    title: str
    kind: ChangeKind
    reasons: tuple[Reason, ...]
    before: Part | None = None
    after: Part | None = None


def by_title(change: DocumentChange) -> tuple[str, str]:
    """Key that puts changes in the order of their titles."""
    return change.title.casefold(), change.document


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Differences between two runs, of the documents that the one who asks may see.

    A document belongs to an answer where it is a row of it, is counted in it, or is cited. new: it belongs
    now and did not; left: the other way round, and it is still there; gone: it belonged, and is not in the
    collection any more; changed: it belongs as before, and its row or the cited words are others.
    outside: it belongs to neither answer, but came into the scope, left it, or is known otherwise.
    unchanged: how many documents are the same.
    """

    before: AuditRun
    after: AuditRun
    new: tuple[DocumentChange, ...] = ()
    left: tuple[DocumentChange, ...] = ()
    gone: tuple[DocumentChange, ...] = ()
    changed: tuple[DocumentChange, ...] = ()
    outside: tuple[DocumentChange, ...] = ()
    unchanged: int = 0
    parameters: tuple[Reason, ...] = ()
    plan_changed: bool = False

    @property
    def by_kind(self) -> dict[ChangeKind, tuple[DocumentChange, ...]]:
        """All changes by their kind, also the kinds without any."""
        return {
            "new": self.new,
            "changed": self.changed,
            "left": self.left,
            "gone": self.gone,
            "outside": self.outside,
        }

    @property
    def summary(self) -> str:
        """Both answers compared in a line: "2 new in the answer, 1 left the answer".

        Without a value, answers are compared by their texts, where both may be seen whole.
        """
        told = [
            f"{len(self.by_kind[kind]):,} {words}" for kind, words in _SHORT.items() if self.by_kind[kind]
        ]
        of_answer = ", ".join(told)
        if not of_answer and self.before.value != self.after.value:
            of_answer = "the answer is another"
        if not of_answer:
            texts = {each.result.text for each in (self.before, self.after) if each.result and each.is_whole}
            of_answer = "the answer is worded otherwise" if len(texts) == 2 else "nothing is different"
        if not self.outside:
            return of_answer
        beside = "document" if len(self.outside) == 1 else "documents"
        where = " in the answer" if of_answer == "nothing is different" else ""
        return f"{of_answer}{where}, {len(self.outside):,} {beside} outside of it came, left or changed"


@dataclass(frozen=True, slots=True)
class OutdatedAudit:
    """An audit whose evidence has changed since its last run. run: that run, without its result.

    changes: the documents that changed, each with why: a newer version, withdrawn, removed, or added to its
    scope. That the answer is another is not said: only a run tells.
    """

    audit: Audit
    run: AuditRun
    changes: tuple[DocumentChange, ...]

    def count(self, why: Why) -> int:
        """Number of documents that changed so."""
        return sum(any(reason.why == why for reason in each.reasons) for each in self.changes)


@dataclass(frozen=True, slots=True)
class UncoveredPhrase:
    """Words of questions that no condition took, with how often, and the last questions that had them."""

    phrase: str
    count: int
    questions: tuple[str, ...]
    last_at: datetime


Outcome = Literal["rejected", "abstained", "clarified", "uncovered", "reread"]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question that was not answered as it should be. plan: what was made of it, None where nothing was.

    corrected: the plan that its user ran instead, None until there is one. shape: what kind of question it
    is, its values left out.
    """

    id: str
    question: str
    shape: str
    user: str
    asked_at: datetime
    outcome: Outcome
    status: str
    plan: dict[str, Any] | None = None
    uncovered: tuple[str, ...] = ()
    corrected: dict[str, Any] | None = None
    corrected_question: str = ""
    corrected_at: datetime | None = None
    corrected_by: str = ""
    slots: dict[str, str] = field(default_factory=dict)
