from __future__ import annotations

import pytest

from core.domain.predicate import Operator
from core.plan.ir.nodes import Choice, Condition, OtherField, Reference
from core.plan.ir.verbalise import OPERATORS, condition_text, conditions_text, limit_text, values_text


@pytest.mark.parametrize(
    ("op", "value", "words"),
    [
        (">=", "100 USD", "price at least 100 USD"),
        ("!=", "100 USD", "price other than 100 USD"),
        ("in", ("1 USD", "2 USD"), "price 1 USD or 2 USD"),
        ("between", ("1 USD", "2 USD"), "price from 1 USD to 2 USD"),
        ("contains", "rent", "price mentioning rent"),
        ("is-missing", (), "without price"),
        ("is", "present", "with price"),
        (">", Reference(node="hop-1"), "price above the value found"),
        ("=", OtherField(field="fee_cap"), "price the same as fee cap"),
    ],
)
def test_a_condition_is_worded_for_the_purpose_of_a_node(op: str, value: object, words: str) -> None:
    condition = Condition.model_validate({"field": "price", "op": op, "value": value})

    assert condition_text(condition, None) == words


def test_alternatives_are_joined_and_a_kind_beside_others_is_left_out() -> None:
    law = Condition(field="law", op=Operator.EQUAL, value="Texas")
    either = Choice(any_of=(law, law.model_copy(update={"value": "Iowa"})))
    kind = Condition(field="document_kind", op=Operator.EQUAL, value="agreement")

    assert conditions_text((kind, either), None) == "law Texas or law Iowa"
    assert conditions_text((kind,), None) == "which are of the kind agreement"


def test_every_operator_has_words_and_only_bounds_have_those_of_limits() -> None:
    assert set(OPERATORS) == set(Operator)
    bounds = [op for op in Operator if limit_text(op)]
    assert bounds == [op for op in Operator if limit_text(op, is_date=True)]
    assert [limit_text(op) for op in bounds] == ["above", "of at least", "below", "of at most"]


def test_values_that_another_node_gives_are_not_worded() -> None:
    assert values_text(Condition(field="fee", op=Operator.GREATER, value=Reference(node="a"))) == ""
