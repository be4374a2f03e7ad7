"""Answers as text that stands on its own."""

from __future__ import annotations

from app.presenting.answer_markdown import answer_markdown
from core.domain.answer import Answer
from core.domain.evidence.change import EvidenceStanding, EvidenceState
from core.domain.ids import DocumentId
from tests.support.few_documents import SAMPLES, make_document
from tests.support.quoted_answer import answer, find

QUESTION = "What is the total liability of ACME per incident?"


def quoted() -> Answer:
    found = answer(QUESTION, "t1", 1, find([make_document(*each, 1) for each in SAMPLES], QUESTION, ()))
    assert found.citations
    return found


def test_a_quote_whose_page_has_changed_says_so() -> None:
    given = quoted()
    first = given.citations[0]
    note = "This page has changed since."
    standing = EvidenceStanding(DocumentId(first.document), EvidenceState.CHANGED, 1, 2, note=note)
    lines = answer_markdown(given, lambda _: {first.n: standing}).splitlines()
    assert [line.startswith("1. ") for line in lines if line.endswith(note)] == [True]


def test_a_quote_with_the_same_words_in_a_newer_version_says_nothing() -> None:
    given = quoted()
    first = given.citations[0]
    standing = EvidenceStanding(
        DocumentId(first.document), EvidenceState.SAME_WORDS, 1, 2, note="Same words."
    )
    assert answer_markdown(given, lambda _: {first.n: standing}) == answer_markdown(given)
