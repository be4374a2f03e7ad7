"""Clauses that heads leave open, and a text that says nothing of them."""

from __future__ import annotations

import pytest

from core.config.fields import FieldDefinition, HeadExtractor
from core.domain.facts import head_probability
from core.domain.fields import Candidate, CellStatus, FieldType, Finding
from core.extract.absence import without_words
from tests.support.document_text import document_text

_SILENT = (
    "The Customer pays each invoice within 30 days.\nA notice of the end of this Agreement goes by courier."
)


def _asked(head: str) -> FieldDefinition:
    extractors = (HeadExtractor(head=head),)
    return FieldDefinition(name=head, title=head, type=FieldType.BOOLEAN, extractors=extractors)


def _settled(head: str, *pages: str, probability: float = 0.2, method: str = "head") -> Finding:
    document = document_text(*pages)
    quote = document.quote(0, 10)
    doubt = Finding(
        CellStatus.UNCERTAIN,
        confidence=1 - probability,
        method=method,
        candidates=(Candidate(None, (quote,), probability, method),),
    )
    return without_words(document, _asked(head), doubt)


@pytest.mark.parametrize("head", ["termination", "force_majeure", "confidentiality", "warranties"])
def test_a_clause_without_any_of_its_words_in_the_text_is_absent(head: str) -> None:
    found = _settled(head, _SILENT)
    assert found.status is CellStatus.ABSENT
    assert "every page" in found.note


@pytest.mark.parametrize(
    "said",
    [
        "Either party may cancel this Agreement.",
        "The Customer may at any time end this lease.",
        "This Agreement terminates when the works are done.",
        "The Lessor can bring this lease to an end.",
    ],
)
def test_a_clause_of_whose_words_one_stands_in_the_text_stays_open(said: str) -> None:
    assert _settled("termination", f"{_SILENT} {said}").status is CellStatus.UNCERTAIN


def test_what_stands_on_a_page_that_could_not_be_read_is_not_absent() -> None:
    assert _settled("termination", _SILENT, "").status is CellStatus.UNCERTAIN


def test_a_heading_that_names_the_clause_among_others_keeps_it_open() -> None:
    assert _settled("termination", _SILENT, method="heading").status is CellStatus.UNCERTAIN


def test_a_clause_of_a_type_without_such_words_stays_open() -> None:
    assert _settled("non_compete", _SILENT).status is CellStatus.UNCERTAIN


_FOR_CAUSE = "The Customer may terminate this Agreement if the Supplier becomes insolvent."


def test_an_end_that_always_has_a_reason_is_none_for_convenience() -> None:
    found = _settled("termination_for_convenience", f"{_FOR_CAUSE} Upon termination the tools are returned.")
    assert found.status is CellStatus.ABSENT
    assert head_probability(found) is None  # no head said so


@pytest.mark.parametrize(
    ("said", "probability"),
    [
        (f"{_FOR_CAUSE} Either party may cancel it on thirty days' notice.", 0.2),
        (f"{_FOR_CAUSE} It is terminable at will.", 0.2),
        (_FOR_CAUSE, 0.5),
    ],
)
def test_an_end_that_may_have_no_reason_stays_open(said: str, probability: float) -> None:
    found = _settled("termination_for_convenience", said, probability=probability)
    assert found.status is CellStatus.UNCERTAIN
