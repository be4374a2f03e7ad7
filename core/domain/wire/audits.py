"""The JSON of audits, their runs and comparisons, and of what was learned."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core.domain.audit import (
    Audit,
    AuditRun,
    DocumentChange,
    Lesson,
    OutdatedAudit,
    Reason,
    RunComparison,
    UncoveredPhrase,
    by_title,
)


def audit_json(audit: Audit, *, with_plan: bool = True) -> dict[str, Any]:
    """An audit; its plan is left out of lists."""
    found: dict[str, Any] = {
        "id": audit.id,
        "name": audit.name,
        "question": audit.question,
        "owner": audit.owner,
        "acl": None if audit.acl is None else list(audit.acl),
        "version": audit.version,
        "created_at": audit.created_at.isoformat(),
        "updated_at": audit.updated_at.isoformat(),
        "updated_by": audit.updated_by,
        "runs": audit.runs,
        "parameters": [each.model_dump(mode="json") for each in audit.parameters],
    }
    return found | {"plan": audit.plan} if with_plan else found


def run_json(run: AuditRun) -> dict[str, Any]:
    """A run; `result` is null in lists."""
    return {
        "id": run.id,
        "audit": run.audit,
        "audit_version": run.audit_version,
        "at": run.at.isoformat(),
        "user": run.user,
        "data_version": run.data_version,
        "parameters": {name: list(values) for name, values in run.values.items()},
        "status": run.status,
        "value": None if run.value is None else run.value.model_dump(mode="json"),
        "counts": dict(run.counts),
        "latency_ms": run.latency_ms,
        "is_whole": run.is_whole,
        "result": None if run.result is None else run.result.model_dump(mode="json"),
    }


def comparison_json(found: RunComparison) -> dict[str, Any]:
    """JSON of the differences between two runs.

    `gone` is all that does not belong to the answer any more: `left_answer` and `gone_from_collection`.
    """
    return {
        "before": _without_result(found.before),
        "after": _without_result(found.after),
        "new": _changes(found.new),
        "gone": _changes(sorted((*found.left, *found.gone), key=by_title)),
        "left_answer": _changes(found.left),
        "gone_from_collection": _changes(found.gone),
        "changed": _changes(found.changed),
        "outside_answer": _changes(found.outside),
        "unchanged": found.unchanged,
        "parameters": [_reason(each) for each in found.parameters],
        "plan_changed": found.plan_changed,
    }


def outdated_json(found: OutdatedAudit) -> dict[str, Any]:
    """An audit whose evidence has changed since its last run."""
    return {
        "audit": audit_json(found.audit, with_plan=False),
        "run": run_json(found.run),
        "changes": [
            {**told, "kind": each.kind}
            for told, each in zip(_changes(found.changes), found.changes, strict=True)
        ],
    }


def lesson_json(lesson: Lesson) -> dict[str, Any]:
    """A question that went wrong."""
    return {
        "id": lesson.id,
        "question": lesson.question,
        "user": lesson.user,
        "asked_at": lesson.asked_at.isoformat(),
        "outcome": lesson.outcome,
        "status": lesson.status,
        "uncovered": list(lesson.uncovered),
        "plan": lesson.plan,
        "corrected": lesson.corrected,
        "corrected_question": lesson.corrected_question,
        "corrected_at": _moment(lesson.corrected_at),
        "corrected_by": lesson.corrected_by,
    }


def uncovered_json(phrase: UncoveredPhrase) -> dict[str, Any]:
    """Words that no condition took."""
    return {
        "phrase": phrase.phrase,
        "count": phrase.count,
        "questions": list(phrase.questions),
        "last_at": phrase.last_at.isoformat(),
    }


def _without_result(run: AuditRun) -> dict[str, Any]:
    return run_json(run) | {"result": None}


def _changes(changes: Sequence[DocumentChange]) -> list[dict[str, Any]]:
    return [
        {
            "document": each.document,
            "title": each.title,
            "before": each.before,
            "after": each.after,
            "reasons": [_reason(reason) for reason in each.reasons],
        }
        for each in changes
    ]


def _reason(reason: Reason) -> dict[str, Any]:
    return {
        "why": reason.why,
        "text": reason.text,
        "field": reason.field,
        "before": reason.before,
        "after": reason.after,
    }


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
