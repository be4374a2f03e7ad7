"""Rows of invented tables that add up others."""

from __future__ import annotations

from core.domain.fields import AnnotationRow, TypedValue
from core.extract.totals import mark_totals
from tests.support.stated_values import day, money, number, row


def marked(*rows: AnnotationRow) -> list[int]:
    """The places of the rows that add up others."""
    return [at for at, each in enumerate(mark_totals(rows)) if each.is_total]


def item(at: int, name: str, amount: str) -> AnnotationRow:
    return row(0, at, Item=name, Amount=money(amount))


ITEMS = (item(0, "Oak", "10"), item(1, "Steel", "20"), item(2, "Weld kit", "30"))


def test_a_row_that_says_total_and_adds_up_is_marked() -> None:
    assert marked(*ITEMS, item(3, "Total", "60")) == [3]


def test_a_total_is_marked_in_other_languages_and_in_longer_words() -> None:
    assert marked(*ITEMS, item(3, "Gesamt", "60")) == [3]
    assert marked(*ITEMS, item(3, "Total for May", "60")) == [3]
    assert marked(*ITEMS, item(3, "Grand total", "60")) == [3]


def test_subtotals_add_up_what_stands_since_the_last_one() -> None:
    rows = (
        *ITEMS[:2],
        item(2, "Subtotal", "30"),
        item(3, "Glue", "5"),
        item(4, "Nails", "7"),
        item(5, "Subtotal", "12"),
        item(6, "Total", "42"),
    )
    assert marked(*rows) == [2, 5, 6]


def test_a_tax_between_two_totals_is_no_row_of_data() -> None:
    def line(at: int, name: str, amount: str) -> AnnotationRow:
        return row(0, at, Item=name, Qty=number("2"), Amount=money(amount))

    rows = (line(0, "Oak", "10"), line(1, "Steel", "20"), line(2, "Weld kit", "30"))
    bare = (item(3, "Net", "60"), item(4, "Tax", "6"), item(5, "Due", "66"))
    assert marked(*rows, *bare) == [3, 4, 5]
    named = (item(3, "Total net", "60"), item(4, "VAT 10 %", "6"), item(5, "Total gross", "66"))
    assert marked(*ITEMS, *named) == [3, 4, 5]
    more = (item(3, "Subtotal", "60"), item(4, "Glue", "6"), item(5, "Total", "66"))
    assert marked(*ITEMS, *more) == [3, 5]


def test_a_row_without_a_label_is_a_total_where_it_adds_up_all_above() -> None:
    last = row(0, 3, Amount=money("60"))
    assert marked(*ITEMS, last) == [3]
    assert marked(*ITEMS, row(0, 3, Amount=money("61"))) == []


def test_a_last_row_with_a_name_is_no_total_though_it_would_add_up() -> None:
    assert marked(*ITEMS, item(3, "Crane", "60")) == []


def test_a_thing_that_is_called_total_is_no_total_among_others() -> None:
    rows = (
        row(0, 0, Client="Total Energies", City="Paris", Note="new", Amount=money("10")),
        row(0, 1, Client="Brandt", City="Graz", Note="old", Amount=money("20")),
        row(0, 2, Client="Kite", City="Porto", Note="old", Amount=money("45")),
    )
    assert marked(*rows) == []


def test_an_average_at_the_end_is_marked() -> None:
    assert marked(*(row(0, n, Item=f"Part {n}", Kind="x", Amount=money("10")) for n in range(3)),
                  row(0, 3, Item="Average", Amount=money("10"))) == [3]  # fmt: skip


def test_sums_may_be_rounded_by_a_cent_or_so() -> None:
    rows = tuple(row(0, n, Item=f"Part {n}", Amount=money("3.333")) for n in range(3))
    assert marked(*rows, row(0, 3, Amount=money("10.00"))) == [3]
    assert marked(*rows, row(0, 3, Amount=money("10.10"))) == []


def test_days_and_codes_are_not_added_up() -> None:
    rows = tuple(row(0, n, Day=day(f"2024-01-0{n + 1}"), Item=f"Part {n}") for n in range(3))
    assert marked(*rows) == []


def test_a_total_without_an_amount_is_marked_where_it_leaves_cells_empty() -> None:
    rows = tuple(row(0, n, Item=f"Part {n}", Shelf="A1", Qty=number("3")) for n in range(3))
    assert marked(*rows, row(0, 3, Item="Total")) == [3]


def test_marking_keeps_the_rows_and_no_row_gives_none() -> None:
    found = mark_totals((*ITEMS, item(3, "Total", "60")))
    assert [each.cells for each in found] == [each.cells for each in (*ITEMS, item(3, "Total", "60"))]
    assert mark_totals(()) == []


def test_one_row_alone_adds_up_nothing() -> None:
    value: TypedValue = money("60")
    assert marked(row(0, 0, Amount=value)) == []


def test_a_row_of_one_word_that_adds_up_all_above_is_marked() -> None:
    items = [
        row(0, at, Item="Oak", Buyer="Aldo", Amount=money(each)) for at, each in enumerate(("1", "2", "3"))
    ]
    assert marked(*items, row(0, 3, Item="Qtr", Amount=money("6"))) == [3]
    assert marked(*items, row(0, 3, Item="Qtr", Amount=money("7"))) == []
