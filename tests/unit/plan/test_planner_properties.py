"""What holds of every question, sensible or not."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan
from core.plan.ir.validate import validate
from core.plan.language.interpretation import lexicon_of
from core.plan.language.pieces import (
    DayRange,
    DocumentSet,
    Parties,
    Policy,
    Quantity,
    UnknownWord,
    Values,
)
from core.plan.language.reading.read import read
from core.plan.planner import RulePlanner
from core.plan.text.classify import clean_question
from tests.support.known_collection import known_collection

TODAY = date(2024, 11, 22)
CATALOGUE = known_collection()
PLANNER = RulePlanner(CATALOGUE, None, TODAY)
WORDS = (Path(__file__).parent / "words.txt").read_text(encoding="utf-8").split()
QUESTIONS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)
COUNTED = (Quantity, DayRange, Policy, Parties, DocumentSet, Values, UnknownWord)


@settings(max_examples=300, deadline=None)
@given(QUESTIONS)
def test_a_plan_of_any_words_is_whole_and_can_be_sent(question: str) -> None:
    planned = PLANNER.plan(question)
    if isinstance(planned, Clarify):
        assert Clarify.model_validate_json(planned.model_dump_json()) == planned
        return
    assert Plan.model_validate_json(planned.model_dump_json()) == planned
    assert [problem for problem in validate(planned, CATALOGUE) if "circle" in problem.message] == []


@settings(max_examples=300, deadline=None)
@given(QUESTIONS)
def test_no_word_with_content_is_dropped_in_silence(question: str) -> None:
    planned = PLANNER.plan(question)
    if isinstance(planned, Clarify) or planned.route.value != "structured":
        return
    said = [*(note.phrase for note in planned.notes), *planned.uncovered]
    for piece in read(clean_question(question), lexicon_of(CATALOGUE), TODAY).pieces:
        if isinstance(piece.meaning, COUNTED):
            assert any(piece.text in phrase for phrase in said), piece


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_no_text_is_too_strange_to_plan(text: str) -> None:
    assert isinstance(PLANNER.plan(text), Plan | Clarify)


@settings(max_examples=100, deadline=None)
@given(QUESTIONS)
def test_pieces_follow_one_another_without_gaps(question: str) -> None:
    reading = read(question, lexicon_of(CATALOGUE), TODAY)
    at = 0
    for piece in reading.pieces:
        assert piece.first == at
        at = piece.end
    assert at == len(reading.tokens)
