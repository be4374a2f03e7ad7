"""Answers with what flags are made of."""

from __future__ import annotations

from typing import Any

from core.domain.answer import Answer, Kind, Route, Status


def an_answer(**given: Any) -> Answer:
    """A sure answer, with this in place of what it has."""
    made: dict[str, Any] = {
        "question": "Who?",
        "trace_id": "t1",
        "data_version": 1,
        "status": Status.ANSWERED,
        "kind": Kind.LOOKUP,
        "route": Route.HYBRID,
        "text": "Ann.",
        "confidence": 0.4,
    }
    return Answer(**{**made, **given})
