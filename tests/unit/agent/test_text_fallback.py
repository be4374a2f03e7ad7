"""Plans that run where no text answered."""

from __future__ import annotations

from typing import cast

import pytest

from core.agent.text_fallback import UNMENTIONED, unmentioned
from core.domain.answer import Answer
from core.plan.ir.nodes import Plan, Scope
from core.plan.ir.steps import PlanSteps
from core.plan.reading import Operation, Reading


class Nothing:
    """An answer of a text that mentions no receipts."""

    question = "Which receipts lapse?"
    gaps = ("receipts", "No page says more.")


@pytest.mark.parametrize(("probability", "surest"), [(0.3, 0.3), (None, 1.0)])
def test_a_plan_is_no_surer_than_the_reading_that_could_not_stand_alone(
    probability: float | None, surest: float
) -> None:
    steps = PlanSteps()
    node = steps.select("Find them", Scope(schema_name="receipts"), (), reason="a test")
    reading = None
    if probability is not None:
        reading = Reading(
            operation=Operation.LIST, by="trained", question=Nothing.question, probability=probability
        )
    plan = Plan(
        question=Nothing.question,
        kind="aggregate",
        route="structured",
        nodes=tuple(steps.nodes),
        answer_node=node.id,
        reading=reading,
    )

    made = unmentioned(plan, cast("Answer", Nothing()))

    assert min(each.confidence for each in made.notes if not each.node) == surest
    said = [each.phrase for each in made.notes if each.reading == UNMENTIONED]
    assert said == ["", "receipts"]
