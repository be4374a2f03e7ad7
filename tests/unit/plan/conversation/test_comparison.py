"""Turns that hold documents in hand against each other."""

from __future__ import annotations

import pytest

from core.plan.conversation.comparison import compare_members
from core.plan.conversation_state import base_of
from tests.support.conversations import LISTED, at


@pytest.mark.parametrize(
    ("turn", "documents"),
    [
        ("compare the first and the second", LISTED[:2]),
        ("what is the difference between the first one and the last one?", (LISTED[0], LISTED[2])),
        ("compare them", LISTED),
    ],
)
def test_documents_are_shown_side_by_side(turn: str, documents: tuple[str, ...]) -> None:
    found = compare_members(at(turn))

    base = base_of(found.plan) if found is not None else None
    assert base is not None
    assert base.scope.documents == documents
    assert base.fields


def test_a_field_that_is_named_is_all_that_is_shown() -> None:
    found = compare_members(at("compare the first and the second by governing law"))

    base = base_of(found.plan) if found is not None else None
    assert base is not None
    assert base.fields == ("governing_law",)


@pytest.mark.parametrize(
    "turn", ["which of them lack force majeure?", "compare the first with Nobody at all"]
)
def test_other_turns_compare_nothing_in_hand(turn: str) -> None:
    assert compare_members(at(turn)) is None
