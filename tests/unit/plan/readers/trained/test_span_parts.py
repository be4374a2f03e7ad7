"""Parts of a step that spans say; most of them stand in `readings.txt`, as whole readings."""

from __future__ import annotations

from datetime import date

import pytest

from bench.reader.marks import reading_of
from core.plan.readers.trained.reading import chosen_spans
from core.plan.readers.trained.span_parts import SpanParts, outcome_of, side_steps, sides_of
from core.plan.reading import Function, Operation, Outcome
from tests.support.known_collection import known_collection

KNOWN = known_collection()
TODAY = date(2024, 11, 22)


def _parts(operation: str, marked: str, schema: str = "contracts") -> SpanParts:
    read = reading_of(operation, marked, schema, is_labelled=True)
    return SpanParts(read, chosen_spans(read, KNOWN), KNOWN, TODAY)


@pytest.mark.parametrize(
    ("marked", "alternatives"),
    [
        ("[Texas]{=governing_law} and [Ohio]{=governing_law} law", [1, 1]),
        ("[Texas]{=governing_law} or [a cap]{|+cap_on_liability}", [1, 1]),
        ("not [Texas]{!=governing_law} or [Ohio]{|!=governing_law} law", [0, 0]),
        ("[a cap]{+cap_on_liability} and [Texas]{=governing_law} law", [0, 0]),
        ("[signed in 2019]{..agreement_date} and [in 2021]{..agreement_date}", [1, 1]),
        ("[signed after 2010]{>agreement_date} and [before 2015]{<agreement_date}", [0, 0]),
        ("[no cap]{-cap_on_liability} or [longer notice than 90 days]{|>termination_notice}", [1, 1]),
    ],
)
def test_what_cannot_hold_at_once_is_an_alternative(marked: str, alternatives: list[int]) -> None:
    assert [each.either for each in _parts("list", marked).conditions()] == alternatives


def test_sides_are_no_alternatives() -> None:
    parts = _parts("compare/count", "[Texas]{=governing_law} versus [Ohio]{=governing_law}")

    assert [each.either for each in parts.conditions(are_sides=True)] == [0, 0]


def test_a_field_that_is_its_own_value_is_asked_for() -> None:
    parts = _parts("list", "contracts with their [governing law]{=governing_law}")

    assert ([each.name for each in parts.asked()], parts.conditions()) == (["governing_law"], ())


def test_a_currency_is_no_value_of_a_text_but_that_of_the_usual_amount() -> None:
    [read] = _parts("compute/sum", "total of invoices in [EUR]{=vendor}", "invoices").conditions()

    assert (read.field.name, read.field.part, read.values) == ("total", "unit", ("EUR",))


def test_a_value_that_cannot_be_read_is_unread() -> None:
    parts = _parts("list", "[more expensive]{>contract_value} contracts")

    assert parts.conditions() == ()
    assert [parts.read.text(span) for span in parts.unread] == ["more expensive"]


@pytest.mark.parametrize(
    ("marked", "part"),
    [
        ("per [month]{by invoice_date}", "month"),
        ("per [invoice date]{by invoice_date.quarter}", "quarter"),
        ("per [vendor]{by vendor}", ""),
        ("per [currency]{by total}", "unit"),
    ],
)
def test_groups_are_of_a_part_of_dates_and_amounts(marked: str, part: str) -> None:
    assert [each.part for each in _parts("group/count", marked, "invoices").groups()] == [part]


@pytest.mark.parametrize(
    ("operation", "marked", "expected"),
    [
        ("rank", "the [second highest]{order total} invoice", (1, 1, True)),
        ("rank", "the [three]{limit} [cheapest]{order total} after the [first]{skip}", (3, 1, False)),
        ("rank", "invoices [by amount]{order total}", (0, 0, True)),
        ("rank", "the [quickest]{order payment_period} invoice", (1, 0, True)),
        ("rank", "which bill falls [due first]{order due_date}", (1, 0, False)),
        ("rank", "[cheapest]{order total} to dearest", (0, 0, False)),
        ("rank", "[by date]{order invoice_date}", (0, 0, False)),
        ("rank", "skip the [first ten]{skip}, then [ten]{limit} [by amount]{order total}", (10, 10, True)),
    ],
)
def test_an_order_says_how_many_are_wanted(
    operation: str, marked: str, expected: tuple[int, int, bool]
) -> None:
    order = _parts(operation, marked, "invoices").order()

    assert order is not None
    assert (order.limit, order.skip, order.descending) == expected


def test_without_words_of_order_there_is_none() -> None:
    assert _parts("list", "all [receipts]{kind}", "invoices").order() is None


def _compared(operation: str, marked: str, schema: str = "invoices") -> SpanParts:
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
    parts = _compared("compare/greatest", marked)

    sides = sides_of(parts)

    assert sides is not None
    assert [parts.text(each) for each in sides.own] == own
    assert [parts.text(each) for each in sides.shared] == shared


def test_one_thing_has_no_sides() -> None:
    assert sides_of(_compared("compare/values", "compare [the tax]{?tax} of [A-1]{doc}")) is None


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
    parts = _compared(operation, f"{asked} of [Acme]{{party}} or [Bolt]{{party}}")
    sides = sides_of(parts)
    assert sides is not None

    steps = side_steps(parts, sides, 3)

    assert [each.id for each in steps] == ["s3", "s4"]
    assert {each.function for each in steps} == {function}
    assert {each.operation for each in steps} == {
        Operation.COUNT if function is Function.COUNT else Operation.COMPUTE
    }


def test_shares_of_sides_stand_beside_each_other() -> None:
    parts = _compared("compare/share", "[a date]{+due_date} and [a discount]{+discount}")
    sides = sides_of(parts)
    assert sides is not None

    assert {each.function for each in side_steps(parts, sides, 1)} == {Function.SHARE}
    assert outcome_of("share") is Outcome.VALUES
    assert outcome_of("ratio") is Outcome.RATIO
    assert outcome_of("avg") is Outcome.VALUES
