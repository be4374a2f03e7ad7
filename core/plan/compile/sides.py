"""Steps over steps: sets joined, sides held against one another, figures calculated with."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, ORDERED
from core.plan.catalogue import FieldEntry, column_key
from core.plan.compile.context import Compilation, ReadingError, StepResult, unique_labels
from core.plan.ir import verbalise
from core.plan.ir.nodes import Calculate, Combine, Compare
from core.plan.reading import Function, Outcome, ReadCondition, Step

MOST_SIDES = 10
MOST_FIELDS = 20
SETS = (Outcome.INTERSECT, Outcome.UNION, Outcome.WITHOUT)
"""Outcomes that are sets."""
_PURPOSES = {"intersect": "Those in all", "union": "Those in any"}
_NO_CALCULATION = (Function.NONE, Function.SHARE)
_OF_FIGURES = (Outcome.RATIO, Outcome.SHARE, Outcome.SUM)
_OF_TWO = (Outcome.DIFFERENCE, Outcome.RATIO, Outcome.SHARE, Outcome.MORE, Outcome.LESS)


def require_sides(count: int, outcome: Outcome) -> None:
    """Raise ReadingError where that many sides have no such outcome."""
    if outcome in SETS:
        raise ReadingError("Sets are joined, not compared.", "Ask for each in a step of its own.")
    if count < 2:
        raise ReadingError("It compares fewer than two things.", "Name both sides.")
    if outcome in _OF_TWO and count != 2:
        raise ReadingError(
            f"{count} things have no {outcome.value}, which is of two.",
            "Compare two, or ask which is the greatest.",
        )
    if count > MOST_SIDES:
        raise ReadingError(
            f"It compares {count} things, and {MOST_SIDES} are possible.", "Compare fewer at once."
        )


def set_of_steps(step: Step, work: Compilation) -> StepResult:
    """A set made of those of earlier steps. Raises ReadingError."""
    results = [work.result(name) for name in step.sides]
    nodes = [each.any_set for each in results]
    if len(nodes) < 2 or not all(nodes):
        raise ReadingError("Only sets are joined, and two at least.", "Ask for the documents of each first.")
    are_rows = [each.gives == "rows" or _is_of_rows(each, work) for each in results]
    if any(are_rows) and not all(are_rows):
        raise ReadingError(
            "Rows of a table and documents are not joined.", "Ask for each in a step of its own."
        )
    of = "rows" if all(are_rows) else "documents"
    if step.outcome is Outcome.WITHOUT:
        first, *others = nodes
        rest = others[0]
        if len(others) > 1:
            rest = work.steps.add(Combine, "Those in any", tuple(others), how="union", of=of).id
        made = work.steps.add(Combine, "Leave these out", (first, rest), how="difference", of=of)
    else:
        how = "intersect" if step.outcome is Outcome.INTERSECT else "union"
        made = work.steps.add(Combine, _PURPOSES[how], tuple(dict.fromkeys(nodes)), how=how, of=of)
        if len(made.inputs) < 2:
            work.steps.nodes.remove(made)
            return StepResult(nodes[0], of, nodes[0], results[0].schema)
    schemas = {each.schema.name for each in results if each.schema is not None}
    schema = results[0].schema if len(schemas) == 1 else None
    return StepResult(made.id, of, made.id, schema)


def compared_conditions(conditions: Sequence[ReadCondition]) -> tuple[ReadCondition, ...]:
    """The conditions that are held against each other: those of the field of most of them, or all."""
    names = [column_key(each.field.name) for each in conditions]
    most = max(names, key=names.count, default="")
    own = tuple(each for each, name in zip(conditions, names, strict=True) if name == most)
    return own if len(own) > 1 else tuple(conditions)


def _is_of_rows(result: StepResult, work: Compilation) -> bool:
    name = result.set_node or result.node
    return any(each.id == name and getattr(each, "of", "") == "rows" for each in work.steps.nodes)


def of_steps(step: Step, work: Compilation) -> StepResult:
    """A figure made of those of earlier steps. Raises ReadingError."""
    inputs = [work.result(name) for name in step.sides]
    require_sides(len(inputs), step.outcome)
    labels = unique_labels([*step.labels, *(step.sides[len(step.labels) :])])[: len(inputs)]
    if step.asked and all(each.gives == "documents" for each in inputs):
        return compared(step, inputs, labels, work)
    values = tuple(_as_value(each, step, work) for each in inputs)
    return StepResult(_beside(values, labels, step.outcome, work), "value")


def figures_beside(
    sets: Sequence[str],
    labels: tuple[str, ...],
    outcome: Outcome,
    work: Compilation,
    said: str,
    function: Calculation,
    name: str,
) -> str:
    """The node of what sets come to beside each other. said: the purpose of each figure."""
    values = tuple(work.steps.aggregate(said, (each,), function, name).id for each in sets)
    return _beside(values, labels, outcome, work)


def _beside(values: tuple[str, ...], labels: tuple[str, ...], outcome: Outcome, work: Compilation) -> str:
    is_share = outcome is Outcome.SHARE
    said = "Calculate the share" if is_share else f"Hold {' and '.join(labels)} beside each other"
    return work.steps.add(Calculate, said, values, how=outcome.value, labels=labels).id


def _as_value(result: StepResult, step: Step, work: Compilation) -> str:
    """A node that gives one value: what a step computes, else the number of its set."""
    if result.gives in ("documents", "rows"):
        return work.steps.aggregate("Count them", (result.node,), Calculation.COUNT).id
    if result.gives != "value":
        raise ReadingError(
            "What each of several groups comes to is not compared.",
            "Ask for one figure of each side.",
            words=step.labels[0] if step.labels else "",
        )
    return result.node


def compared(
    step: Step, inputs: Sequence[StepResult], labels: tuple[str, ...], work: Compilation
) -> StepResult:
    """Sets of documents held against one another on the fields that a step asks for. Raises ReadingError."""
    require_sides(len(inputs), step.outcome)
    schema = next((each.schema for each in inputs if each.schema is not None), None)
    fields = tuple(dict.fromkeys(each.name for each in step.asked))
    entries = [_entry(name, inputs, work) for name in fields]
    function = Calculation(step.function.value) if step.function not in _NO_CALCULATION else None
    if step.outcome is not Outcome.VALUES:
        if len(entries) != 1:
            raise ReadingError(
                f"{len(entries)} fields at once have no {step.outcome.value}.",
                "Compare one field, or hold them beside each other.",
            )
        if entries[0].type not in ORDERED:
            raise ReadingError(
                f"{entries[0].title} has no order in which documents differ.",
                "Compare amounts, numbers or dates.",
                words=step.asked[0].words,
            )
    if len(fields) > MOST_FIELDS:
        raise ReadingError(f"It compares {len(fields)} fields.", "Compare fewer at once.")
    if function in (Calculation.SUM, Calculation.AVG, Calculation.MEDIAN):
        for entry in entries:
            if entry.type not in AMOUNTS:
                raise ReadingError(
                    f"{entry.title} has no {step.function.value}.",
                    "Compare amounts or numbers, or hold them beside each other.",
                )
    if step.outcome in _OF_FIGURES:
        return _calculated(step, inputs, labels, work, entries[0])
    said = " and ".join(verbalise.title_of(schema, each) for each in fields)
    node = work.steps.add(
        Compare,
        f"Compare {said} of {', '.join(labels)}",
        tuple(each.node for each in inputs),
        labels=labels,
        fields=fields,
        function=function,
        outcome=step.outcome.value,
        reason="the question compares these sides",
    )
    return StepResult(node.id, "comparison", schema=schema)


def _calculated(
    step: Step, inputs: Sequence[StepResult], labels: tuple[str, ...], work: Compilation, entry: FieldEntry
) -> StepResult:
    """A ratio, a share or a sum of what a field of each side comes to."""
    if entry.type not in AMOUNTS:
        raise ReadingError(f"{entry.title} is not calculated with.", "Choose an amount or a number.")
    function = Calculation(step.function.value) if step.function not in _NO_CALCULATION else Calculation.SUM
    said = verbalise.aggregate_text(function, entry.name, (), "documents", inputs[0].schema)
    nodes = [each.node for each in inputs]
    return StepResult(figures_beside(nodes, labels, step.outcome, work, said, function, entry.name), "value")


def _entry(name: str, inputs: Sequence[StepResult], work: Compilation) -> FieldEntry:
    """The field that all sides have. Raises ReadingError."""
    sources = [each.schema or work.context.catalogue for each in inputs]
    found = [entry for each in sources if (entry := each.field(name)) is not None]
    if not found or len(found) < len(inputs):
        raise ReadingError(f"Not all of these have a field {name!r}.", "Compare another field.")
    return found[-1]
