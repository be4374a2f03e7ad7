"""Answers from a clause or note that the question names by its number."""

from __future__ import annotations

import pytest

from core.answer.numbered import DELETED
from core.domain.answer import Status
from tests.support.library import Library, ask

LEASE = (
    "3. Duties\n\n3.1 The Lessee pays in time.\n\n3.2 The Lessee insures the crane for EUR 640,000.\n\n"
    "3.20 The Lessee greases the crane.\n\n4.1 If clause 3.2 is breached, the Lessor may terminate at once.\n"
    "[footnote 2: Adjusted each January.]"
)


@pytest.fixture
def library() -> Library:
    library = Library()
    library.names = (library.add("crane.txt", LEASE, title="Crane lease"),)
    return library


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What does clause 3.2 say?", "3.2 The Lessee insures the crane for EUR 640,000."),
        ("What does clause 3.20 of the lease say?", "3.20 The Lessee greases the crane."),
        ("What does footnote 2 say?", "[footnote 2: Adjusted each January.]"),
        ("How much is the insurance in clause 3.2?", "3.2 The Lessee insures the crane for EUR 640,000."),
    ],
)
def test_the_place_itself_answers_and_not_what_refers_to_it(
    library: Library, question: str, words: str
) -> None:
    answer = ask(library, question)

    assert answer.status is Status.ANSWERED
    assert answer.claims[0].citations[0].quote in (words, words.removeprefix("3."))


def test_a_number_that_nothing_has_is_not_answered(library: Library) -> None:
    assert ask(library, "What does clause 9.9 say?").status is Status.ABSTAINED


def test_deleted_words_in_the_place_are_told(library: Library) -> None:
    library.names = (library.add("a.txt", "8.1 It costs [deleted: EUR 3] EUR 4 a day.", title="Boat lease"),)

    assert DELETED in ask(library, "What does clause 8.1 say?").gaps


def test_several_documents_with_that_number_are_told_apart(library: Library) -> None:
    library.names = ()
    library.add("clean.txt", "3.2 Liability is capped at EUR 50,000.", title="Cleaning agreement")
    answer = ask(library, "What does clause 3.2 say?")

    assert {claim.citations[0].source for claim in answer.claims} == {"crane.txt", "clean.txt"}


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("7.1 " + "The pump is kept dry. " * 200, "dry."),
        ("7.1 Cleaning\n\nThe pump is " + "kept dry and " * 200 + "warm.", "kept dry and"),
    ],
)
def test_a_long_clause_is_cut_at_a_sentence_but_not_behind_its_title(
    library: Library, text: str, end: str
) -> None:
    library.names = (library.add("long.txt", text, title="Pump lease"),)
    (claim,) = ask(library, "What does clause 7.1 say?").claims

    assert 600 < len(claim.citations[0].quote) <= 1_200
    assert claim.citations[0].quote.endswith(end)
