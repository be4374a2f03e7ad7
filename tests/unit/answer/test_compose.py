from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.answer.cite import Layout
from core.answer.compose import SEVERAL_READINGS, by_words, compose_lookup
from core.search.evidence.base import Evidence
from core.search.query import QuestionAnalysis
from core.search.sentences import ScoredSentence
from core.text.analyse import analyse, analyse_query
from tests.support.scored_sentences import scored


def evidence_of(question: str, *sentences: tuple[str, float]) -> Evidence:
    """Sentences of one passage with their scores, and how much of the question each covers."""
    terms = analyse_query(question).terms
    analysis = QuestionAnalysis(
        question, question, terms, (), {term: 2.0 for term, _ in terms}, np.zeros(3, np.float32)
    )
    found: list[ScoredSentence] = []
    for text, score in sentences:
        coverage = len({term for term, _ in terms} & set(analyse(text))) / len(terms)
        each = scored(text, score=score, coverage=coverage, document="d")
        found.append(replace(each, candidate=found[0].candidate) if found else each)
    return Evidence(analysis, tuple(found), ())


def look_up(question: str, *sentences: tuple[str, float]) -> Layout:
    return compose_lookup(question, evidence_of(question, *sentences), 5)


def test_a_sentence_with_the_words_of_the_question_goes_before_one_of_a_better_passage() -> None:
    question = "Which rent is paid every month?"
    near, other = ("Rent is paid every month to the landlord.", 1.4), ("The month was cold.", 1.5)
    assert [each.text for each in by_words(evidence_of(question, other, near))] == [near[0], other[0]]


def test_a_line_that_only_repeats_the_question_is_no_answer() -> None:
    layout = look_up(
        "What is the night limit in Graz?",
        ("Night limit in Graz", 1.5),
        ("It is EUR 95 for all guests.", 1.2),
    )
    assert layout.drafts[0].quote == "It is EUR 95 for all guests."
    assert look_up("What is the night limit?", ("The night limit", 1.5)).is_in_doubt


def test_what_the_first_quote_leaves_out_of_the_question_is_quoted_beside_it() -> None:
    layout = look_up(
        "Which key is missing, and who signed?",
        ("The cellar key is missing.", 1.5),
        ("Paint is peeling in the hall.", 0.8),
        ("Signed: Ada Birk", 0.2),
    )
    assert [each.quote for each in layout.drafts] == ["The cellar key is missing.", "Signed: Ada Birk"]


def test_two_values_that_are_stated_as_plainly_are_two_readings_and_no_answer() -> None:
    layout = look_up(
        "How many pods were running?",
        ("About 300 pods running.", 1.5),
        ("There were 600 running pods.", 1.48),
    )
    assert (layout.lead, layout.is_in_doubt) == (SEVERAL_READINGS, True)
    assert len(layout.drafts) == 2


@pytest.mark.parametrize(
    ("question", "sentence", "is_in_doubt"),
    [
        ("How much is the fee for late filing?", "The fee for late filing is $50.", False),
        ("How much is the fee for late filing?", "A fee for late filing is due.", True),
        ("How much vacation do people get?", "People get 20 days of vacation.", False),
        ("When does the lease end?", "The lease ends on 3 May 2026.", False),
        ("When does the lease end?", "The lease ends early where the roof leaks.", True),
        ("Does the lease allow pets?", "The lease has four pages.", True),
        ("Does the lease allow pets?", "The lease does not allow pets.", False),
        ("What was the rent in 2016?", "The rent was 300 in 2017.", True),
        ("What was the rent in 2016?", "The rent of 2016 was 300.", False),
        ("Who signed the lease?", "Ann Lee signed the lease.", False),
    ],
)
def test_what_one_sentence_hardly_answers_is_in_doubt(
    question: str, sentence: str, is_in_doubt: bool
) -> None:
    assert look_up(question, (sentence, 1.5)).is_in_doubt is is_in_doubt
