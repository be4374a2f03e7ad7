"""Questions that could be read as another one than was asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.domain.answer import Route
from core.plan.catalogue import KnownCatalogue
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan
from core.plan.planner import RulePlanner
from tests.support.known_collection import in_a_line, known_collection


def _often_stated() -> KnownCatalogue:
    """The known collection, where several documents state every field."""
    known = known_collection()
    schemas = tuple(
        replace(each, fields=tuple(replace(field, documents=3) for field in each.fields))
        for each in known.schemas
    )
    return replace(known, fingerprint="often", schemas=schemas)


class _Written:
    """Texts in which only some words stand."""

    def __init__(self, text: str) -> None:
        self._text = text

    def holds(self, phrase: str, buckets: tuple[str, ...] = ()) -> bool:
        return phrase.casefold() in self._text

    def of(self, document: str) -> str:
        return self._text


def planned(question: str, text: str = "") -> Plan | Clarify:
    return RulePlanner(_often_stated(), None, date(2024, 11, 22), texts=_Written(text)).plan(question)


@pytest.mark.parametrize(
    "question",
    [
        "What is the value?",
        "How much is the cap?",
        "how long is the notice period",
        "When does it expire?",
        "What's the liability cap?",
        "What is the expiration date?",
        "What is the governing law?",
        "How much is its annual fee?",
        "When is the effective date?",
        "what is the total",
    ],
)
def test_a_value_of_one_document_that_nothing_names_is_asked_back(question: str) -> None:
    asked = planned(question)
    assert isinstance(asked, Clarify)
    assert len(asked.options) > 1
    assert all(isinstance(planned(each.question), Plan) for each in asked.options[:1])


@pytest.mark.parametrize(
    "question",
    [
        "What is the total contract value?",
        "What are the liability caps?",
        "What is the highest liability cap?",
        "What is the average liability cap?",
        "What is the liability cap in the Consulting Agreement?",
        "What is the value of the Construction Contract?",
        "When does the Consulting Agreement expire?",
        "List the liability cap of all contracts",
        "What is the governing law of each contract?",
        "What is the contract value with Castor Builders?",
    ],
)
def test_all_of_them_and_one_that_is_named_are_not_asked_back(question: str) -> None:
    assert isinstance(planned(question), Plan)


@pytest.mark.parametrize(
    "question",
    [
        "Show me the big contracts",
        "Which contracts are expensive?",
        "List the large invoices",
        "which customers are big",
        "How many small contracts do we have?",
        "What are the cheap agreements?",
        "Which supplier is better?",
        "Give me the significant agreements",
        "Which invoices are too large?",
        "Who is the best vendor?",
        "Show the key contracts",
        "Are any of our contracts expensive?",
    ],
)
def test_a_size_without_a_measure_is_asked_back(question: str) -> None:
    asked = planned(question)
    assert isinstance(asked, Clarify)
    assert asked.type == "vague"
    assert "no criterion" in asked.reason
    assert all(isinstance(planned(each.question), Plan) for each in asked.options)


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("Kindly state the number of Halden's ISO 9001 certificate.", "certificate_number"),
        ("What is the number of the Brightwater invoice?", "invoice_number"),
        ("the number of the certificate of Halden", "certificate_number"),
        ("State the number of invoice 88", "invoice_number"),
        ("Tell me the number of Halden's certificate", "certificate_number"),
    ],
)
def test_the_number_of_one_paper_is_what_stands_on_it(question: str, field: str) -> None:
    assert in_a_line(planned(question)).endswith(f"show {field}")


@pytest.mark.parametrize(
    "question",
    [
        "number of Halden certificates",
        "How many certificates does Halden have?",
        "What is the number of contracts with Halden?",
        "Tell me the number of invoices",
    ],
)
def test_the_number_of_several_papers_is_a_count(question: str) -> None:
    assert in_a_line(planned(question)).endswith("count()")


@pytest.mark.parametrize(
    "question",
    [
        "Who signed the Consulting Agreement?",
        "Who started the Construction Contract?",
        "By whom was the Supply Agreement signed?",
    ],
)
def test_somebody_is_no_date(question: str) -> None:
    plan = planned(question)
    assert isinstance(plan, Plan)
    assert plan.route is not Route.STRUCTURED
    assert "show vendor" in in_a_line(planned("Who is the vendor in the Consulting Agreement?"))


@pytest.mark.parametrize("thing", ["electricity", "coffee", "parking", "catering", "roofing"])
def test_what_no_paper_speaks_of_was_not_paid_for(thing: str) -> None:
    absent = planned(f"How much did Meridian pay for {thing} in 2024?", text="tires and brakes")
    assert isinstance(absent, Clarify)
    assert absent.type == "absent"
    spoken = planned(f"How much did Meridian pay for {thing} in 2024?", text=f"{thing} and brakes")
    assert isinstance(spoken, Plan)


_POLICY = (
    "Every contract with a value above $100,000 contains a termination clause and a force majeure clause."
)


@pytest.mark.parametrize(
    "question",
    [
        "Which contracts lack a clause that our liability policy requires of them?",
        "Which agreements are missing clauses that our liability policy demands?",
        "Which agreements do not have the clauses that the liability policy requires?",
        "How many contracts lack a clause that our liability policy requires?",
        "List the contracts without the clauses our liability policy requires",
        "Which Halden contracts lack a clause that our liability policy requires?",
    ],
)
def test_what_a_policy_requires_of_some_is_asked_of_these_only(question: str) -> None:
    line = in_a_line(planned(question, text=_POLICY))
    assert "contract_value > " in line
    assert "force_majeure" in line


def test_an_amount_in_the_question_stands_in_place_of_that_of_the_policy() -> None:
    question = "Which contracts above $300,000 lack a clause that our liability policy requires?"
    line = in_a_line(planned(question, text=_POLICY))
    assert "300,000" in line or "300000" in line
    assert "100000" not in line.replace(",", "")


@pytest.mark.parametrize(
    ("wanted", "joint"),
    [
        ("contain both of the clauses the policy requires", "; "),
        ("have all clauses that the policy requires", "; "),
        ("contain any of the clauses the policy requires", " | "),
    ],
)
def test_clauses_that_a_policy_requires_may_be_asked_for_as_there(wanted: str, joint: str) -> None:
    question = f"Which contracts with a value above the threshold in our liability policy {wanted}?"
    line = in_a_line(planned(question, text=_POLICY))
    assert "contract_value > @hop-1" in line
    assert f"termination = true{joint}force_majeure = true" in line
