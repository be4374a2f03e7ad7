from __future__ import annotations

import pytest

from core.domain.answer import Kind, Route
from core.plan.build.deciding import asks_for_any, deciding, is_universal
from core.plan.ir.nodes import Plan, SelectionNode, is_about
from tests.support.conversations import plan_of
from tests.support.known_collection import known_collection


@pytest.mark.parametrize(
    ("question", "decides"),
    [
        ("Are there any contracts without insurance?", "any"),
        ("Do we have a contract that lacks force majeure?", "any"),
        ("Is there a contract with Castor governed by Texas law?", "any"),
        ("Do all contracts have insurance?", "all"),
        ("Does every contract have a governing law?", "all"),
        ("Do the Castor contracts have insurance?", "all"),
        ("Do any of the Castor contracts have insurance?", "any"),
        ("Does at least one of the Castor contracts have insurance?", "any"),
        ("Does the cleaning contract have a force majeure clause?", "there"),
        ("Is the Castor contract governed by Texas law?", "there"),
        ("Does the contract have a force majeure clause?", "there"),
        ("Which contracts lack insurance?", ""),
        ("How many contracts have insurance?", ""),
        ("Is the construction contract worth less than the cleaning contract?", ""),
    ],
)
def test_what_a_yes_or_no_is_about(question: str, decides: str) -> None:
    assert plan_of(question).decides == decides


def test_conditions_on_names_say_which_documents_are_meant() -> None:
    plan = plan_of("Is the Castor contract governed by Texas law?")
    node = plan.nodes[-1]
    assert isinstance(node, SelectionNode)
    assert [is_about(each) for each in node.conditions] == [True, True, False]


def test_a_condition_on_a_name_alone_stays_what_is_asked() -> None:
    node = plan_of("Do we have a contract with Castor?").nodes[-1]
    assert isinstance(node, SelectionNode)
    assert not is_about(node.conditions[-1])


def test_a_plan_that_decides_nothing_stays_as_it_is() -> None:
    plan = Plan(question="q", kind=Kind.LOOKUP, route=Route.HYBRID)
    assert deciding(plan, "", known_collection()) is plan


def test_words_that_ask_for_any_or_for_all() -> None:
    assert asks_for_any("Is there a lease?")
    assert asks_for_any("do we have anything on ISO 9001")
    assert not asks_for_any("Is the lease signed?")
    assert is_universal("Do all contracts have a cap?")
    assert not is_universal("Do contracts have a cap?")
