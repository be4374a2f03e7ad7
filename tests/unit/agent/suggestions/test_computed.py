"""Follow-up questions of computed answers, made of their plans."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.agent.suggestions.computed import COUNT, GoingOn
from core.domain.answer import Answer, Column, Route, Status, Table, Value
from core.domain.results import Documents, Result, Unknown
from core.plan.catalogue import Catalogue
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
    return replace(known, schemas=schemas)


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


def going_on(
    question: str, given: Result | None = None, value: Value | None = None, count: int = 2
) -> tuple[str, ...]:
    catalogue = collection()
    plan = planned(question)
    ids = tuple(each.id for each in catalogue.documents if each.schema == "contracts")[:count]
    answer = answer_of(plan, ids, value)
    return GoingOn().questions(plan, answer, given or Documents(present=frozenset(ids)), catalogue)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_offered_is_another_one(question: str) -> None:
    offered = going_on(question)
    assert 0 < len(offered) <= COUNT
    assert len({question, *offered}) == len(offered) + 1


def test_of_those_that_lack_a_thing_those_that_have_it_are_offered_first() -> None:
    assert going_on("Which contracts lack force majeure?")[0] == "Which contracts have force majeure?"


def test_a_sum_leads_to_its_groups_and_to_the_next_quarter() -> None:
    offered = going_on("What is the total value of contracts expiring in Q4 2024?")
    assert any(" per " in each for each in offered)
    assert any("in Q1 2025" in each for each in offered)


def test_one_value_leads_to_the_same_field_of_all() -> None:
    value = Value(type="date", value="2025-06-30")
    offered = going_on("What is the expiration date of the Consulting Agreement?", value=value, count=1)
    assert offered[0] == "What is the expiration date of all contracts?"


def test_an_amount_in_another_currency_leads_to_the_same_limit_in_that_one() -> None:
    ids = [each.id for each in collection().documents if each.schema == "contracts"]
    unknown = {ids[0]: Unknown(field="contract_value", reason="USD")}
    given = Documents(uncertain=frozenset(ids[:1]), unknown=unknown)
    offered = going_on("contracts over 100k EUR", given, count=0)
    assert offered[0] == "Which contracts have a contract value above USD 100,000?"
