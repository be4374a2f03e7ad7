"""Mentions of questions: words as columns, values, flags, rows and titles of invented tables."""

from __future__ import annotations

from core.plan.language.pieces import Ask, DayRange, Filler, Statistic, UnknownWord, tokens_of
from core.plan.reader.reading import FieldLink, Operation, QuestionReading, ReadSpan, SpanRole
from core.plan.tables.grammar import grammar_of
from core.plan.tables.mentions import (
    ColumnMention,
    FlagMention,
    MentionedTable,
    RowMention,
    ValueMention,
    pieces_over,
)
from tests.support.table_catalogue import TODAY, pieces, vocabulary


def mentioned(question: str, words: str, at: int = 0) -> object:
    """What these words of a question mention."""
    return next(piece.mention for piece in pieces(question, at) if piece.text == words)


def columns(question: str, words: str, at: int = 0) -> list[str]:
    mention = mentioned(question, words, at)
    assert isinstance(mention, ColumnMention)
    return [column.entry.name for column, _ in mention.columns]


def test_pieces_have_no_gaps_and_no_overlaps() -> None:
    question = "How many orders of Oak panel were shipped in May 2024?"
    taken = pieces(question)
    assert [piece.first for piece in taken[1:]] == [piece.end for piece in taken[:-1]]
    assert (taken[0].first, taken[-1].end) == (0, len(tokens_of(question)))


def test_no_words_have_no_pieces() -> None:
    assert pieces("") == ()


def test_a_name_of_a_column_goes_before_another_word_for_it() -> None:
    assert columns("amount per product", "amount") == ["Amount (EUR)", "Qty"]
    assert columns("order date", "order date") == ["Order Date"]


def test_a_synonym_is_a_column_with_less_weight() -> None:
    mention = mentioned("revenue per client", "client")
    assert isinstance(mention, ColumnMention)
    assert mention.first.entry.name == "Customer"
    assert mention.columns[0][1] < 1.0


def test_a_misspelt_word_is_the_column_that_is_a_letter_away() -> None:
    assert columns("produt with the most orders", "produt") == ["Product"]
    assert isinstance(mentioned("prxxxct", "prxxxct"), UnknownWord)


def test_a_whole_text_is_a_value_of_its_column() -> None:
    mention = mentioned("orders of Oak panel", "Oak panel")
    assert isinstance(mention, ValueMention)
    (option,) = mention.options
    assert (option.column.entry.name, option.texts, option.is_part) == ("Product", ("Oak panel",), False)


def test_a_part_of_texts_is_each_of_them() -> None:
    mention = mentioned("bills of Aldo", "Aldo", 4)
    assert isinstance(mention, ValueMention)
    assert mention.options[0].texts == ("Aldo Steel", "Aldo Tools")
    assert mention.options[0].is_part


def test_flags_say_what_a_column_of_yes_and_no_says() -> None:
    yes, no = mentioned("express orders", "express"), mentioned("non-express orders", "non-express")
    assert isinstance(yes, FlagMention)
    assert isinstance(no, FlagMention)
    assert (yes.holds, no.holds) == (True, False)


def test_rows_are_those_of_the_table_or_of_any() -> None:
    own, any_of = mentioned("all orders", "orders"), mentioned("all entries", "entries")
    assert own == RowMention(True, vocabulary(0))
    assert any_of == RowMention(True, None)


def test_a_title_is_the_table_itself() -> None:
    mention = mentioned("total of the payables table", "payables table", 4)
    assert isinstance(mention, MentionedTable)
    assert [part.document for part in mention.parts] == ["d4"]


def test_words_of_the_grammar_are_the_same_over_any_table() -> None:
    assert mentioned("How many orders?", "How many") == Ask("count")
    assert isinstance(mentioned("average amount", "average"), Statistic)
    assert isinstance(mentioned("orders in May 2024", "in May 2024"), DayRange)


def test_a_month_that_stands_alone_is_a_period() -> None:
    assert isinstance(mentioned("orders of July or August", "August"), DayRange)


def test_a_table_without_days_has_no_periods() -> None:
    assert not any(isinstance(piece.mention, DayRange) for piece in pieces("teams in May 2024", 3))


def test_what_nothing_takes_is_unknown_and_small_words_are_filling() -> None:
    assert isinstance(mentioned("the purple orders", "purple"), UnknownWord)
    assert isinstance(mentioned("the purple orders", "the"), Filler)


def test_words_of_two_tables_are_one_mention_of_both() -> None:
    question = "customer"
    tokens = tokens_of(question)
    taken = pieces_over(question, tokens, grammar_of(question, tokens, TODAY), [vocabulary(0), vocabulary(1)])
    (piece,) = taken
    assert isinstance(piece.mention, ColumnMention)
    assert [column.entry.name for column, _ in piece.mention.columns] == ["Customer", "Customer ID"]


def test_a_trained_reader_says_which_column_unknown_words_mean_and_which_words_ask_for_nothing() -> None:
    question = "gubbins of the wotsit, prithee"
    tokens = tokens_of(question)
    column = vocabulary().columns[0]
    link = FieldLink("", column.entry.name, 0.9)
    span = ReadSpan(15, 21, SpanRole.ASKED, False, (link,), 0.9)
    reading = QuestionReading(question, ((Operation.LIST, 1.0),), (span,), 0.9, ((23, 30),))

    found = pieces_over(question, tokens, grammar_of(question, tokens, TODAY), [vocabulary()], reading)

    by_text = {piece.text: piece.mention for piece in found}
    assert isinstance(by_text["gubbins"], UnknownWord)
    assert isinstance(by_text["wotsit"], ColumnMention)
    assert by_text["wotsit"].first.entry.name == column.entry.name
    assert isinstance(by_text["prithee"], Filler)
