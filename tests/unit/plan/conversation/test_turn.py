"""Turns read for the words by which they go on."""

from __future__ import annotations

import pytest

from core.plan.conversation.turn import Move, PointerKind, SetNoun, phrases, read_turn

NOUN = SetNoun("contracts", "contract")


@pytest.mark.parametrize(
    ("said", "text", "moves"),
    [
        ("And what about Texas?", "Texas", {Move.INSTEAD}),
        ("and Texas?", "Texas", {Move.CONTINUING}),
        ("thanks, only those with a cap", "with a cap", {Move.NARROWING}),
        ("narrow it down to Delaware", "Delaware", {Move.NARROWING}),
        ("or New York law?", "New York law", {Move.EITHER}),
        ("right of first refusal?", "right of first refusal", set()),
        ("under Texas law only", "under Texas law", {Move.NARROWING}),
        ("with a cap instead", "with a cap", {Move.INSTEAD}),
        ("which contracts with Beta do we have?", "which contracts with Beta do we have", set()),
        ("which of them have?", "which of them have one", set()),
        ("why not Beta?", "why not Beta", {Move.WHY}),
        ("the ones in 2020, I mean under Texas law", "under Texas law", set()),
    ],
)
def test_how_a_turn_goes_on(said: str, text: str, moves: set[Move]) -> None:
    turn = read_turn(said, NOUN)
    assert (turn.text, set(turn.moves)) == (text, moves)


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        ("which of those lack a cap", PointerKind.SET, "of those"),
        ("do they expire", PointerKind.SET, "they"),
        ("what is their total", PointerKind.SET_OWN, "their"),
        ("when does it expire", PointerKind.ONE, "it"),
        ("its governing law", PointerKind.ONE_OWN, "its"),
        ("the others", PointerKind.OTHERS, "the others"),
        ("the other one", PointerKind.OTHER_ONE, "the other one"),
        ("when does the second one expire", PointerKind.NTH, "the second one"),
        ("the last contract", PointerKind.NTH, "the last contract"),
        ("number 3", PointerKind.NTH, "number 3"),
        ("only the second party's", PointerKind.NTH_SIDE, "the second party's"),
        ("the Gamma one", PointerKind.NAMED, "the Gamma one"),
        ("above that amount", PointerKind.VALUE, "that amount"),
        ("worth more than that", PointerKind.VALUE, "that"),
        ("which have one", PointerKind.THING, "one"),
    ],
)
def test_what_points(said: str, kind: PointerKind, words: str) -> None:
    turn = read_turn(said, NOUN)
    assert [(each.kind, turn.text[each.start : each.end]) for each in turn.pointers] == [(kind, words)]


@pytest.mark.parametrize("said", ["the first three", "the first five by date", "the oldest", "top three"])
def test_an_end_of_an_order_points_at_no_document(said: str) -> None:
    assert read_turn(said, NOUN).pointers == ()


def test_a_place_is_counted_from_the_end_where_that_is_said() -> None:
    assert read_turn("the last one", NOUN).pointers[0].nth == -1
    assert read_turn("the third one", NOUN).pointers[0].nth == 3


def test_of_those_is_strict_and_the_contracts_is_not() -> None:
    assert read_turn("which of those expire", NOUN).pointers[0].is_strict
    pointer = read_turn("when do the contracts expire", NOUN).pointers[0]
    assert (pointer.is_strict, pointer.is_definite) == (False, True)


def test_what_a_release_and_an_exclusion_are_about() -> None:
    assert read_turn("regardless of the law", NOUN).rest == "the law"
    assert read_turn("drop the date condition", NOUN).rest == "the date"
    excluded = read_turn("leave out the leases", NOUN)
    assert (excluded.rest, excluded.moves) == ("the leases", {Move.EXCLUDING})


def test_lists_of_words_hold_phrases() -> None:
    assert "out of" in phrases("of")
