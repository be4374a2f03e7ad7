"""The JSON of audits, their runs and comparisons, and of what was learned."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field

from core.domain.answer import Value
from core.domain.audit import AuditRun, Parameter, RunComparison, RunResult, by_title
from core.domain.wire.shapes import Moment, Shape


class AuditRow(Shape):
    """A plan kept under a name, as lists have it. acl: null for its owner alone, [] for everybody."""

    id: str
    name: str
    question: str
    owner: str
    acl: tuple[str, ...] | None
    version: int
    created_at: Moment
    updated_at: Moment
    updated_by: str
    runs: int
    parameters: tuple[Parameter, ...]


class AuditRecord(AuditRow):
    """An audit with its plan."""

    plan: dict[str, Any]


class RunRecord(Shape):
    """A run of a kept plan; `result` is null in lists."""

    id: str
    audit: str
    audit_version: int
    at: Moment
    user: str
    data_version: int
    parameters: dict[str, tuple[str, ...]] = Field(validation_alias="values")
    status: str
    value: Value | None
    counts: dict[str, int]
    latency_ms: float
    is_whole: bool
    result: RunResult | None

    @classmethod
    def listed(cls, run: AuditRun) -> Self:
        """A run without its result."""
        return cls.of(run).model_copy(update={"result": None})


class ChangeReason(Shape):
    """Reason for a document to be told otherwise, or a parameter that differs."""

    why: str
    text: str
    field: str
    before: str | None
    after: str | None


class ChangeRecord(Shape):
    """A document of which two runs say different things. before, after: its part, null where it had none."""

    document: str
    title: str
    before: str | None
    after: str | None
    reasons: tuple[ChangeReason, ...]


class RunDifferences(Shape):
    """Differences between two runs.

    gone: all that does not belong to the answer any more: `left_answer` and `gone_from_collection`.
    """

    before: RunRecord
    after: RunRecord
    new: tuple[ChangeRecord, ...]
    gone: tuple[ChangeRecord, ...]
    left_answer: tuple[ChangeRecord, ...]
    gone_from_collection: tuple[ChangeRecord, ...]
    changed: tuple[ChangeRecord, ...]
    outside_answer: tuple[ChangeRecord, ...]
    unchanged: int
    parameters: tuple[ChangeReason, ...]
    plan_changed: bool

    @classmethod
    def of(cls, found: RunComparison) -> Self:
        """The shape of a comparison."""
        names = ("new", "changed", "unchanged", "parameters", "plan_changed")
        more = {
            "before": RunRecord.listed(found.before),
            "after": RunRecord.listed(found.after),
            "gone": sorted((*found.left, *found.gone), key=by_title),
            "left_answer": found.left,
            "gone_from_collection": found.gone,
            "outside_answer": found.outside,
        }
        return cls.model_validate({name: getattr(found, name) for name in names} | more)


class OutdatedChange(ChangeRecord):
    """A document that changed since the last run of an audit."""

    kind: str


class OutdatedRecord(Shape):
    """An audit whose evidence has changed since its last run."""

    audit: AuditRow
    run: RunRecord
    changes: tuple[OutdatedChange, ...]


class LessonRecord(Shape):
    """A question that went wrong, and its correction."""

    id: str
    question: str
    user: str
    asked_at: Moment
    outcome: str
    status: str
    uncovered: tuple[str, ...]
    plan: dict[str, Any] | None
    corrected: dict[str, Any] | None
    corrected_question: str
    corrected_at: Moment | None
    corrected_by: str


class UncoveredRecord(Shape):
    """Words that no condition took."""

    phrase: str
    count: int
    questions: tuple[str, ...]
    last_at: Moment
