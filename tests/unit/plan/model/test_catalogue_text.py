from __future__ import annotations

from core.plan.model.catalogue_text import catalogue_text
from tests.support.known_collection import DOCUMENTS, known_collection

CATALOGUE = known_collection()


def test_fields_are_told_with_their_types_and_what_is_near_the_question_first() -> None:
    told = catalogue_text(CATALOGUE, "Which invoices have a tax over 100 USD?", 2_000).text.splitlines()

    assert told[0].startswith("Kind invoices")
    assert any(line.startswith("- tax (money in USD)") for line in told)


def test_documents_near_the_question_have_short_ids() -> None:
    name = DOCUMENTS[0].name
    told = catalogue_text(CATALOGUE, f"When does the {name} end?", 4_000)

    assert told.documents["d1"] == DOCUMENTS[0].id
    assert f"d1: {name}" in told.text


def test_it_keeps_to_its_budget_in_whole_lines() -> None:
    told = catalogue_text(CATALOGUE, "contracts", 100).text

    assert len(told) <= 300
    assert not told.endswith(" ")


def test_an_empty_collection_is_an_empty_text() -> None:
    from core.plan.catalogue import KnownCatalogue

    assert catalogue_text(KnownCatalogue(), "contracts", 100).text == ""
