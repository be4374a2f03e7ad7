"""Conditions of several spans, joined as the words between them say."""

from __future__ import annotations

import pytest

from bench.reader.marks import reading_of
from core.plan.language.pieces import Piece, UnknownWord
from core.plan.language.syntax import tree
from core.plan.reader.conditions.conjunction import join


def _said(found: tree.Expression | None) -> str:
    if isinstance(found, tree.All | tree.Any):
        word = " and " if isinstance(found, tree.All) else " or "
        return f"({word.join(_said(each) for each in found.parts)})"
    assert isinstance(found, tree.Test)
    return found.pieces[0].text


@pytest.mark.parametrize(
    ("marked", "joined"),
    [
        ("with [A]{+a} and [B]{+b}", "(A and B)"),
        ("with [A]{+a} or [B]{+b}", "(A or B)"),
        ("without [A]{-a} or [B]{-b}", "(A and B)"),
        ("lacking [A]{-a} or lacking [B]{-b}", "(A or B)"),
        ("with [A]{+a}, [B]{+b} or [C]{+c}", "(A and (B or C))"),
        ("with [A]{+a} or else those that are with [B]{party}", "(A or B)"),
        ("[A]{doc} and [B]{doc}", "(A or B)"),
    ],
)
def test_conditions_are_joined_by_the_words_between_them(marked: str, joined: str) -> None:
    reading = reading_of("list", marked, "contracts")
    parts: list[tuple[object, tree.Expression]] = []
    for span in reading.spans:
        piece = Piece(0, 1, reading.text(span), UnknownWord(), "")
        parts.append((span, tree.Test((piece,), None, None, UnknownWord())))

    assert _said(join(parts, reading.question)) == joined  # type: ignore[arg-type]


def test_no_parts_are_no_condition() -> None:
    assert join((), "contracts") is None
