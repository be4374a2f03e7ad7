"""Sentences that have the form which a question asks for go before those that lack it."""

from __future__ import annotations

import numpy as np
import pytest

from core.answer.fit import has_form, lacks_form_asked, prefer_form
from core.search.evidence.base import Evidence
from core.search.query import QuestionAnalysis
from tests.support.scored_sentences import scored


def first_of(question: str, *texts: str) -> str:
    return prefer_form(question, [scored(text, score=1.0 - 0.05 * at) for at, text in enumerate(texts)])[
        0
    ].text


@pytest.mark.parametrize(
    ("question", "vague", "telling"),
    [
        (
            "From which release can tables be declared strict?",
            "Strict tables are liked by many developers.",
            "Strict tables came with version 3.37.0.",
        ),
        (
            "How do I switch on write-ahead logging?",
            "Write-ahead logging has three primitive operations.",
            "Run PRAGMA journal_mode=WAL on the database.",
        ),
        (
            "Which option switches on the extension?",
            "The extension lists all statements of the connection.",
            "Use the compile-time option ENABLE_STMTVTAB.",
        ),
        (
            "How much disk space is saved?",
            "Blobs may be stored in files.",
            "A single database uses about 20% less disk space.",
        ),
        (
            "Which values can the argument take?",
            "The third argument is a string.",
            "Allowed values for the third argument are:",
        ),
        (
            "Which strategies can be chosen for a violation?",
            "The response is determined by the algorithm.",
            "The strategies are rollback, abort, fail, ignore, and replace.",
        ),
    ],
)
def test_a_sentence_with_the_form_asked_for_goes_first(question: str, vague: str, telling: str) -> None:
    assert first_of(question, vague, telling) == telling


@pytest.mark.parametrize(
    ("question", "best", "other"),
    [
        ("Why was it split?", "It had grown too large.", "Run fix_it to split it in 3 parts."),
        ("How much disk space is saved?", "Blobs may be stored in files.", "SELECT x FROM y(5,100,5);"),
        ("What version control system holds it?", "Fossil holds it.", "Version 3.7.0 was released."),
        ("What notice is needed at section 9?", "Notice is in writing.", "Notice is in section 9."),
    ],
)
def test_a_sentence_that_only_looks_so_stays_behind(question: str, best: str, other: str) -> None:
    assert first_of(question, best, other) == best


def test_a_sentence_about_other_things_stays_behind() -> None:
    best = scored("Strict tables are liked.", coverage=0.6)
    far = scored("Version 3.7.0 was released.", score=0.8, coverage=0.1)

    assert prefer_form("Which release has strict tables?", [best, far])[0] is best


def test_what_the_question_says_itself_is_no_answer() -> None:
    assert not has_form("How do I set page_size?", scored("Set page_size to another value."))
    assert has_form("How do I set the size of pages?", scored("Set page_size to another value."))


def evidence_of(*texts: str) -> Evidence:
    analysis = QuestionAnalysis("", "", (), (), {}, np.zeros(3, np.float32))
    return Evidence(analysis, tuple(scored(text) for text in texts), ())


@pytest.mark.parametrize(
    ("question", "text", "is_lacking"),
    [
        ("What does a support contract cost per year?", "Relations per database | 1,431,650,303", True),
        ("What does a support contract cost per year?", "Support is $8K per year.", False),
        ("How much is paid for a reported hole?", "They provide a common naming scheme.", True),
        ("In which release was the format introduced?", "The format is liked.", True),
        ("In which release was the format introduced?", "Version 3.38.0 introduced it.", False),
        ("Why was it introduced?", "It is liked.", False),
    ],
)
def test_without_its_form_some_questions_have_no_answer(question: str, text: str, is_lacking: bool) -> None:
    assert lacks_form_asked(question, evidence_of(text)) is is_lacking
