from __future__ import annotations

from typing import Any

import pytest

from core.domain.answer import Kind
from core.domain.predicate import Operator
from core.errors import PlanError
from core.plan.ir.nodes import Choice, Combine, Condition, Reference, Select
from core.plan.ir.validate import check
from tests.support.known_collection import known_collection
from tests.support.model_plans import condition, planned, step


def test_a_selection_with_a_count_runs_as_a_plan_of_rules_does() -> None:
    plan = planned(
        step("s1", "select", kind="contracts", conditions=[condition("governing_law", "=", "Delaware")]),
        step("s2", "aggregate", inputs=["s1"], how="count"),
    )

    check(plan, known_collection())
    assert [node.type for node in plan.nodes] == ["select", "aggregate"]
    assert plan.nodes[1].inputs == ("select-1",)
    assert plan.answer_node == "aggregate-1"
    assert plan.by == "model"
    assert plan.kind is Kind.AGGREGATE


def test_conditions_of_one_number_are_alternatives() -> None:
    plan = planned(
        step(
            "s1",
            "select",
            conditions=[
                condition("governing_law", "=", "Delaware", either=1),
                condition("governing_law", "=", "Texas", either=1),
                condition("liability_cap_amount", "is-missing"),
            ],
        )
    )
    node = plan.nodes[0]

    assert isinstance(node, Select)
    missing, either = node.conditions
    assert isinstance(missing, Condition)
    assert missing.op is Operator.MISSING
    assert isinstance(either, Choice)
    assert [each.value for each in either.any_of] == ["Delaware", "Texas"]


def test_a_value_may_come_from_a_step_before() -> None:
    plan = planned(
        step("s1", "select"),
        step("s2", "aggregate", inputs=["s1"], how="avg", field="annual_fee"),
        step("s3", "select", conditions=[condition("annual_fee", ">", "$s2")]),
    )
    node = plan.nodes[2]

    assert isinstance(node, Select)
    assert node.inputs == ("aggregate-1",)
    assert isinstance(node.conditions[0], Condition)
    assert node.conditions[0].value == Reference(node="aggregate-1")


def test_sets_are_combined_and_documents_named_by_short_ids() -> None:
    plan = planned(
        step("a", "select", documents=["d1"]),
        step("b", "select"),
        step("c", "combine", inputs=["b", "a"], how="difference"),
    )

    assert isinstance(plan.nodes[2], Combine)
    assert plan.nodes[0].scope.documents == ("real-id",)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("steps", "answer", "says"),
    [
        ([step("s1", "select", inputs=["s9"])], "s1", "no step before it"),
        ([step("s1", "select")], "s7", "no step"),
        ([step("s1", "select", documents=["d9"])], "s1", "does not list"),
        ([step("s1", "select"), step("s2", "combine", inputs=["s1"], how="xor")], "s2", "xor"),
        ([step("s1", "select"), step("s2", "aggregate", inputs=["s1"], how="guess")], "s2", "guess"),
        ([step("s1", "select"), step("s2", "compare", inputs=["s1"], how="guess")], "s2", "guess"),
        ([step("s1", "select", conditions=[condition("total", "=", "1", "2")])], "s1", "2 values"),
        ([step("s1", "select"), step("s2", "compare", inputs=["s1"], labels=["one"])], "s2", "labels"),
    ],
)
def test_what_the_plan_language_cannot_say_is_told_to_the_model(
    steps: list[dict[str, Any]], answer: str, says: str
) -> None:
    with pytest.raises(PlanError) as caught:
        planned(*steps, answer=answer)
    assert says in f"{caught.value.message} {caught.value.next_step}"


def test_words_that_no_step_answers_are_not_covered() -> None:
    assert planned(step("s1", "select"), left_out=["in spring", "in spring", " "]).uncovered == ("in spring",)
