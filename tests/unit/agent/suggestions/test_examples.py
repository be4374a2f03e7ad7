from __future__ import annotations

from core.agent.suggestions.examples import COUNT, Examples, example_questions
from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry, SchemaEntry, ValueEntry

CONTRACTS = (
    FieldEntry("contracts", "cap", "Cap", FieldType.BOOLEAN, documents=2),
    FieldEntry("contracts", "notice", "Notice", FieldType.BOOLEAN, documents=4),
    FieldEntry("contracts", "law", "Governing law", FieldType.TEXT, documents=4),
    FieldEntry("contracts", "ends", "Expiration date", FieldType.DATE, documents=3),
)
INVOICES = (FieldEntry("invoices", "total", "Total", FieldType.MONEY, documents=2, units=("USD",)),)
CATALOGUE = Catalogue(
    "known",
    schemas=(
        SchemaEntry("contracts", "Contracts", ("contracts",), fields=CONTRACTS, documents=4),
        SchemaEntry("invoices", "Invoices and receipts", ("invoices",), fields=INVOICES, documents=2),
    ),
    documents=(
        DocumentEntry("a", "Supply agreement", "a.txt", "contracts", "contracts"),
        DocumentEntry("b", "Warehouse lease", "b.txt", "contracts", "contracts"),
        DocumentEntry("c", "Tires", "c.txt", "invoices", "invoices"),
    ),
    values=(ValueEntry("contracts", "law", "Iowa", 2), ValueEntry("contracts", "law", "Texas", 2)),
)


def test_examples_are_made_of_what_documents_state() -> None:
    assert list(example_questions(CATALOGUE)) == [
        "Which contracts lack cap?",
        "Which invoice has the highest total?",
        "What is the expiration date of “Supply agreement”?",
        "How many contracts are there by governing law?",
        "What is the expiration date of “Warehouse lease”?",
    ]


def test_only_questions_that_are_answered_are_examples_and_they_are_tried_once() -> None:
    examples, tried = Examples(), list[str]()

    def is_answered(question: str) -> bool:
        tried.append(question)
        return not question.startswith("Which contracts")

    found = examples.questions(CATALOGUE, (), is_answered)
    assert found == tuple(tried[1:])
    assert len(found) == COUNT
    assert examples.questions(CATALOGUE, (), is_answered) == found
    assert len(tried) == 1 + COUNT


def test_an_empty_catalogue_has_no_examples() -> None:
    assert list(example_questions(Catalogue())) == []


def test_only_kinds_in_the_buckets_are_asked_about() -> None:
    assert list(example_questions(CATALOGUE, ("invoices",))) == ["Which invoice has the highest total?"]
