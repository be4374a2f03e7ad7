"""Questions that are offered: after an answer, and as examples."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.ask.suggestions import COUNT, example_questions, examples, going_on, suggest
from core.domain.answer import Answer, Column, Route, Status, Table, Value
from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry, SchemaEntry, ValueEntry
from core.plan.ir.nodes import Plan
from tests.support.known_collection import known_collection
from tests.support.read_questions import planned

QUESTIONS = (
    "Which contracts lack force majeure?",
    "Which contracts have audit rights?",
    "What is the total value of contracts expiring in Q4 2024?",
    "How many contracts expire before March 2025 but have no force majeure?",
    "Which Halden contracts exceed our liability policy?",
    "contracts over 100k EUR",
    "Compare the liability caps of Halden and Brightwater contracts",
)


def collection() -> Catalogue:
    """The known collection, with five documents that state each field."""
    known = known_collection()
    schemas = tuple(
        replace(each, fields=tuple(replace(field, documents=5) for field in each.fields))
        for each in known.schemas
    )
    return replace(known, fingerprint="known with values", schemas=schemas)


def answer_of(plan: Plan, documents: tuple[str, ...], value: Value | None = None) -> Answer:
    table = Table(
        columns=(Column(name="Document", type="text"),),
        rows=tuple((id,) for id in documents),
        documents=documents,
    )
    return Answer(
        question=plan.question,
        trace_id="t",
        data_version=1,
        status=Status.ANSWERED,
        kind=plan.kind,
        route=Route.STRUCTURED,
        text="",
        table=table,
        value=value,
    )


def offered_after(question: str, value: Value | None = None, count: int = 2) -> tuple[str, ...]:
    catalogue = collection()
    plan = planned(question)
    ids = tuple(each.id for each in catalogue.documents if each.schema == "contracts")[:count]
    return going_on(plan, answer_of(plan, ids, value), catalogue)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_offered_is_another_one(question: str) -> None:
    offered = offered_after(question)
    assert 0 < len(offered) <= COUNT
    assert len({question, *offered}) == len(offered) + 1


def test_of_those_that_lack_a_thing_those_that_have_it_are_offered_first() -> None:
    assert offered_after("Which contracts lack force majeure?")[0] == "Which contracts have force majeure?"


def test_a_sum_leads_to_its_groups_and_to_the_highest() -> None:
    offered = offered_after("What is the total value of contracts expiring in Q4 2024?")
    assert any(" per " in each for each in offered)
    assert any("highest" in each for each in offered)


def test_one_value_leads_to_the_same_field_of_all() -> None:
    value = Value(type="date", value="2025-06-30")
    offered = offered_after("What is the expiration date of the Consulting Agreement?", value=value, count=1)
    assert offered[0] == "What is the expiration date of all contracts?"


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
        "What is the expiration date of “Warehouse lease”?",
    ]


def test_only_questions_that_are_answered_are_examples_and_no_more_are_tried() -> None:
    tried = list[str]()

    def is_answered(question: str) -> bool:
        tried.append(question)
        return not question.startswith("Which contracts")

    assert examples(CATALOGUE, (), is_answered) == tuple(tried[1:])
    assert len(tried) == 1 + COUNT


def test_an_empty_catalogue_has_no_examples() -> None:
    assert list(example_questions(Catalogue())) == []


def test_only_kinds_in_the_buckets_are_asked_about() -> None:
    assert list(example_questions(CATALOGUE, ("invoices",))) == ["Which invoice has the highest total?"]


def test_without_any_evidence_the_program_is_asked_about() -> None:
    assert len(set(suggest("Anything?", (), ()))) == 3


def test_titles_are_offered_for_summaries() -> None:
    found = suggest("Anything?", (), (), ["Lease", "Manual", "Policy", "Lease"])
    assert found == ("Summarise “Lease”", "Summarise “Manual”", "Summarise “Policy”")


def test_the_question_just_asked_is_not_suggested() -> None:
    assert "Summarise “Lease”" not in suggest("summarise “lease”", (), (), ["Lease", "Manual"])


def test_titles_that_cannot_be_read_are_left_out() -> None:
    assert all("0000" not in line for line in suggest("q", (), (), ["0000-11", "x" * 200]))


def test_a_summary_just_asked_for_is_not_suggested_in_another_spelling() -> None:
    found = suggest("Summarize the warehouse lease", (), (), ["WAREHOUSE LEASE", "Manual"])
    assert found[0] == "Summarise “Manual”"
