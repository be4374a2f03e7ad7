"""Fields that words call by their own names."""

from __future__ import annotations

import pytest

from core.domain.predicate import Operator
from core.plan.check.called import is_called_so
from core.plan.check.context import CheckContext
from core.plan.ir.nodes import Condition, Plan, Scope
from core.plan.ir.steps import PlanSteps
from core.plan.reading import Operation, ReadCondition, ReadField, Reading, ReadName
from tests.support.known_collection import known_collection

KNOWN = known_collection()


@pytest.mark.parametrize(
    ("words", "name", "probability", "is_so"),
    [
        ("expiring in 2024", "", 1.0, True),
        ("over in 2024", "", 1.0, False),
        ("winding down and expiring in 2024", "", 1.0, False),
        ("expiring in 2024", "supply agreement", 0.4, False),
    ],
)
def test_a_field_may_be_called_so(words: str, name: str, probability: float, is_so: bool) -> None:
    field = ReadField(name="expiration_date", schema_name="contracts", words=words)
    days = ("2024-01-01", "2024-12-31")
    named = (ReadName(words=name, role="kind", probability=probability),) if name else ()
    reading = Reading(
        operation=Operation.LIST,
        kind="contracts",
        names=named,
        conditions=(ReadCondition(field=field, op=Operator.BETWEEN, values=days, words=words),),
        question=f"contracts {words} {name}",
        by="trained",
    )
    steps = PlanSteps()
    tested = Condition(field="expiration_date", op=Operator.BETWEEN, value=days)
    node = steps.select("Find them", Scope(schema_name="contracts"), (tested,), reason="a test")
    plan = Plan(
        question=reading.question,
        kind="aggregate",
        route="structured",
        nodes=tuple(steps.nodes),
        answer_node=node.id,
    )

    assert is_called_so(CheckContext(plan, reading, KNOWN)) is is_so
