"""Queries of cells as the nodes of the plan that asks the same, so that the policies decide both alike."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.annotation import AnnotationSource, Calculation
from core.domain.predicate import OfField, Operator, Predicate
from core.plan.ir.graph_edits import PlanSteps
from core.plan.ir.node import MAX_ROWS, Condition, Node, OtherField, Scope

_LONGEST = 200  # characters of a name in a plan
_PURPOSE = "Asked of cells"


def query_nodes(
    predicates: Sequence[Predicate],
    *,
    source: AnnotationSource | None = None,
    order_by: str = "",
    aggregate: Calculation | str = Calculation.COUNT,
    field: str = "",
) -> tuple[Node, ...]:
    """A selection by the predicates, ordered by a field; and a computation over it where it is of a field.

    Raises UsageError for an unknown operator.
    """
    steps = PlanSteps()
    select = steps.select(
        _PURPOSE,
        Scope(),
        tuple(_condition(each) for each in predicates),
        of="rows" if source is AnnotationSource.ROWS else "documents",
        order_by="" if order_by.startswith("@") else _stem(order_by),
        limit=MAX_ROWS,
    )
    if not field or aggregate not in set(Calculation):
        return (select,)  # of an unknown function, which is refused where it is read
    return (select, steps.aggregate(_PURPOSE, (select.id,), Calculation(aggregate), field[:_LONGEST]))


def _condition(predicate: Predicate) -> Condition:
    name = _stem(predicate.field) or predicate.field[:_LONGEST] or "?"
    if isinstance(predicate.value, OfField):
        value: OtherField | tuple[str, ...] = OtherField(field=predicate.value.name[:_LONGEST] or "?")
    else:
        value = tuple(each if isinstance(each, str) else each.text for each in predicate.values)
    operator = predicate.operator
    if isinstance(value, tuple) and len(value) == 1 and operator not in (Operator.IN, Operator.BETWEEN):
        return Condition(field=name, op=operator, value=value[0], minus=predicate.minus[:_LONGEST])
    return Condition(field=name, op=operator, value=value, minus=predicate.minus[:_LONGEST])


def _stem(name: str) -> str:
    """The field itself: `fee@guess` -> `fee`; "@title" is none."""
    return name.partition("@")[0][:_LONGEST]
