"""Steps over steps: sets joined, sides held against one another, figures calculated with."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.annotation import Calculation
from core.plan.compile.state import CALCULATED, Compilation, StepResult, unique_labels
from core.plan.ir import verbalise
from core.plan.ir.nodes import (
    Calculated,
    Combine,
)
from core.plan.ir.nodes import (
    Outcome as SidesOutcome,
)
from core.plan.reading import (
    Function,
    Operation,
    Outcome,
    Step,
)

MANY_GROUPS = 1_000
_OF_SETS = {Outcome.INTERSECT: "intersect", Outcome.UNION: "union", Outcome.WITHOUT: "difference"}
_OF_SIDES: dict[Outcome, SidesOutcome] = {
    Outcome.VALUES: "values",
    Outcome.DIFFERENCE: "difference",
    Outcome.MORE: "more",
    Outcome.LESS: "less",
    Outcome.GREATEST: "greatest",
    Outcome.LEAST: "least",
}


def of_steps(step: Step, work: Compilation) -> StepResult:
    """A figure or a set made of those of earlier steps."""
    inputs = [work.results[name] for name in step.sides]
    labels = tuple(unique_labels([*step.labels, *(step.sides[len(step.labels) :])]))[: len(inputs)]
    if step.outcome in _OF_SETS:
        node = Combine.model_validate(
            {
                "id": work.steps.next_id("combine"),
                "purpose": {
                    "intersect": "Those in all",
                    "union": "Those in any",
                    "difference": "Leave these out",
                }[_OF_SETS[step.outcome]],
                "inputs": tuple(each.set_node or each.node for each in inputs),
                "how": _OF_SETS[step.outcome],
            }
        )
        work.steps.nodes.append(node)
        if step.operation is Operation.COUNT:
            count = work.steps.aggregate("Count them", (node.id,), Calculation.COUNT)
            return StepResult(count.id, "value", node.id, inputs[0].schema)
        return StepResult(node.id, inputs[0].gives, node.id, inputs[0].schema)
    if step.asked and all(each.gives == "documents" for each in inputs):
        return compared(step, inputs, labels, work)
    values = [_as_value(each, work) for each in inputs]
    if step.outcome is Outcome.VALUES:
        # Figures side by side are those of all sides; which is the greatest is said with them.
        how: Calculated = "greatest"
    else:
        how = CALCULATED[step.outcome]
    made = work.steps.calculate(
        f"Hold {' and '.join(labels)} beside each other"[:300], how, tuple(values), labels
    )
    return StepResult(made.id, "value")


def _as_value(result: StepResult, work: Compilation) -> str:
    """A node that gives one value: what a step computes, else the number of its set."""
    if result.gives in ("documents", "rows"):
        return work.steps.aggregate("Count them", (result.node,), Calculation.COUNT).id
    return result.node


def compared(
    step: Step, inputs: Sequence[StepResult], labels: tuple[str, ...], work: Compilation
) -> StepResult:
    """Sets of documents held against one another on the fields that a step asks for."""
    schema = next((each.schema for each in inputs if each.schema is not None), None)
    fields = tuple(dict.fromkeys(each.name for each in step.asked))
    said = " and ".join(verbalise.title_of(schema, each) for each in fields)
    function = Calculation(step.function.value) if step.function in _CALCULATIONS else None
    node = work.steps.compare(
        f"Compare {said} of {', '.join(labels)}",
        tuple(each.node for each in inputs),
        labels,
        fields,
        function=function,
        outcome=_OF_SIDES.get(step.outcome, "values"),
        reason="the question compares these sides",
    )
    return StepResult(node.id, "comparison", schema=schema)


_CALCULATIONS = (
    Function.COUNT,
    Function.SUM,
    Function.AVG,
    Function.MEDIAN,
    Function.MIN,
    Function.MAX,
    Function.DISTINCT,
)
