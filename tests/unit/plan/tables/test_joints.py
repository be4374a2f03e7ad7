"""Words that join two conditions stand apart from the comparison behind them."""

from __future__ import annotations

from core.domain.predicate import Operator
from core.plan.language.pieces import Comparator, Connective
from tests.support.table_catalogue import sequence


def mentions(question: str) -> list[object]:
    return [piece.mention for piece in sequence(question).pieces]


def test_or_over_behind_another_condition_is_two_pieces() -> None:
    found = mentions("orders with over 500 amount or over 5 quantity")
    assert Connective("or") in found
    assert [each.op for each in found if isinstance(each, Comparator)] == [Operator.GREATER, Operator.GREATER]


def test_or_more_behind_a_number_is_one() -> None:
    found = mentions("orders with a quantity of 5 or more")
    assert Connective("or") not in found
