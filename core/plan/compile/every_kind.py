"""Conditions on the date of documents of any kind: each kind is asked for the date that it has."""

from __future__ import annotations

from collections.abc import Iterator

from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, SchemaEntry
from core.plan.ir.nodes import Combine, Condition, Node, Plan, Select, flattened
from core.plan.kinds import kind_names


def of_every_kind(plan: Plan, catalogue: Catalogue) -> Plan:
    """The plan, over the documents of all kinds where its question says "documents" and nothing more of them.

    A reader takes a date for that of the kind whose field is called so; the documents of the others have one
    by another name, the first date of their schema. Those that state none are said to be left out.
    """
    selects = [node for node in plan.nodes if isinstance(node, Select) and node.of == "documents"]
    named = kind_names(catalogue).find(plan.question)
    if len(selects) != 1 or not named or any(each.kind.schema for each in named):
        return plan
    [select] = selects
    own = catalogue.schema(select.scope.schema_name)
    conditions = flattened(select.conditions)
    filled = [each for each in catalogue.schemas if each.documents]
    is_plain = not (select.inputs or select.scope.documents or select.order_by or select.fields)
    if own is None or len(filled) < 2 or not is_plain or not conditions:
        return plan
    if any(each.field != _date_of(own) or each.minus for each in conditions):
        return plan
    dated = [each for each in filled if _date_of(each)]
    if len(dated) < 2:
        return plan
    sides = tuple(_of_kind(select, each) for each in dated)
    joined = Combine(
        id=select.id,
        purpose="Take the documents of every kind",
        inputs=tuple(e.id for e in sides),
        how="union",
    )
    stating = sum(field.documents for each in dated if (field := each.field(_date_of(each))) is not None)
    undated = sum(each.documents for each in filled) - stating
    many = "1 document that states" if undated == 1 else f"{undated:,} documents that state"
    left_out = (f"{many} no date",) if undated > 0 else ()
    return plan.model_copy(
        update={"nodes": tuple(_with(plan, select, sides, joined)), "uncovered": (*plan.uncovered, *left_out)}
    )


def _with(plan: Plan, select: Select, sides: tuple[Select, ...], joined: Combine) -> Iterator[Node]:
    for node in plan.nodes:
        if node is select:
            yield from sides
            yield joined
        else:
            yield node


def _of_kind(select: Select, schema: SchemaEntry) -> Select:
    field = _date_of(schema)
    conditions = tuple(
        each.model_copy(update={"field": field})
        if isinstance(each, Condition)
        else each.model_copy(
            update={"any_of": tuple(one.model_copy(update={"field": field}) for one in each.any_of)}
        )
        for each in select.conditions
    )
    return select.model_copy(
        update={
            "id": f"{select.id}-{schema.name}"[:60],
            "purpose": f"Find {schema.title} by their date",
            "scope": select.scope.model_copy(update={"schema_name": schema.name}),
            "conditions": conditions,
        }
    )


def _date_of(schema: SchemaEntry) -> str:
    """The field with the date of its documents; "" where they have none."""
    return next((each.name for each in schema.fields if each.type is FieldType.DATE and not each.many), "")
