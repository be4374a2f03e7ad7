"""Values made of two columns of a row."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.domain.annotation import AggregateResult, Calculation
from core.domain.fields import MONEY_SCALE, NUMBER_SCALE, FieldType, TypedValue
from core.domain.results import Rows
from core.errors import UsageError
from core.plan.ir.node import Combined, ComputationNode
from core.plan.ir.nodes import Aggregate
from core.plan.operators.base import OperatorParts
from core.plan.operators.joined_groups import combined_value, joined_groups, quotients
from core.store.database.visibility import Visibility
from core.store.query.derived import RankedValue
from tests.support.operating import ASKING, Desk, NoIndex, values_in
from tests.support.stated_values import day, money, row


def number(text: str, unit: str = "") -> RankedValue:
    return RankedValue("d", FieldType.NUMBER, unit, int(Decimal(text).scaleb(NUMBER_SCALE)), text, "")


def ranked_money(text: str, unit: str) -> RankedValue:
    return RankedValue("d", FieldType.MONEY, unit, int(Decimal(text).scaleb(MONEY_SCALE)), text, "")


def ranked_day(text: str) -> RankedValue:
    return RankedValue("d", FieldType.DATE, "", 0, text, "")


@pytest.mark.parametrize(
    ("how", "one", "other", "value", "unit"),
    [
        ("less", ranked_money("100", "EUR"), ranked_money("40.5", "EUR"), "59.5", "EUR"),
        ("less", ranked_day("2024-03-11"), ranked_day("2024-01-29"), "42", "days"),
        ("times", number("18.5", "kg/hl"), number("15", "hl"), "277.5", "kg"),
        ("times", ranked_money("2", "EUR"), number("3"), "6", "EUR"),
        ("per", number("52", "l"), number("200", "km"), "0.26", "l/km"),
    ],
)
def test_two_values_are_combined(
    how: Combined, one: RankedValue, other: RankedValue, value: str, unit: str
) -> None:
    found = combined_value(how, one, other)
    assert found is not None
    assert (Decimal(found.text), found.unit) == (Decimal(value), unit)


@pytest.mark.parametrize(
    ("how", "one", "other"),
    [
        ("less", ranked_money("1", "EUR"), ranked_money("1", "USD")),
        ("per", number("1"), number("0")),
        ("times", ranked_day("2024-01-01"), number("2")),
        ("less", None, number("2")),
    ],
)
def test_what_has_nothing_in_common_comes_to_nothing(
    how: Combined, one: RankedValue | None, other: RankedValue | None
) -> None:
    assert combined_value(how, one, other) is None


def test_a_sum_of_quotients_is_that_of_both_sums() -> None:
    node = ComputationNode(
        id="a", purpose="", function=Calculation.SUM, field="l", combined="per", other="km", scale=100
    )
    ones, others = [number("52", "l"), number("60", "l"), None], [number("200", "km")] * 3
    (found,) = quotients(node, {("x",): [0, 1, 2]}, ones, others)
    assert (found.value, found.unit, found.rows) == (Decimal(28), "l/100 km", 2)


def test_amounts_in_several_units_are_never_added_up() -> None:
    node = ComputationNode(
        id="a", purpose="", function=Calculation.SUM, field="paid", combined="per", other="km", scale=1
    )
    ones, others = [ranked_money("5", "EUR"), ranked_money("7", "USD")], [number("2", "km")] * 2
    (found,) = quotients(node, {("x",): [0, 1]}, ones, others)
    assert (found.value, found.unit) == (None, "")
    assert combined_value("less", number("500", "kg"), number("100", "lb")) is None


@pytest.mark.parametrize(("how", "value"), [("rest", "100"), ("plus", "100")])
def test_what_is_not_there_takes_nothing_away_and_adds_nothing(how: Combined, value: str) -> None:
    found = combined_value(how, ranked_money("100", "EUR"), None)
    assert found is not None
    assert found.text == value
    assert combined_value(how, None, None) is None


def test_two_columns_are_added_up() -> None:
    found = combined_value("plus", number("14.5", "kg"), number("18.2", "kg"))
    assert found is not None
    assert (Decimal(found.text), found.unit) == (Decimal("32.7"), "kg")


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
    everything = Visibility.everything()
    parts = OperatorParts(desk.records, NoIndex(), lambda _visible: ASKING, values_in, everything)
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
