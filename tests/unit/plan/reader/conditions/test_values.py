"""Conditions on values in the spans of a reading."""

from __future__ import annotations

import pytest

from core.domain.predicate import Operator
from core.plan.language.pieces import Currency, DayRange, Quantity, Values
from core.plan.language.syntax import tree
from core.plan.reader.conditions.kinds import SpanKinds
from core.plan.reader.conditions.values import SpanValues
from core.plan.reader.exact_reading import UnreadableError
from tests.support.known_readings import KNOWN, TODAY, schema_reading


def _condition(marked: str) -> tree.Expression:
    own = schema_reading(marked)
    parts = (own.reading, own.schema, KNOWN, TODAY, own.mentions)
    return SpanValues(*parts).condition(own.reading.spans[0], SpanKinds(*parts))


@pytest.mark.parametrize(
    ("marked", "operand"),
    [
        ("contracts that [expire in 2025]{=expiration_date}", DayRange),
        ("contracts under [Texas law]{=governing_law}", Values),
        ("contracts with a cap of [more than 5,000 dollars]{=liability_cap_amount}", Quantity),
        ("contracts that [have run out]{=expiration_date}", DayRange),
    ],
)
def test_a_value_is_read_exactly_on_the_field_of_the_reader(marked: str, operand: type) -> None:
    found = _condition(marked)

    assert isinstance(found, tree.Test)
    assert isinstance(found.operand, operand)


def test_the_word_that_compares_may_stand_before_the_span() -> None:
    found = _condition("contracts with a value under [5,000 dollars]{=contract_value}")

    assert isinstance(found, tree.Test)
    assert found.op is Operator.LESS


def test_a_currency_alone_is_a_condition_on_amounts() -> None:
    found = _condition("contracts not in [euros]{!contract_value}")

    assert isinstance(found, tree.Test)
    assert isinstance(found.operand, Currency)
    assert found.op is Operator.NOT_EQUAL


def test_a_place_that_nothing_is_under_stands_beside_one_that_is_known() -> None:
    found = _condition("contracts under [Quebec or Texas law]{=governing_law}")

    assert isinstance(found, tree.Any)
    assert len(found.parts) == 2


def test_what_is_not_to_hold_is_negated() -> None:
    assert isinstance(_condition("contracts not under [Texas law]{!governing_law}"), tree.Not)


def test_words_without_a_value_are_unreadable() -> None:
    with pytest.raises(UnreadableError):
        _condition("the [older stuff]{=expiration_date}")
