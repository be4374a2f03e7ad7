"""Words that change what is asked for, and that a plan does not keep."""

from __future__ import annotations

import pytest

from core.plan.guards.lost_words import with_lost_words
from core.plan.ir.nodes import Plan
from core.plan.planner import RulePlanner
from tests.support.known_readings import COLLECTION, TODAY

RULES = RulePlanner(COLLECTION, None, TODAY)


def uncovered(question: str, planned_as: str) -> tuple[str, ...]:
    plan = RULES.plan(planned_as)
    assert isinstance(plan, Plan)
    found = with_lost_words(question, plan, COLLECTION)
    assert isinstance(found, Plan)
    return found.uncovered


@pytest.mark.parametrize(
    ("question", "lost"),
    [
        ("How many more contracts have insurance than lack it?", "many more"),
        ("contracts with insurance only with Beta Corp", "only with"),
        ("contracts that expire before they were signed", "before they were"),
        ("contracts that Beta Corp signed as customer", "as customer"),
        ("What is twice the liability cap of the lease?", "twice"),
    ],
)
def test_a_word_that_the_plan_does_not_keep_is_not_covered(question: str, lost: str) -> None:
    assert uncovered(question, "contracts with insurance") == (lost,)


@pytest.mark.parametrize(
    "question", ["How many contracts have insurance?", "only contracts with insurance", "more contracts"]
)
def test_plain_words_are_none(question: str) -> None:
    assert uncovered(question, "contracts with insurance") == ()


def test_a_part_that_the_plan_asks_for_is_kept() -> None:
    question = "contracts with Meridian Utilities as customer"
    assert uncovered(question, question) == ()
