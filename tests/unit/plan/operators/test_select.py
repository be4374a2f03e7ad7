from __future__ import annotations

from typing import Any

import pytest

from core.domain.fields import FieldType, Special
from core.domain.results import Documents, FoundValue, Group, Groups
from core.errors import UsageError
from core.plan.ir.nodes import Choice, Scope
from tests.support.operating import Desk, condition, select
from tests.support.stated_values import absent, day, money, present, special, text, uncertain


@pytest.fixture
def deals(desk: Desk) -> Desk:
    desk.put("a", law=present(text("Delaware")), fee=present(money("100")), end=present(day("2024-10-01")))
    desk.put("b", law=present(text("Texas")), fee=present(money("300")), end=present(day("2024-12-31")))
    desk.put("c", law=absent(), fee=present(money("300")), end=present(day("2025-02-01")))
    desk.put("d", law=uncertain(), fee=absent(), end=uncertain())
    desk.fail("e")
    return desk


def test_documents_fall_into_four_parts_that_make_the_scope(deals: Desk) -> None:
    found = deals.run(select(condition("law", "=", "delaware")))
    assert deals.parts(found) == (["a"], ["b", "c"], ["d"], ["e"])
    assert isinstance(found, Documents)
    assert {deals.names([id])[0]: why.reason for id, why in found.unknown.items()} == {
        "d": "uncertain",
        "e": "unreadable",
    }


def test_lacking_is_as_certain_as_having(deals: Desk) -> None:
    assert deals.parts(deals.run(select(condition("law", "is-missing")))) == (["c"], ["a", "b"], ["d"], ["e"])
    assert deals.parts(deals.run(select(condition("law", "is", "present")))) == (
        ["a", "b"],
        ["c"],
        ["d"],
        ["e"],
    )


def test_what_one_condition_rules_out_needs_no_other(deals: Desk) -> None:
    found = deals.run(select(condition("law", "=", "Texas"), condition("fee", ">", "1 USD")))
    assert deals.parts(found) == (["b"], ["a", "c", "d"], [], ["e"])


def test_one_of_several_conditions_is_enough(deals: Desk) -> None:
    either = Choice(any_of=(condition("law", "=", "Texas"), condition("end", ">", "2025-01-01")))
    found = deals.run(select().model_copy(update={"conditions": (either,)}))
    assert deals.parts(found) == (["b", "c"], ["a"], ["d"], ["e"])


@pytest.mark.parametrize("written", ["2024-12-31", "December 31, 2024", "31 Dec 2024"])
def test_values_may_be_written_as_in_documents(deals: Desk, written: str) -> None:
    assert deals.parts(deals.run(select(condition("end", "=", written))))[0] == ["b"]


def test_an_input_narrows_and_keeps_what_it_could_not_decide(deals: Desk) -> None:
    ids = deals.ids
    earlier = Documents(
        present=frozenset({ids["a"], ids["b"]}), absent=frozenset({ids["c"]}), uncertain=frozenset({ids["d"]})
    )
    found = deals.run(select(condition("fee", ">=", "300 USD"), inputs=("x",)), {"x": earlier})
    assert deals.parts(found) == (["b"], ["a", "d"], [], [])
    found = deals.run(select(condition("end", ">", "2024-01-01"), inputs=("x",)), {"x": earlier})
    assert deals.parts(found) == (["a", "b"], [], ["d"], [])


def test_a_condition_compares_with_what_another_node_found(deals: Desk) -> None:
    node = select(condition("fee", ">", {"from": "x"}), inputs=("x",))
    value = FoundValue(kind="money", text="100", unit="USD")
    assert deals.parts(deals.run(node, {"x": value}))[0] == ["b", "c"]
    groups = Groups(
        function="min",
        field="fee",
        value_type="money",
        groups=(Group(key=(), value="100", unit="USD", rows=1),),
    )
    assert deals.parts(deals.run(node, {"x": groups}))[0] == ["b", "c"]


def test_a_reference_to_several_values_is_refused(deals: Desk) -> None:
    two = tuple(Group(key=(name,), value="1", unit="USD", rows=1) for name in "ab")
    groups = Groups(function="sum", field="fee", group_by=("law",), groups=two)
    with pytest.raises(UsageError, match="'x' gives 2 values"):
        deals.run(select(condition("fee", ">", {"from": "x"}), inputs=("x",)), {"x": groups})


def test_the_first_are_kept_with_all_that_are_equal_to_the_last(deals: Desk) -> None:
    found = deals.run(select(order_by="fee", descending=True, limit=1))
    assert deals.parts(found) == (["b", "c"], ["a", "d"], [], ["e"])
    assert isinstance(found, Documents)
    assert deals.names(found.order) == ["b", "c"]


@pytest.mark.parametrize(
    ("order", "chosen", "others"),
    [
        ({"order_by": "end", "limit": 1, "skip": 1}, ["b"], ["a", "c"]),
        ({"order_by": "end", "descending": True, "limit": 2, "skip": 1}, ["a", "b"], ["c"]),
        ({"order_by": "fee", "descending": True, "limit": 1, "skip": 1}, ["a"], ["b", "c", "d"]),
        ({"order_by": "end", "skip": 2}, ["c", "d"], ["a", "b"]),
        ({"limit": 1, "skip": 1}, ["b"], ["a", "c", "d"]),
        ({"skip": 3}, ["d"], ["a", "b", "c"]),
    ],
)
def test_a_place_in_an_order_leaves_out_what_comes_before(
    deals: Desk, order: dict[str, Any], chosen: list[str], others: list[str]
) -> None:
    assert deals.parts(deals.run(select(**order)))[:2] == (chosen, others)


