"""Whole questions that follow-ups stand for."""

from __future__ import annotations

import pytest

from core.agent.conversation.standalone import standalone_question
from core.plan.clarify import Clarify
from core.plan.conversation.edit import FollowUpPlan
from tests.support.conversations import CATALOGUE, FOLLOW_UPS, PLANNER, after, plan_of, state_after

TEXAN = "contracts that have Texas as governing law"


def alone(turn: str, before: str = "Which contracts are governed by Texas law?") -> str:
    state = state_after(before)
    found = FOLLOW_UPS.follow(turn, state)
    assert isinstance(found, FollowUpPlan)
    return standalone_question(found, TEXAN, PLANNER.plan, CATALOGUE)


@pytest.mark.parametrize(
    ("turn", "whole"),
    [
        ("how many of those end this year?", f"How many {TEXAN} end this year?"),
        ("Which of those lack force majeure?", f"Which {TEXAN} lack force majeure?"),
        ("what is their total value?", f"What is the total contract value of the {TEXAN}?"),
        ("what about Germany?", "Which contracts have Germany as governing law?"),
    ],
)
def test_a_follow_up_is_a_question_that_is_planned_to_the_same(turn: str, whole: str) -> None:
    assert alone(turn) == whole


def test_a_question_about_one_document_has_its_name() -> None:
    state = after(
        state_after("Which contracts are governed by Texas law?"),
        plan_of("Which contracts are governed by Texas law?"),
    )
    found = FOLLOW_UPS.follow("the second one: when does it expire?", state)
    assert isinstance(found, FollowUpPlan)
    whole = standalone_question(found, TEXAN, PLANNER.plan, CATALOGUE)
    name = CATALOGUE.document("d01").name  # type: ignore[union-attr]
    assert whole == f"When does “{name}” expire?"


def test_nothing_is_shown_where_no_wording_is_planned_to_the_same() -> None:
    found = FOLLOW_UPS.follow(
        "how many of those end this year?", state_after("Which contracts are governed by Texas law?")
    )
    assert isinstance(found, FollowUpPlan)

    def deaf(question: str) -> Clarify:
        return Clarify(type="vague", question=question, reason="?")

    assert standalone_question(found, TEXAN, deaf, CATALOGUE) == ""
