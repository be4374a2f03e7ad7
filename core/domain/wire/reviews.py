"""Flagged answers, verdicts and replays as JSON: the same for the command line and REST."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core.domain.trust.review import WHOLE, ClaimVerdict, Feedback, ReviewItem


def review_json(item: ReviewItem) -> dict[str, Any]:
    """An item of the queue."""
    return {
        "id": item.id,
        "trace_id": item.trace,
        "question": item.question,
        "asker": item.asker,
        "kind": item.kind,
        "status": item.status,
        "confidence": item.confidence,
        "data_version": item.data_version,
        "flags": [{"reason": each.reason.value, "note": each.note} for each in item.flags],
        "state": item.state.value,
        "assignee": item.assignee or None,
        "verdict": item.verdict.value if item.verdict is not None else None,
        "reviewer": item.reviewer or None,
        "note": item.note,
        "corrections": [dict(each) for each in item.corrections],
        "revision": item.revision,
        "flagged_at": item.flagged_at.isoformat(),
        "resolved_at": _moment(item.resolved_at),
    }


def verdicts_json(verdicts: Sequence[ClaimVerdict]) -> list[dict[str, Any]]:
    """Verdicts of reviewers; claim null: on the answer as a whole."""
    return [
        {
            "claim": None if each.claim == WHOLE else each.claim,
            "reviewer": each.reviewer,
            "verdict": each.verdict.value,
            "note": each.note,
            "at": each.at.isoformat(),
        }
        for each in verdicts
    ]


def feedback_json(feedback: Sequence[Feedback]) -> list[dict[str, Any]]:
    """Opinions; citation null: on the answer."""
    return [
        {
            "citation": each.citation or None,
            "account": each.account,
            "word": each.word.value,
            "reason": each.reason,
            "note": each.note,
            "at": _moment(each.at),
        }
        for each in feedback
    ]


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
