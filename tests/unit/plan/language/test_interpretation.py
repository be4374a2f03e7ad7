"""Interpretations of questions: their frames, and their words in pieces, from the text alone."""

from __future__ import annotations

from datetime import date

from core.plan.language.interpretation import interpret, lexicon_of
from core.plan.language.pieces import FieldSenses, Noun
from tests.support.known_collection import known_collection
from tests.support.known_readings import KNOWN, TODAY


def test_pieces_come_from_the_text_alone() -> None:
    question = "Which contracts lack force majeure?"
    assert interpret(question, KNOWN, TODAY) == interpret(question, KNOWN, TODAY)


def test_the_day_that_a_question_assumes_is_its_frame_and_no_piece() -> None:
    found = interpret("Assume today is 1 May 2023. Which contracts have insurance?", KNOWN, TODAY)
    assert found.frame.today == date(2023, 5, 1)
    kinds = [type(piece.meaning) for piece in found.reading.pieces]
    assert (kinds.count(Noun), kinds.count(FieldSenses)) == (1, 1)


def test_words_that_are_put_in_others_are_noted() -> None:
    found = interpret("contracts w/o insurance", KNOWN, TODAY)
    assert ("w/o", "read as “without”") in found.frame.notes


def test_one_lexicon_serves_a_catalogue() -> None:
    assert lexicon_of(known_collection()) is lexicon_of(known_collection())
