"""Shares of documents: which questions ask for one, and which plans can give it."""

from __future__ import annotations

import pytest

from core.plan.ir.nodes import ComputationNode, Plan
from core.plan.ir.validate import validate
from tests.support.conversations import plan_of
from tests.support.known_collection import known_collection


def _is_share(plan: Plan) -> bool:
    node = plan.node(plan.answer_node or "")
    return isinstance(node, ComputationNode) and node.as_share


@pytest.mark.parametrize(
    "question",
    [
        "What percentage of our contracts has insurance?",
        "What share of the contracts is governed by Texas law?",
        "How many percent of the contracts lack insurance?",
        "Which proportion of contracts have a force majeure clause?",
    ],
)
def test_a_share_is_a_count_told_in_percent(question: str) -> None:
    plan = plan_of(question)
    assert _is_share(plan)
    assert plan.uncovered == ()
    assert validate(plan, known_collection()) == ()


def test_a_number_is_no_share() -> None:
    assert not _is_share(plan_of("How many contracts have insurance?"))


def test_of_several_conditions_it_is_not_known_which_make_the_whole() -> None:
    plan = plan_of("What share of the contracts with insurance is governed by Texas law?")
    assert not _is_share(plan)
    assert "share" in plan.uncovered
