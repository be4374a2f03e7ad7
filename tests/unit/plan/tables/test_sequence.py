"""Pieces of a question over an invented table, in a row."""

from __future__ import annotations

from core.plan.language.pieces import Ask, Connective, Filler, UnknownWord
from core.plan.tables.mentions import ColumnMention, RowMention, ValueMention
from core.plan.tables.sequence import PieceSequence, is_noun
from tests.support.table_catalogue import sequence

QUESTION = "How many orders of Oak panel and Steel beam are purple"


def at(words: str, pieces: PieceSequence) -> int:
    return next(n for n, piece in enumerate(pieces.pieces) if piece.text == words)


def is_value(mention: object) -> bool:
    return isinstance(mention, ValueMention)


def never(mention: object) -> bool:
    return False


def test_a_place_has_its_words_and_its_mention() -> None:
    pieces = sequence(QUESTION)
    place = at("Oak panel", pieces)
    assert (pieces.text(place), pieces.first_word(place), pieces.word(place)) == ("oak panel", "oak", "panel")
    assert isinstance(pieces.mention(place), ValueMention)


def test_places_beyond_the_ends_say_nothing() -> None:
    pieces = sequence(QUESTION)
    for place in (-1, len(pieces)):
        assert pieces.mention(place) is None
        assert (pieces.text(place), pieces.word(place), pieces.first_word(place)) == ("", "", "")


def test_places_of_a_kind_come_in_order_and_without_those_that_were_used() -> None:
    pieces = sequence(QUESTION)
    first, second = at("Oak panel", pieces), at("Steel beam", pieces)
    assert list(pieces.places(ValueMention)) == [first, second]
    pieces.use(first)
    assert list(pieces.places(ValueMention, unused=True)) == [second]
    assert list(pieces.places((ValueMention, RowMention))) == [at("orders", pieces), first, second]


def test_a_mention_is_given_only_where_it_is_of_the_kind() -> None:
    pieces = sequence(QUESTION)
    assert pieces.of(0, Ask) == Ask("count")
    assert pieces.of(0, ColumnMention) is None


def test_filling_is_passed_over_in_both_directions() -> None:
    pieces = sequence(QUESTION)
    orders, oak = at("orders", pieces), at("Oak panel", pieces)
    assert pieces.after(orders) == oak
    assert pieces.before(oak) == orders
    assert pieces.after(orders, over=()) == orders + 1
    assert pieces.before(0) == -1
    assert pieces.after(len(pieces) - 1) == -1


def test_the_nearest_place_is_found_unless_something_stands_between() -> None:
    pieces = sequence(QUESTION)
    orders, steel = at("orders", pieces), at("Steel beam", pieces)
    assert pieces.near(orders, 1, is_value, stops=never) == at("Oak panel", pieces)
    assert pieces.near(steel, -1, lambda m: isinstance(m, RowMention), stops=never) == orders
    assert pieces.near(steel, -1, lambda m: isinstance(m, RowMention), stops=is_value) == -1
    assert pieces.near(0, 1, lambda m: isinstance(m, UnknownWord), stops=never, reach=1) == -1


def test_what_is_used_is_noted_with_its_words() -> None:
    pieces = sequence(QUESTION)
    pieces.use(0, "asks how many")
    pieces.use(1)
    assert pieces.used == {0, 1}
    assert [(note.phrase, note.reading) for note in pieces.notes] == [("How many", "asks how many")]


def test_two_places_are_joined_by_and_alone() -> None:
    pieces = sequence(QUESTION)
    orders, oak, steel = at("orders", pieces), at("Oak panel", pieces), at("Steel beam", pieces)
    assert isinstance(pieces.mention(oak + 1), Connective)
    assert pieces.joined(oak, steel)
    assert isinstance(pieces.mention(orders + 1), Filler)
    assert not pieces.joined(orders, oak)
    assert not pieces.joined(orders, steel)


def test_the_words_between_two_places_are_those_of_neither() -> None:
    pieces = sequence(QUESTION)
    orders, steel = at("orders", pieces), at("Steel beam", pieces)
    assert pieces.words_between(orders, steel) == ["of", "oak", "panel", "and"]
    assert pieces.words_between(steel, orders) == []


def test_columns_rows_and_titles_stand_as_nouns() -> None:
    pieces = sequence("orders per product")
    assert [is_noun(pieces.mention(n)) for n in range(len(pieces))] == [True, False, True]
    assert not is_noun(None)
