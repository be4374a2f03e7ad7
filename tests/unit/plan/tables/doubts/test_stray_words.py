"""Words that a query does without, or only guesses at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.plan.language.pieces import Filler, Statistic, UnknownWord
from core.plan.tables.doubts.certainty import doubt_signs
from core.plan.tables.doubts.stray_words import columns_of_query, stray_words
from core.plan.tables.mentions import ColumnMention, Mention, TablePiece, ValueMention, ValueOption
from core.plan.tables.query import TableOperation, TableQuery
from tests.support.table_catalogue import pieces, vocabulary

PRODUCT, QTY, AMOUNT, STATUS = (vocabulary(0).columns[at] for at in (3, 4, 5, 6))


def like(column: object, weight: float = 0.7) -> ColumnMention:
    return ColumnMention(((column, weight),), is_like=True)  # type: ignore[arg-type]


def row(*said: tuple[str, Mention]) -> tuple[TablePiece, ...]:
    return tuple(TablePiece(at, at + 1, text, mention, 1.0) for at, (text, mention) in enumerate(said))


def sum_of(column: object) -> TableQuery:
    return TableQuery(vocabulary(0), TableOperation.SUM, measure=column)  # type: ignore[arg-type]


def test_a_measure_that_a_word_is_only_like_is_guessed() -> None:
    said = row(("refunds", like(AMOUNT)))
    assert stray_words(sum_of(AMOUNT), said) == ("refunds",)
    assert doubt_signs(sum_of(AMOUNT), said, 1.0).is_doubtful


@pytest.mark.parametrize("mention", [like(AMOUNT, 0.95), ColumnMention(((AMOUNT, 0.7),))])
def test_a_measure_that_is_read_for_sure_or_called_so_is_none(mention: ColumnMention) -> None:
    assert stray_words(sum_of(AMOUNT), row(("takings", mention))) == ()


def test_a_word_that_begins_as_the_header_is_no_guess() -> None:
    assert stray_words(sum_of(AMOUNT), row(("amounting", like(AMOUNT)))) == ()


def test_a_word_before_the_name_of_a_measure_tells_it_from_what_the_column_says() -> None:
    named = ColumnMention(((AMOUNT, 1.0),))
    assert stray_words(sum_of(AMOUNT), row(("overtime", like(AMOUNT, 1.0)), ("amount", named))) == (
        "overtime",
    )
    assert stray_words(sum_of(AMOUNT), row(("spent", like(AMOUNT)), ("amount", named))) == ()


def test_a_value_that_a_word_is_only_like_is_stray_where_something_is_computed() -> None:
    option = ValueOption(STATUS, ("shipped",), is_like=True)
    said = row(("marketing", ValueMention((option,))))
    assert stray_words(replace_operation(TableOperation.COUNT), said) == ("marketing",)
    assert stray_words(replace_operation(TableOperation.ROWS), said) == ()


def replace_operation(operation: TableOperation) -> TableQuery:
    return replace(sum_of(None), operation=operation)


def test_an_unread_noun_behind_a_preposition_is_stray_and_an_aside_is_not() -> None:
    said = row(("in", Filler()), ("the", Filler()), ("east", UnknownWord()))
    assert stray_words(sum_of(AMOUNT), said) == ("east",)
    assert stray_words(sum_of(AMOUNT), said, used={2}) == ()
    assert stray_words(sum_of(AMOUNT), row(("standing", UnknownWord()))) == ()


def test_the_delivery_of_an_average_that_names_no_column_is_stray() -> None:
    said = pieces("average visit")
    assert isinstance(said[0].mention, Statistic)
    query = replace(sum_of(QTY), operation=TableOperation.AVG)
    assert stray_words(query, said) == ("visit",)
    named = (*said, TablePiece(2, 3, "quantity", ColumnMention(((QTY, 1.0),)), 1.0))
    assert stray_words(query, named) == ()


def test_a_named_column_of_numbers_that_a_computation_does_without_is_stray() -> None:
    said = row(("quantity", ColumnMention(((QTY, 1.0),))), ("amount", ColumnMention(((AMOUNT, 1.0),))))
    assert stray_words(sum_of(AMOUNT), said) == ("quantity",)
    assert stray_words(replace(sum_of(AMOUNT), shown=[QTY]), said) == ()


def test_a_noun_behind_a_computation_that_is_only_like_another_column_is_stray() -> None:
    function = pieces("average amount")[0].mention
    assert stray_words(sum_of(AMOUNT), row(("average", function), ("age", like(QTY)))) == ("age",)


def test_all_columns_of_a_query_are_those_that_play_a_part() -> None:
    query = replace(sum_of(AMOUNT), shown=[PRODUCT])
    assert columns_of_query(query) == [PRODUCT, AMOUNT]