def test_without_a_comparable_value_a_document_leaves_by_what_is_known(deals: Desk) -> None:
    deals.put("f", fee=present(special(FieldType.MONEY, Special.BLANK)))
    found = deals.run(select(order_by="end", limit=2))
    assert deals.parts(found) == (["a", "b"], ["c"], ["d", "f"], ["e"])
    found = deals.run(select(order_by="fee", limit=1))
    assert deals.parts(found) == (["a"], ["b", "c", "d"], ["f"], ["e"])


def test_an_order_alone_drops_nothing(deals: Desk) -> None:
    found = deals.run(select(order_by="end", descending=True))
    assert isinstance(found, Documents)
    assert deals.names(found.order) == ["c", "b", "a", "d"]


def test_amounts_in_several_currencies_of_which_none_is_that_of_most_have_no_order(deals: Desk) -> None:
    for source in ("f", "g", "h"):
        deals.put(source, fee=present(money("7", "EUR")))
    with pytest.raises(UsageError, match=r"EUR \(3\), USD \(3\)"):
        deals.run(select(order_by="fee", limit=1))


def test_an_order_is_that_of_the_currency_of_most_and_leaves_open_what_is_in_another(deals: Desk) -> None:
    deals.put("f", fee=present(money("7", "EUR")))
    found = deals.run(select(order_by="fee", limit=1))
    assert deals.parts(found) == (["a"], ["b", "c", "d"], ["f"], ["e"])
    assert isinstance(found, Documents)
    why = found.unknown[deals.ids["f"]]
    assert (why.reason, why.value) == ("in EUR, not in USD", "7 EUR")
    assert Documents.model_validate_json(found.model_dump_json()) == found
    chosen = deals.run(select(condition("fee.unit", "=", "USD"), order_by="fee", limit=1))
    assert deals.parts(chosen) == (["a"], ["b", "c", "d", "f"], [], ["e"])


def test_the_currency_of_an_amount_is_a_condition(deals: Desk) -> None:
    deals.put("f", fee=present(money("7", "EUR")))
    other = deals.run(select(condition("fee.unit", "!=", "USD")))
    assert deals.parts(other) == (["f"], ["a", "b", "c", "d"], [], ["e"])
    either = deals.run(select(condition("fee.unit", "in", ("EUR", "CHF"))))
    assert deals.parts(either)[0] == ["f"]
    with pytest.raises(UsageError, match="does not compare units"):
        deals.run(select(condition("fee.unit", ">", "USD")))


def test_the_time_between_two_dates_counts_both_of_them(desk: Desk) -> None:
    desk.put("a", effective_date=present(day("2023-01-01")), end=present(day("2023-12-31")))
    desk.put("b", effective_date=present(day("2023-01-01")), end=present(day("2024-01-01")))
    desk.put("c", effective_date=present(day("2023-01-01")), end=absent())
    desk.put("d", effective_date=present(day("2023-01-01")), end=uncertain())
    desk.fail("e")

    def lasting(op: str, value: object) -> tuple[list[str], list[str], list[str], list[str]]:
        time = condition("end", op, value).model_copy(update={"minus": "effective_date"})
        return desk.parts(desk.run(select(time)))

    assert lasting("=", "P1Y") == (["a"], ["b", "c"], ["d"], ["e"])
    assert lasting("<", "P12M")[0] == []
    assert lasting("<=", "P365D")[0] == ["a"]
    assert lasting(">", "P1Y")[0] == ["b"]
    assert lasting("between", ("P6M", "P1Y"))[0] == ["a"]
    with pytest.raises(UsageError, match="no length of time"):
        lasting("<", "soon")


def test_one_field_is_compared_with_another_of_the_same_document(desk: Desk) -> None:
    desk.put("a", fee=present(money("10")), cap=present(money("5")))
    desk.put("b", fee=present(money("10")), cap=present(money("20")))
    desk.put("c", fee=present(money("10")), cap=absent())
    desk.put("d", fee=present(money("10")), cap=present(money("20", "EUR")))
    found = desk.run(select(condition("cap", ">", {"field": "fee"})))
    assert desk.parts(found) == (["b"], ["a", "c"], ["d"], [])


def test_what_cannot_be_read_is_out_of_a_scope_of_readable_documents(deals: Desk) -> None:
    readable = Scope(buckets=("deals",), schema_name="contracts", readable=True)
    found = deals.run(select(condition("law", "=", "Texas"), scope=readable))
    assert deals.parts(found) == (["b"], ["a", "c"], ["d"], [])


def test_an_amount_in_another_currency_is_not_known_to_fulfil(deals: Desk) -> None:
    deals.put("f", fee=present(money("7", "EUR")))
    found = deals.run(select(condition("fee", "<", "200 USD")))
    assert deals.parts(found) == (["a"], ["b", "c", "d"], ["f"], ["e"])


def test_what_is_kept_of_a_scope_goes_with_a_change_of_the_collection(deals: Desk) -> None:
    node = select(condition("law", "=", "Texas"))
    assert deals.parts(deals.run(node)) == (["b"], ["a", "c"], ["d"], ["e"])
    deals.put("d", page="Second text.", law=present(text("Texas")))
    deals.put("f", law=absent())
    assert deals.parts(deals.run(node)) == (["b", "d"], ["a", "c", "f"], [], ["e"])
