"""Amounts in one currency: exact, by dated rates or the latest, and what has no rate left out and counted."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pytest

from core.domain.results import Comparison, Documents, Groups, Result
from core.errors import UsageError
from core.plan.ir.nodes import Aggregate, Compare
from core.values.accounting import read_rate
from tests.support.operating import Desk, select
from tests.support.stated_values import day, money, present, text

RATES = (("USD", "0.9", "2024-01-01"), ("USD", "0.8", "2024-07-01"), ("GBP", "1.2", "2024-01-01"))


def set_rates(desk: Desk, base: str = "EUR", dated_by: Sequence[str] = ()) -> None:
    desk.records.accounting.choose("ann", base=base, dated_by=dated_by)
    desk.records.accounting.put([read_rate(c, r, d, "Bank") for c, r, d in RATES if c != base], "ann")


@pytest.fixture
def deals(desk: Desk) -> Desk:
    stated = (
        ("a", "100", "EUR", "2024-03-01"),
        ("b", "100.01", "USD", "2024-03-01"),
        ("c", "10", "USD", "2025-01-01"),
        ("d", "5", "JPY", "2024-03-01"),
        ("e", "40", "GBP", "2023-05-05"),
    )
    for name, amount, unit, at in stated:
        desk.put(name, law=present(text("Texas")), fee=present(money(amount, unit)), end=present(day(at)))
    desk.put("f", law=present(text("Iowa")), fee=present(money("1", "USD")))
    return desk


def everything(desk: Desk) -> Documents:
    found = desk.run(select())
    assert isinstance(found, Documents)
    return found


def computed(desk: Desk, function: str = "sum", into: str = "EUR", **changes: object) -> Groups:
    given: dict[str, object] = {"id": "g", "purpose": "p", "inputs": ("x",), "function": function}
    node = Aggregate.model_validate(given | {"field": "fee", "into": into} | changes)
    found: Result = desk.run(node, {"x": everything(desk)})  # type: ignore[assignment]
    assert isinstance(found, Groups)
    return found


def test_a_sum_in_one_currency_names_its_parts_rates_and_what_had_none(deals: Desk) -> None:
    set_rates(deals)
    found = computed(deals)
    (group,) = found.groups
    # 100 + (100.01 + 10 + 1) * .8 + 40 * 1.2
    assert (group.value, group.unit, group.rows) == ("236.81", "EUR", 5)
    assert [(p.unit, Decimal(p.value), p.converted, p.rows) for p in group.parts] == [
        ("EUR", 100, "100.00", 1),
        ("GBP", 40, "48.00", 1),
        ("USD", Decimal("111.01"), "88.81", 3),
    ]
    assert found.conversion is not None
    used = [(e.currency, e.rate, e.day, e.source) for e in found.conversion.rates]
    assert used == [("GBP", "1.2", "2024-01-01", "Bank"), ("USD", "0.8", "2024-07-01", "Bank")]
    assert found.excluded == (("fee", "in JPY, for which there is no rate", 1),)
    assert deals.parts(found.documents)[:3] == (["a", "b", "c", "e", "f"], [], ["d"])
    unknown = found.documents.unknown[deals.ids["d"]]
    assert (unknown.reason, unknown.value) == ("in JPY, for which there is no rate", "5 JPY")


def test_dated_amounts_take_the_latest_rate_at_or_before_their_day(deals: Desk) -> None:
    set_rates(deals, dated_by=("start", "end"))
    found = computed(deals)
    # 100 + 100.01 * .9 + 10 * .8, and what has no day by the latest; GBP had no rate in 2023
    assert found.groups[0].value == "198.81"
    assert found.conversion is not None
    assert found.conversion.undated == 1
    assert ("fee", "in GBP, of a day before the first rate", 1) in found.excluded
    assert found.documents.unknown[deals.ids["e"]].reason == "in GBP, of a day before the first rate"


@pytest.mark.parametrize(
    ("function", "value"), [("avg", "47.36"), ("min", "0.80"), ("max", "100.00"), ("median", "48.00")]
)
def test_other_figures_are_converted_before_they_are_computed(deals: Desk, function: str, value: str) -> None:
    set_rates(deals)
    assert computed(deals, function).groups[0].value == value


def test_another_currency_than_the_base_is_reached_through_it(deals: Desk) -> None:
    set_rates(deals)
    found = computed(deals, into="USD", group_by=("law",))
    assert [(g.key, g.value, g.unit) for g in found.groups] == [
        (("Iowa",), "1.00", "USD"),
        (("Texas",), "295.01", "USD"),
    ]
    set_rates(deals, dated_by=("start", "end"))
    assert computed(deals, into="GBP", group_by=("law",)).groups[1].value == "205.01"


def test_without_a_rate_of_the_currency_nothing_is_added(deals: Desk) -> None:
    with pytest.raises(UsageError, match="no exchange rate of 'EUR'"):
        computed(deals)
    set_rates(deals)
    with pytest.raises(UsageError, match="no exchange rate of 'JPY'"):
        computed(deals, into="JPY")


def test_rates_of_another_base_do_not_hold(deals: Desk) -> None:
    set_rates(deals)
    deals.records.accounting.choose("ann", base="CHF", dated_by=())
    with pytest.raises(UsageError, match="no exchange rate"):
        computed(deals)
    deals.records.accounting.choose("ann", base="EUR", dated_by=())
    assert computed(deals).groups[0].value == "236.81"


def test_documents_are_ordered_by_what_their_amounts_are_worth(deals: Desk) -> None:
    set_rates(deals)
    found = deals.run(select(order_by="fee", into="EUR", descending=True, limit=2))
    assert isinstance(found, Documents)
    assert found.conversion is not None
    assert list(found.order) == [deals.ids["a"], deals.ids["b"]]
    assert found.conversion.amounts[deals.ids["b"]] == "80.01"
    assert found.unknown[deals.ids["d"]].reason == "in JPY, for which there is no rate"


def test_sides_are_compared_in_one_currency(deals: Desk) -> None:
    set_rates(deals)
    node = Compare(
        id="c",
        purpose="p",
        inputs=("x", "y"),
        labels=("X", "Y"),
        fields=("fee",),
        function="sum",
        outcome="difference",
        into="EUR",
    )
    a, b = (Documents(present=frozenset({deals.ids[name]})) for name in "ab")
    found = deals.run(node, {"x": a, "y": b})
    assert isinstance(found, Comparison)
    assert found.outcome is not None
    assert found.conversion is not None
    assert (found.outcome.text, found.outcome.unit) == ("19.99", "EUR")
