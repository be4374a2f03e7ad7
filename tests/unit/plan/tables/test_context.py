"""A question over an invented table while it is read: how it asks, and what it says."""

from __future__ import annotations

import pytest

from core.domain.predicate import Operator
from core.plan.tables.context import TableQuestion
from core.plan.tables.filters import FilterReader
from core.plan.tables.query import ColumnFilter, TableQuery
from tests.support.table_catalogue import TODAY, sequence, vocabulary

ORDER_NO, PRODUCT, STATUS = (vocabulary(0).columns[at] for at in (0, 3, 6))


def of(question: str, *filters: ColumnFilter, at: int = 0) -> TableQuestion:
    """The question with these conditions."""
    words, pieces = vocabulary(at), sequence(question, at)
    query = TableQuery(words)
    query.clauses += [(each,) for each in filters]
    return TableQuestion.of(pieces, words, query, FilterReader(pieces, query, TODAY))


@pytest.mark.parametrize(
    ("question", "ask"),
    [
        ("How many orders are there?", "count"),
        ("Which orders are open?", "which"),
        ("Are all orders shipped?", "whether"),
        ("How much was paid?", "much"),
        ("When was order 1004 placed?", "when"),
        ("amount per product", ""),
    ],
)
def test_a_question_asks_by_its_first_strong_word(question: str, ask: str) -> None:
    assert of(question).ask == ask


def test_a_question_without_an_asking_word_asks_at_no_place() -> None:
    assert of("amount per product").ask_at == -1
    assert of("Of all orders, how many are open?").ask_at > 0


def test_words_for_money_and_for_counting_are_known() -> None:
    assert of("What did Oak panel cost?").says_money
    assert not of("Which orders are open?").says_money
    assert of("the number of orders").counts
    assert of("how many orders").counts
    assert not of("the orders").counts


def test_rows_are_named_by_what_they_are_called_and_not_by_their_subject() -> None:
    assert of("the largest entry").names_rows
    assert of("the largest single one").names_rows
    assert of("the largest order").names_rows  # no column of its codes is asked for
    assert not of("which products were ordered").names_rows
    assert not of("the amount of Oak panel").names_rows


def test_conditions_filter_a_column() -> None:
    asked = of("amount", ColumnFilter(STATUS, Operator.EQUAL, ("open",)))
    assert asked.is_filtered(STATUS)
    assert not asked.is_filtered(PRODUCT)


def test_several_values_are_compared_only_where_the_words_say_or() -> None:
    several = ColumnFilter(PRODUCT, Operator.IN, ("Oak panel", "Steel beam"))
    assert of("Oak panel or Steel beam", several).compared_column() is PRODUCT
    assert of("Oak panel and Steel beam", several).compared_column() is None
    assert of("Oak panel or Steel beam").compared_column() is None
    assert of("Oak panel or Steel beam", several).is_one_of_several(PRODUCT)
    assert not of("x", ColumnFilter(PRODUCT, Operator.IN, ("Oak panel",))).is_one_of_several(PRODUCT)


def test_one_row_is_named_by_its_code_and_not_by_a_category() -> None:
    assert of("order 1004", ColumnFilter(ORDER_NO, Operator.EQUAL, ("1004",))).names_one()
    assert not of("other", ColumnFilter(ORDER_NO, Operator.NOT_EQUAL, ("1004",))).names_one()
    assert not of("Oak panel", ColumnFilter(PRODUCT, Operator.EQUAL, ("Oak panel",))).names_one()


def test_a_code_of_another_table_names_no_row_of_this_one() -> None:
    other = vocabulary(1).columns[0]
    assert not of("C-01", ColumnFilter(other, Operator.EQUAL, ("C-01",))).names_one()
