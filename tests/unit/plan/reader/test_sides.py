"""Sides of comparisons, and what each comes to."""

from __future__ import annotations

from datetime import date

import pytest

from bench.reader.marks import reading_of
from core.plan.reader.sides import outcome_of, side_steps, sides_of
from core.plan.reader.span_choice import chosen_spans
from core.plan.reader.span_parts import SpanParts
from core.plan.reading import Function, Operation, Outcome
from tests.support.known_collection import known_collection

KNOWN = known_collection()


def _parts(operation: str, marked: str, schema: str = "invoices") -> SpanParts:
    read = reading_of(operation, marked, schema, is_labelled=True)
    return SpanParts(read, chosen_spans(read, KNOWN), KNOWN, date(2024, 11, 22))


@pytest.mark.parametrize(
    ("marked", "own", "shared"),
    [
        ("[fuel]{=category} or [food]{=category} [receipts]{kind}", ["fuel", "food"], ["receipts"]),
        ("[A-1]{doc} or [A-2]{doc} of [Acme]{party}", ["A-1", "A-2"], ["Acme"]),
        ("[Acme]{party} or [Bolt]{party} [in 2019]{..invoice_date}", ["Acme", "Bolt"], ["in 2019"]),
        ("[receipts]{kind} to [orders]{kind}", ["receipts", "orders"], []),
        ("[a date]{+due_date} or [a discount]{+discount}", ["a date", "a discount"], []),
        ("[fuel]{=category} or [a discount]{+discount}", ["fuel", "a discount"], []),
    ],
)
def test_the_sides_are_what_is_said_twice(marked: str, own: list[str], shared: list[str]) -> None:
    parts = _parts("compare/greatest", marked)

    sides = sides_of(parts)

    assert sides is not None
    assert [parts.text(each) for each in sides.own] == own
    assert [parts.text(each) for each in sides.shared] == shared


def test_one_thing_has_no_sides() -> None:
    assert sides_of(_parts("compare/values", "compare [the tax]{?tax} of [A-1]{doc}")) is None


@pytest.mark.parametrize(
    ("operation", "asked", "function"),
    [
        ("compare/greatest", "[total]{?total}", Function.SUM),
        ("compare/avg", "[total]{?total}", Function.AVG),
        ("compare/count", "[total]{?total}", Function.COUNT),
        ("compare/greatest", "[due date]{?due_date}", Function.MAX),
        ("compare/less", "[days to pay]{?payment_period}", Function.MIN),
        ("compare/values", "[days to pay]{?payment_period}", Function.AVG),
        ("compare/greatest", "", Function.COUNT),
    ],
)
def test_a_side_comes_to_a_figure(operation: str, asked: str, function: Function) -> None:
    parts = _parts(operation, f"{asked} of [Acme]{{party}} or [Bolt]{{party}}")
    sides = sides_of(parts)
    assert sides is not None

    steps = side_steps(parts, sides, 3)

    assert [each.id for each in steps] == ["s3", "s4"]
    assert {each.function for each in steps} == {function}
    assert {each.operation for each in steps} == {
        Operation.COUNT if function is Function.COUNT else Operation.COMPUTE
    }


def test_shares_of_sides_stand_beside_each_other() -> None:
    parts = _parts("compare/share", "[a date]{+due_date} and [a discount]{+discount}")
    sides = sides_of(parts)
    assert sides is not None

    assert {each.function for each in side_steps(parts, sides, 1)} == {Function.SHARE}
    assert outcome_of("share") is Outcome.VALUES
    assert outcome_of("ratio") is Outcome.RATIO
    assert outcome_of("avg") is Outcome.VALUES
