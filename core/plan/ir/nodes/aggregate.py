"""Aggregate: a computation over documents or rows, whole or in groups."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from math import prod
from typing import Literal

from core.domain.annotation import Calculation as Function
from core.domain.fields import AMOUNTS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.domain.trust.permission import Trait
from core.plan.catalogue import SchemaEntry
from core.plan.ir.node import ComputationNode, without_aspect
from core.plan.ir.spec import (
    COMPUTED,
    SUMMED,
    Checks,
    EstimateSetting,
    FormField,
    FormRow,
    NodeEstimate,
    NodeSpec,
    Said,
    Title,
    TraitSetting,
    counted_inputs,
)
from core.plan.ir.statistics import Cost
from core.plan.ir.verbalise import aggregate_text

_FUNCTIONS = {
    Function.COUNT: "Count",
    Function.SUM: "Sum",
    Function.AVG: "Average",
    Function.MEDIAN: "Median",
    Function.MIN: "Lowest",
    Function.MAX: "Highest",
    Function.DISTINCT: "Different values",
}
OF_GROUPS = INEQUALITIES | {Operator.EQUAL, Operator.NOT_EQUAL, Operator.BETWEEN}
"""Comparisons with what each group comes to."""
_UNSUMMED = {FieldType.BOOLEAN: "yes or no", FieldType.DATE: "dates", FieldType.PARTY: "names"}


class Aggregate(ComputationNode):
    """Compute over a field of the documents or rows of its one input; COUNT of "" counts them. Gives groups.

    group_by: fields, and aspects of dates and amounts (`expiration_date.quarter`, `fee.unit`).
    top: the first groups by value, and all that are equal to the last; 0 for all in the order of their keys.
    into: a currency to convert amounts to, by the rates of the home where no `rates` are stated: what one of
    each other unit is worth in it, as decimals.
    shared: of several inputs, the groups that all of them have, or those of the first that no other has.
    """

    type: Literal["aggregate"] = "aggregate"


def _checks(node: Aggregate, checks: Checks) -> Said:
    if node.shared and (len(node.inputs) < 2 or not node.group_by or node.function is not Function.COUNT):
        yield ("Groups are shared by two sets or more.", "Connect them, count, and choose what to group by.")
    if not node.shared and len(node.inputs) != 1:
        yield f"It has {counted_inputs(node)}, and needs one.", "Connect a node that gives documents."
    yield from checks.inputs(node, ("documents",) if node.shared else ("documents", "rows"))
    if not node.field and node.function is not Function.COUNT:
        yield f"A {node.function.value} needs a field.", "Choose the field to compute over."
    if not any(checks.types[name] == "rows" for name in node.inputs):
        yield from _field_checks(node, checks)
        if node.combined:
            yield "Only columns of rows are combined.", "Ask rows of a table."
    if node.as_share and (node.function is not Function.COUNT or node.field or node.group_by):
        yield "A share is one of documents that are counted.", "Count documents, all together."
    if node.having is not None and node.having.op not in OF_GROUPS:
        yield "Groups are chosen by comparing their values.", "Use one of = != > >= < <= between."
    if node.into and not node.rates:
        yield from checks.converted(node, node.into, node.field)
        if node.combined:
            yield "Two columns together are not converted.", "Convert each by itself."
    for unit, rate in node.rates.items():
        if not rate.replace(".", "", 1).isdecimal() or not Decimal(rate):
            yield f"The rate {rate!r} of {unit} is no number.", "Write it with a point: 1.08."


def _field_checks(node: Aggregate, checks: Checks) -> Said:
    if node.field:
        yield from checks.known(node, node.field)
        entry = checks.field(node, node.field)
        if entry is not None and node.function in SUMMED and not _is_summed(entry.type, node.function):
            yield (
                f"{entry.title} holds {_UNSUMMED.get(entry.type, 'texts')}, "
                f"which have no {node.function.value}.",
                "Count them, or choose a field of amounts, numbers or durations.",
            )
    for name in node.group_by:
        yield from checks.known(node, without_aspect(name))


def _is_summed(kind: FieldType, function: Function) -> bool:
    return kind in AMOUNTS or (function is Function.MEDIAN and kind is FieldType.DATE)


def _estimate(node: Aggregate, setting: EstimateSetting) -> NodeEstimate:
    sizes = []
    for name in node.group_by:
        stem = name.partition(".")[0]
        found = {each.text for each in setting.catalogue.values if each.field == stem}
        sizes.append(max(1, len(found) or 4))
    groups = min(prod(sizes), node.top) if node.top else prod(sizes)
    because = "values that these fields have" if node.group_by else "one value"
    return NodeEstimate(sum(setting.taken), groups, because)


def _purpose(node: Aggregate, noun: str, schema: SchemaEntry | None) -> str:
    said = aggregate_text(node.function, node.field, node.group_by, noun, schema)
    return (
        f"{said} as a share in percent" if node.as_share else f"{said}{f' in {node.into}' * bool(node.into)}"
    )


def _of(node: Aggregate, title: Title) -> str:
    return title(node.field) if node.field else "Documents"


def _first(node: Aggregate, title: Title) -> str:
    return f"The {'highest' if node.descending else 'lowest'} {node.top:,}" if node.top else ""


def _asks(node: Aggregate, setting: TraitSetting) -> Iterable[Trait]:
    names = (node.field, node.other) if node.combined else (node.field,)
    if node.function in COMPUTED and any(name and setting.is_money(node, name) for name in names):
        yield Trait.FINANCIAL_AGGREGATE


AGGREGATE = NodeSpec(
    node=Aggregate,
    word="Compute",
    about="Count, add up, average, group",
    takes=("documents", "rows"),
    gives=lambda node: "groups",
    unit=lambda node: "group",
    cost=Cost(20.0, 0.02),
    estimate=_estimate,
    checks=_checks,
    begins="Count them",
    parts=lambda start: {"function": Function.COUNT},
    form=(
        FormRow(
            (
                FormField("function", "Computes", "choice", options=_FUNCTIONS),
                FormField("field", "Of", "field", none="Documents", says=_of),
            ),
            (1, 1.6),
        ),
        FormField("group_by", "For each", "groups", key="groups", none="All together", high=3),
        FormRow(
            (
                FormField(
                    "top", "First groups (0: all)", "number", brief="First groups", high=100_000, says=_first
                ),
                FormField("descending", "Highest first", "switch"),
            ),
            (1, 1.6),
            is_level=True,
        ),
        FormField("rates", "Converts", "rates"),
    ),
    purpose=_purpose,
    fields=lambda node: (node.field, node.other, *node.group_by),
    shown=lambda node: (node.field, node.other, *(name.partition(".")[0] for name in node.group_by)),
    words=lambda node: (node.into, *node.group_by),
    rows=lambda node: node.top,
    is_value=lambda node: not node.group_by,
    asks=_asks,
)
