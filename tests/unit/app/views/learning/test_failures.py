"""Failures by shape in words."""

from __future__ import annotations

from app.views.learning.failures import found_words, shown, stage_words
from core.review.failed_shapes import failed_shapes
from tests.unit.review.test_habits import tried

FOUND = failed_shapes([tried(0), tried(1), tried(2, question=tried(1).question, status="answered", stage="")])


def test_shapes_are_chosen_by_their_stage() -> None:
    assert shown(FOUND, "facts") == shown(FOUND, "") == FOUND
    assert shown(FOUND, "writing") == []
    assert stage_words("facts") == "The fields do not state it, or not surely"
    assert stage_words("") == "Any stage"


def test_what_is_open_is_counted() -> None:
    assert found_words(FOUND, []) == "**0** of **1 kind of questions**, 1 question still open"
