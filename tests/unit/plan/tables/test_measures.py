"""Columns that a question over a table computes with where it does not name them."""

from __future__ import annotations

import pytest

from core.plan.catalogue import ColumnEntry, KnownCatalogue, TableEntry
from core.plan.tables.measures import (
    adjective_of,
    by_adjective,
    default_measure,
    forms_of,
    given_name,
    is_additive,
    is_rate_name,
    is_unique,
    numeric_of,
    of_class,
    quantity_of,
    text_of,
)
from core.plan.tables.mentions import ColumnMention
from core.plan.tables.vocabulary import TableVocabulary, vocabulary_of
from tests.support.table_catalogue import days, money, numbers, texts, vocabulary


def words_of(*entries: ColumnEntry) -> TableVocabulary:
    return vocabulary_of(TableEntry(entries, ("d",), rows=4), KnownCatalogue())


def test_the_only_column_of_amounts_is_added_up() -> None:
    words = words_of(texts("City", 4, "Graz"), numbers("Visits", 4, "3", "9"))
    assert default_measure(words) is words.columns[1]


def test_money_goes_before_other_numbers() -> None:
    words = vocabulary(0)
    found = default_measure(words)
    assert found is not None
    assert found.entry.name == "Amount (EUR)"


def test_of_several_amounts_the_total_is_added_up() -> None:
    words = words_of(money("Tax", 4, "EUR"), money("Total", 4, "EUR"), money("Net", 4, "EUR"))
    assert default_measure(words) is words.columns[1]


def test_of_several_amounts_without_a_chief_none_is_added_up() -> None:
    assert default_measure(words_of(money("Rent", 4, "EUR"), money("Power", 4, "EUR"))) is None
    assert default_measure(words_of(texts("City", 4, "Graz"))) is None


def test_rates_prices_and_texts_make_no_sum() -> None:
    words = words_of(
        numbers("Visits", 4, "3", "9"),
        numbers("Discount", 4, "3", "9", unit="%"),
        money("Unit price", 4, "EUR"),
        texts("City", 4, "Graz"),
    )
    assert [is_additive(each) for each in words.columns] == [True, False, False, False]


def test_who_when_and_where_ask_for_persons_days_and_places() -> None:
    orders, customers = vocabulary(0), vocabulary(1)
    found = [of_class(orders, "who"), of_class(orders, "when"), of_class(customers, "where")]
    assert [each.entry.name for each in found if each is not None] == ["Customer", "Order Date", "City"]


def test_who_is_the_subject_where_no_column_holds_persons_and_where_is_nothing() -> None:
    words = vocabulary(2)
    assert of_class(words, "who") is words.subject
    assert of_class(words, "where") is None
    assert of_class(words_of(texts("Colour", 4, "red")), "when") is None


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("large", ("large", "larger", "largest")),
        ("heavy", ("heavy", "heavier", "heaviest")),
        ("big", ("big", "bigger", "biggest")),
        ("long", ("long", "longer", "longest")),
    ],
)
def test_an_adjective_has_three_forms(base: str, forms: tuple[str, ...]) -> None:
    assert forms_of(base) == forms


def test_an_adjective_is_known_in_each_of_its_forms() -> None:
    for word in ("heavy", "heavier", "heaviest"):
        line = adjective_of(word)
        assert line is not None
        assert line[0] == "heavy"
    assert adjective_of("purple") is None


def test_an_adjective_names_the_column_that_it_is_of() -> None:
    words = words_of(
        texts("Crate", 4, "A", "B", "C"), numbers("Weight", 4, "3", "9"), money("Price", 4, "EUR")
    )
    assert by_adjective(words, "heaviest") == (words.columns[1], True)
    assert by_adjective(words, "lightest") == (words.columns[1], False)
    assert by_adjective(words, "cheapest") == (words.columns[2], False)
    assert by_adjective(words, "purple") == (None, True)


def test_the_oldest_was_born_first_and_has_most_years() -> None:
    born = words_of(texts("Player", 4, "Kim"), days("Date of birth", 4, "1990-01-01", "2004-01-01"))
    aged = words_of(texts("Player", 4, "Kim"), numbers("Age", 4, "20", "34"))
    assert by_adjective(born, "oldest") == (born.columns[1], False)
    assert by_adjective(aged, "oldest") == (aged.columns[1], True)
    assert by_adjective(aged, "youngest") == (aged.columns[1], False)


def test_words_that_may_name_several_columns_give_the_likeliest_of_a_kind() -> None:
    words = vocabulary(0)
    status, quantity = words.columns[6], words.columns[4]
    mention = ColumnMention(((status, 0.9), (quantity, 0.6)))
    assert numeric_of(mention) is quantity
    assert text_of(mention) is status
    assert numeric_of(None) is text_of(None) is numeric_of(ColumnMention(((status, 1.0),))) is None


def test_a_column_is_unique_where_each_row_has_another_text() -> None:
    words = vocabulary(0)
    assert is_unique(words.columns[0])
    assert not is_unique(words.columns[6])


def test_the_column_that_counts_things_is_the_only_one_that_does() -> None:
    words = vocabulary(0)
    assert quantity_of(words) is words.columns[4]
    assert quantity_of(vocabulary(1)) is None
    assert quantity_of(words_of(numbers("Quantity", 4, "3", "9"), numbers("Pieces", 4, "2", "8"))) is None


def test_given_names_stand_beside_family_names_alone() -> None:
    columns = (texts("Surname", 2, "Silva", "Berg"), texts("First", 2, "Ana", "Ole"))
    pupils = vocabulary_of(TableEntry(columns, (), "default", 2), KnownCatalogue("none", (), (), (), ()))
    surname, first = pupils.columns
    assert given_name(pupils, surname) is first
    assert given_name(pupils, first) is None


def test_so_much_for_each_of_something_is_a_rate() -> None:
    assert is_rate_name("\u20ac/kg")
    assert is_rate_name("Mites/d")
    assert not is_rate_name("Start/finish")
    assert not is_rate_name("Amount")
