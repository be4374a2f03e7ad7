"""Computation over rows of orders that go with rows of their customers."""

from __future__ import annotations

import pytest

from core.domain.annotation import AggregateResult
from core.domain.fields import TypedValue
from core.domain.results import Rows
from core.errors import UsageError
from core.plan.ir.nodes import Aggregate
from core.retrieval.operators.base import OperatorParts
from core.retrieval.operators.joined_groups import joined_groups
from tests.support.operating import ASKING, Desk, NoIndex, values_in
from tests.support.stated_values import day, money, row

ORDERS = (
    row(0, 0, Customer="C-1", Net=money("10", "EUR"), Due=day("2024-05-01")),
    row(0, 1, Customer="C-2", Net=money("20", "EUR"), Due=day("2024-05-09")),
    row(0, 2, Customer="C-1", Net=money("5", "EUR"), Due=day("2024-08-01")),
    row(0, 3, Customer="C-2", Net="free", Due=day("2024-08-02")),
)
CUSTOMERS = (row(1, 0, Code="C-1", City="Graz"), row(1, 1, Code="C-2", City="Porto"))


@pytest.fixture
def book(desk: Desk) -> Desk:
    desk.put("book", rows=(*ORDERS, *CUSTOMERS))
    return desk


def joined(desk: Desk, *pairs: tuple[int, int | None]) -> Rows:
    """Orders with the customer beside each; None: with none."""
    id = desk.ids["book"]
    return Rows(
        picked=tuple(f"{id}|0|{at}" for at, _ in pairs),
        partners=tuple("" if other is None else f"{id}|1|{other}" for _, other in pairs),
        total=len(pairs),
    )


ALL = ((0, 0), (1, 1), (2, 0), (3, 1))


def computed(
    desk: Desk, function: str, field: str = "", *group_by: str, rows: Rows | None = None
) -> AggregateResult:
    node = Aggregate.model_validate(
        {
            "id": "g",
            "purpose": "p",
            "inputs": ("x",),
            "function": function,
            "field": field,
            "group_by": group_by,
        }
    )
    parts = OperatorParts(desk.records, NoIndex(), lambda _visible: ASKING, values_in)
    return joined_groups(node, joined(desk, *ALL) if rows is None else rows, parts)


def told(found: AggregateResult) -> list[tuple[tuple[str, ...], str, int]]:
    """Key, value and number of rows of each group."""
    return [(group.key, str(group.value), group.rows) for group in found.groups]


def test_values_of_one_table_are_added_up_by_a_column_of_the_other(book: Desk) -> None:
    assert told(computed(book, "sum", "net", "city")) == [(("Graz",), "15", 2), (("Porto",), "20", 1)]


def test_rows_are_counted_by_columns_of_both(book: Desk) -> None:
    assert told(computed(book, "count", "", "customer", "city")) == [
        (("C-1", "Graz"), "2", 2),
        (("C-2", "Porto"), "2", 2),
    ]


def test_different_values_are_counted_once(book: Desk) -> None:
    (group,) = computed(book, "distinct", "city").groups
    assert (str(group.value), group.rows) == ("2", 4)


def test_counting_a_field_counts_the_rows_that_have_it(book: Desk) -> None:
    (group,) = computed(book, "count", "city", rows=joined(book, (0, 0), (1, None))).groups
    assert str(group.value) == "1"


def test_days_are_grouped_by_quarter_month_and_year(book: Desk) -> None:
    assert [key for key, _, _ in told(computed(book, "count", "", "due.quarter"))] == [
        ("2024-Q2",),
        ("2024-Q3",),
    ]
    assert [key for key, _, _ in told(computed(book, "count", "", "due.month"))] == [
        ("2024-05",),
        ("2024-08",),
    ]
    assert [key for key, _, _ in told(computed(book, "count", "", "due.year"))] == [("2024",)]


def test_a_row_without_a_partner_has_no_group(book: Desk) -> None:
    found = computed(book, "sum", "net", "city", rows=joined(book, (0, 0), (1, None)))
    assert told(found) == [(("Graz",), "10", 1)]
    assert [(each.field, each.reason, each.rows) for each in found.excluded] == [("city", "missing", 1)]
    assert found.scope == 2


def test_a_word_among_amounts_takes_no_part_and_is_told(book: Desk) -> None:
    found = computed(book, "sum", "net")
    assert told(found) == [((), "35", 3)]
    assert [(each.field, each.reason, each.rows) for each in found.excluded] == [("net", "not a number", 1)]


def test_the_average_the_median_and_the_ends_are_of_the_amounts(book: Desk) -> None:
    values = {how: told(computed(book, how, "net"))[0][1] for how in ("avg", "median", "min", "max")}
    assert {how: value[:5] for how, value in values.items()} == {
        "avg": "11.66",
        "median": "10",
        "min": "5",
        "max": "20",
    }


def test_dates_have_ends_and_no_sum(book: Desk) -> None:
    assert told(computed(book, "max", "due"))[0][1:] == ("2024-08-02", 4)
    with pytest.raises(UsageError, match="holds dates, which have no sum"):
        computed(book, "sum", "due")


def test_no_rows_have_one_empty_sum_and_no_groups(book: Desk) -> None:
    assert [
        (group.key, group.value, group.rows) for group in computed(book, "sum", "net", rows=Rows()).groups
    ] == [((), None, 0)]
    assert computed(book, "sum", "net", "city", rows=Rows()).groups == ()


def test_groups_say_of_which_documents_they_are(book: Desk) -> None:
    found = computed(book, "count", "", "city")
    assert [book.names(each) for each in found.members] == [["book"], ["book"]]


def test_currencies_are_groups_of_their_own_where_they_are_asked_for(desk: Desk) -> None:
    value: TypedValue = money("7", "USD")
    desk.put("book", rows=(ORDERS[0], row(0, 1, Customer="C-2", Net=value), *CUSTOMERS))
    rows = joined(desk, (0, 0), (1, 1))
    assert told(computed(desk, "sum", "net", "net.unit", rows=rows)) == [
        (("EUR",), "10", 1),
        (("USD",), "7", 1),
    ]
    with pytest.raises(UsageError):
        computed(desk, "sum", "net", rows=rows)
