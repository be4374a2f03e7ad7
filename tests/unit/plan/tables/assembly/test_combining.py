"""Columns that are computed together."""

from __future__ import annotations

from core.domain.fields import FieldType
from core.plan.catalogue import ColumnEntry, KnownCatalogue, TableEntry
from core.plan.tables.assembly.combining import (
    both_together,
    compared,
    days_between,
    product,
    remainder,
    takings,
)
from core.plan.tables.vocabulary import TableVocabulary, vocabulary_of
from tests.support.table_catalogue import days, money, numbers, texts, vocabulary


def table(*columns: ColumnEntry) -> TableVocabulary:
    return vocabulary_of(TableEntry(columns, (), rows=4), KnownCatalogue())


def test_days_lie_between_the_earlier_and_the_later_column() -> None:
    words = table(days("Back", 3, "2024-02-01", "2024-03-01"), days("Out", 4, "2024-01-01", "2024-02-01"))
    found = days_between(words, ())
    assert found is not None
    assert (found.measure.entry.name, found.combined.column.entry.name) == ("Back", "Out")


def test_due_less_received_is_left_over() -> None:
    words = table(money("Due (EUR)", 4, "EUR"), money("Rec'd (EUR)", 3, "EUR"))
    found = remainder(words, ())
    assert found is not None
    assert (found.measure.entry.name, found.combined.column.entry.name) == ("Due (EUR)", "Rec'd (EUR)")


def test_amounts_of_other_units_are_not_compared() -> None:
    words = table(numbers("Load (t)", 4, "1", unit="t"), numbers("Max. load (kg)", 4, "1", unit="kg"))
    assert compared(words.columns, ()) is None


def test_a_rate_times_what_it_is_of() -> None:
    words = table(numbers("Malt (kg/hl)", 4, "17", unit="kg/hl"), numbers("Vol (hl)", 4, "20", unit="hl"))
    found = product(words.columns, words.columns[0], ["how", "many", "kilos", "of", "malt"])
    assert found is not None
    assert found.combined.how == "times"
    assert product(words.columns, words.columns[0], ["which", "malt"]) is None


def test_prices_times_pieces_where_there_is_no_total() -> None:
    price = ColumnEntry("Unit price", FieldType.MONEY, "EUR", 4, units=("EUR",))
    assert takings(table(texts("Item", 4, "a", "b"), numbers("Qty", 4, "3"), price)) is not None
    assert takings(table(numbers("Qty", 4, "3"), price, money("Total", 4, "EUR"))) is None


def test_two_columns_of_one_unit_are_added_up() -> None:
    won, lost = vocabulary(3).columns[2:4]
    found = both_together([won, lost])
    assert found is not None
    assert (found.measure, found.combined.how, found.combined.column) == (won, "plus", lost)
    assert both_together([won]) is None
