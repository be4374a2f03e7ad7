"""Failures as values."""

from __future__ import annotations

from datetime import UTC, datetime

from core.domain.trust.failures import USUAL, FailedQuestion, FailedShape, Habit

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_what_was_answered_since_is_not_open() -> None:
    open_one = FailedQuestion("Who?", "facts", "abstained", "abstained", NOW, NOW)
    mended = FailedQuestion("Where?", "facts", "abstained", "answered", NOW, NOW, is_answered=True)
    shape = FailedShape("lookup", 3, 2, {"facts": 2}, (open_one, mended), (), NOW)
    assert shape.open == 1
    assert Habit() == USUAL
