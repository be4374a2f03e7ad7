"""Headers of invented tables: the plain words of their columns, and what these are good for."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.domain.fields import FieldType
from core.plan.catalogue import ColumnEntry, TableEntry
from core.plan.tables.header import ColumnKind, ColumnWords, columns_of, is_short_of_other, plain_words
from tests.support.table_catalogue import LEAGUE, ORDERS, days, money, numbers, texts


def column(entry: ColumnEntry, rows: int = 4) -> ColumnWords:
    return columns_of(TableEntry((entry,), ("d",), rows=rows))[0]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("custNo.", ("customer", "number")),
        ("Price (EUR)", ("price",)),
        ("Amount USD", ("amount",)),
        ("emp_name", ("employee", "name")),
        ("DOB", ("date", "of", "birth")),
        ("Orders", ("order",)),
    ],
)
def test_a_header_is_read_in_plain_words(name: str, words: tuple[str, ...]) -> None:
    assert plain_words(name) == words


def test_a_header_of_nothing_but_a_unit_keeps_it() -> None:
    assert plain_words("(kg)") == ("kg",)
    assert plain_words("EUR") == ("eur",)
    assert plain_words("%") == ("%",)


def test_a_header_without_letters_has_no_words_but_its_name() -> None:
    nameless = column(numbers("***", 4, "2", "5"))
    assert nameless.words == ()
    assert nameless.name == "***"


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        (texts("Paid", 4, "yes", "no"), ColumnKind.FLAG),
        (ColumnEntry("Paid", FieldType.BOOLEAN, rows=4), ColumnKind.FLAG),
        (days("Due", 4, "2024-01-01", "2024-03-01"), ColumnKind.DAY),
        (texts("Period", 4, "Jan 2024", "Feb 2024"), ColumnKind.PERIOD),
        (texts("Period", 4, "Q1 2024", "H2"), ColumnKind.PERIOD),
        (texts("Voucher", 4, "V-1", "V-2", "V-3", "V-4"), ColumnKind.IDENTITY),
        (texts("Customer ID", 4, "C-01", "C-02"), ColumnKind.IDENTITY),
        (texts("Team", 4, "Rovers", "United", "Albion", "City"), ColumnKind.NAME),
        (texts("City", 4, "Graz", "Porto"), ColumnKind.CATEGORY),
        (money("Net", 4, "EUR"), ColumnKind.MEASURE),
    ],
)
def test_a_column_is_of_the_kind_that_its_values_say(entry: ColumnEntry, kind: ColumnKind) -> None:
    assert column(entry).kind is kind


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        (numbers("Year", 4, "1950", "2020"), ColumnKind.YEAR),
        (numbers("Built", 4, "1950", "2020"), ColumnKind.YEAR),
        (numbers("Cost", 4, "1950", "2020"), ColumnKind.MEASURE),
        (numbers("Depth", 4, "1950", "2020", unit="m"), ColumnKind.MEASURE),
        (numbers("Rank", 4, "1", "9"), ColumnKind.PLACE),
        (numbers("Goals", 4, "1", "2", "3", "4"), ColumnKind.PLACE),
        (numbers("Goals", 4, "3", "1", "7"), ColumnKind.MEASURE),
        (numbers("Employee no", 4, "4711", "9812"), ColumnKind.IDENTITY),
        (numbers("No of seats", 4, "20", "50"), ColumnKind.MEASURE),
    ],
)
def test_numbers_are_years_places_codes_or_amounts(entry: ColumnEntry, kind: ColumnKind) -> None:
    assert column(entry).kind is kind


def test_texts_of_which_not_all_are_known_are_no_flag_and_no_name() -> None:
    some = ColumnEntry("Paid", FieldType.TEXT, rows=4, texts=("yes", "no"), is_whole=False)
    assert column(some).kind is ColumnKind.CATEGORY


def test_the_unit_of_a_column_is_that_of_its_values_or_of_its_name() -> None:
    assert column(money("Net", 4, "EUR")).unit == "eur"
    assert column(numbers("Weight [kg]", 4, "3", "5")).unit == "kg"
    assert column(texts("City", 4, "Graz")).unit == ""


def test_single_letters_are_games_only_in_a_table_of_games() -> None:
    assert [each.name for each in columns_of(LEAGUE)] == ["position", "team", "won", "lost", "points"]
    assert column(numbers("W", 4, "7", "2")).words == ("w",)


def test_columns_know_their_place_and_how_they_are_compared() -> None:
    found = {each.key: each for each in columns_of(ORDERS)}
    assert [each.place for each in found.values()] == list(range(len(ORDERS.columns)))
    assert found["qty"].is_number
    assert not found["qty"].is_text
    assert found["status"].is_text
    assert not found["closed"].is_text
    assert found["amount (eur)"].entry.low == Decimal(10)


def test_a_first_column_that_goes_on_from_one_to_the_next_numbers_rows() -> None:
    found = tuple(str(each) for each in range(701, 709))
    table = TableEntry((numbers("Dkt", 8, *found), numbers("kg", 8, *found)), ("d1",), rows=8)
    dockets, kilos = columns_of(table)
    assert (dockets.kind, kilos.kind) == (ColumnKind.IDENTITY, ColumnKind.MEASURE)
    assert kilos.unit == "kg"


def test_a_known_short_form_is_of_no_other_word() -> None:
    assert is_short_of_other("wt", "worst")
    assert not is_short_of_other("wt", "weight")
    assert not is_short_of_other("dkt", "docket")
