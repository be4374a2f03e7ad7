from __future__ import annotations

import pytest

from core.domain.fields import FieldType, Special
from core.domain.results import Documents, Groups
from core.errors import UsageError
from core.plan.ir.nodes import Aggregate
from tests.support.operating import Desk, condition, select
from tests.support.stated_values import absent, day, money, present, special, text, uncertain


def computed(desk: Desk, over: object, function: str, field: str = "", **changes: object) -> Groups:
    given: dict[str, object] = {
        "id": "g",
        "purpose": "p",
        "inputs": ("x",),
        "function": function,
        "field": field,
    }
    found = desk.run(Aggregate.model_validate(given | changes), {"x": over})  # type: ignore[dict-item]
    assert isinstance(found, Groups)
    return found


@pytest.fixture
def deals(desk: Desk) -> Desk:
    desk.put("a", law=present(text("Texas")), fee=present(money("0.10")), end=present(day("2024-11-01")))
    desk.put("b", law=present(text("Texas")), fee=present(money("0.20")), end=present(day("2024-12-31")))
    desk.put("c", law=present(text("Iowa")), fee=present(money("0.25")), end=present(day("2025-01-01")))
    desk.put("d", law=present(text("Iowa")), fee=absent())
    desk.put("e", law=uncertain(), fee=uncertain())
    desk.put("f", law=absent(), fee=present(special(FieldType.MONEY, Special.BLANK)))
    desk.fail("g")
    return desk


def everything(desk: Desk) -> Documents:
    found = desk.run(select())
    assert isinstance(found, Documents)
    return found


def test_a_sum_is_exact_and_says_who_took_part(deals: Desk) -> None:
    found = computed(deals, everything(deals), "sum", "fee")
    (group,) = found.groups
    assert (group.value, group.unit, group.rows) == ("0.55", "USD", 3)
    assert deals.names(frozenset(group.documents)) == ["a", "b", "c"]
    assert deals.parts(found.documents) == (["a", "b", "c"], ["d"], ["e", "f"], ["g"])
    assert found.documents.unknown[deals.ids["f"]].reason == "no value to compute with"
    assert set(found.excluded) == {("fee", "blank", 1), ("fee", "missing", 1), ("fee", "uncertain", 1)}


def test_counting_documents_counts_those_present(deals: Desk) -> None:
    found = computed(deals, everything(deals), "count")
    assert (found.groups[0].value, found.rows) == ("6", 6)
    assert deals.parts(found.documents) == (["a", "b", "c", "d", "e", "f"], [], [], ["g"])
    assert computed(deals, Documents(), "count").groups[0].value == "0"


def test_groups_carry_their_documents_and_what_has_no_group_leaves(deals: Desk) -> None:
    found = computed(deals, everything(deals), "count", group_by=("law",))
    assert [(group.key, group.value, deals.names(frozenset(group.documents))) for group in found.groups] == [
        (("Iowa",), "2", ["c", "d"]),
        (("Texas",), "2", ["a", "b"]),
    ]
    assert deals.parts(found.documents) == (["a", "b", "c", "d"], ["f"], ["e"], ["g"])


def test_the_first_groups_are_kept_with_ties(deals: Desk) -> None:
    everybody = everything(deals)
    assert len(computed(deals, everybody, "count", group_by=("law",), top=1).groups) == 2
    found = computed(deals, everybody, "sum", "fee", group_by=("law",), top=1)
    assert [(group.key, group.value) for group in found.groups] == [(("Texas",), "0.3")]
    least = computed(deals, everybody, "sum", "fee", group_by=("law",), top=1, descending=False)
    assert [group.key for group in least.groups] == [("Iowa",)]


def test_dates_are_grouped_by_quarter(deals: Desk) -> None:
    found = computed(deals, everything(deals), "sum", "fee", group_by=("end.quarter",))
    assert [(group.key, group.value) for group in found.groups] == [
        (("2024-Q4",), "0.3"),
        (("2025-Q1",), "0.25"),
    ]


def test_what_is_not_in_the_currency_of_most_is_left_out_by_name(deals: Desk) -> None:
    before = computed(deals, everything(deals), "max", "fee")
    deals.put("h", fee=present(money("10", "EUR")))
    found = computed(deals, everything(deals), "max", "fee")
    assert found.groups == before.groups
    assert "h" in deals.names(found.documents.uncertain)
    why = found.documents.unknown[deals.ids["h"]]
    assert (why.field, why.reason, why.value) == ("fee", "in EUR, not in USD", "10 EUR")


def test_currencies_of_which_none_leads_stand_each_by_itself_unless_rates_are_given(deals: Desk) -> None:
    for source, fee in (("h", "10"), ("i", "0"), ("j", "0")):
        deals.put(source, fee=present(money(fee, "EUR")))
    everybody = everything(deals)
    apart = computed(deals, everybody, "sum", "fee")
    assert apart.group_by == ("fee.unit",)
    assert [(each.unit, each.rows) for each in apart.groups] == [("EUR", 3), ("USD", 3)]
    found = computed(deals, everybody, "sum", "fee", rates={"EUR": "1.1"}, into="USD")
    assert (found.groups[0].value, found.groups[0].unit) == ("11.55", "USD")
    with pytest.raises(UsageError, match="no positive number"):
        computed(deals, everybody, "sum", "fee", rates={"EUR": "x"}, into="USD")
    with pytest.raises(UsageError, match="no common order"):
        computed(deals, everybody, "sum", "fee", group_by=("fee.unit",), top=1)


def test_only_the_documents_of_the_input_are_computed_with(deals: Desk) -> None:
    some = deals.run(select(condition("law", "=", "Texas")))
    found = computed(deals, some, "max", "fee")
    assert found.groups[0].value == "0.2"
    assert deals.parts(found.documents) == (["a", "b"], ["c", "d", "f"], ["e"], ["g"])


def test_without_documents_there_is_nothing_to_compute_over(desk: Desk) -> None:
    with pytest.raises(UsageError, match="no documents to compute over"):
        desk.run(Aggregate.model_validate({"id": "g", "purpose": "p", "function": "count"}))
