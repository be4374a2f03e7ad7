"""Patterns of the shipped schema of contracts: usual wordings, and sentences that only look like them."""

from __future__ import annotations

import pytest

from core.config.fields import PatternExtractor
from core.config.schema_store import shipped_schemas
from core.domain.fields import CellStatus, Finding
from core.extract.patterns import find_patterns
from tests.support.document_text import document_text


def _found(field: str, text: str) -> Finding | None:
    definition = next(each for each in shipped_schemas()["contracts"].fields if each.name == field)
    pattern = next(each for each in definition.extractors if isinstance(each, PatternExtractor))
    return find_patterns(document_text(text), definition, pattern)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("severability", "If any provision is held to be void, the remaining provisions stay in force."),
        ("severability", "The invalidity of a provision shall not affect the others."),
        ("severability", "Should a provision be illegal, it is replaced by one that comes closest to it."),
        ("amendment_and_waiver", "This Agreement may be amended only by a written instrument."),
        ("amendment_and_waiver", "No modification shall be binding unless executed in writing."),
        ("amendment_and_waiver", "Amendments of this lease need the written form."),
    ],
)
def test_a_clause_in_its_usual_words_is_there(field: str, text: str) -> None:
    found = _found(field, text)
    assert found is not None
    assert found.status is CellStatus.PRESENT
    assert found.spans[0].quote in text


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("severability", "A cheque without a signature is void. The rest is paid in cash."),
        ("amendment_and_waiver", "The Amendment will be effective as of July 5, upon the signature of Acme."),
        ("amendment_and_waiver", "The Supplier notifies the Customer of changes in writing."),
    ],
)
def test_a_sentence_of_something_else_is_no_clause(field: str, text: str) -> None:
    assert _found(field, text) is None
