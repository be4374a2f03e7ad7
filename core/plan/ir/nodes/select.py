"""Select: the documents, or rows of their tables, that fulfil conditions."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Literal

from core.domain.trust.permission import Trait
from core.plan.catalogue import SchemaEntry
from core.plan.ir.node import OtherField, SelectionNode, flattened, referenced
from core.plan.ir.spec import (
    SETS,
    Checks,
    EstimateSetting,
    FormField,
    NodeEstimate,
    NodeSpec,
    Said,
    TraitSetting,
    order_row,
)
from core.plan.ir.statistics import Cost, clause_share, in_scope
from core.plan.ir.verbalise import select_text


class Select(SelectionNode):
    """Ask every document in scope (or every row of its tables) for conditions that must all hold.

    An input of documents narrows the scope to those that it found, and keeps what it could not decide; one
    of rows narrows rows of the same tables to these.
    fields: shown of each row, beside those of the conditions. order_by: a field; limit: the first rows of
    that order, and all that are equal to the last. Gives documents, or rows where `of` is "rows": of
    `tables`; no fields show all columns.
    """

    type: Literal["select"] = "select"


def _checks(node: Select, checks: Checks) -> Said:
    yield from checks.scope(node.scope)
    referred = set(referenced(node.conditions))
    for name in referred - set(node.inputs):
        yield f"It takes a value from {name!r}, which is not an input of it.", "Connect the two nodes."
    for name in referred & set(node.inputs):
        if name not in checks.values:
            yield f"{name!r} gives no single value.", "Refer to a hop, or to one computed value."
    sets = [name for name in node.inputs if name not in referred]
    if len(sets) > 1:
        yield "It is narrowed by more than one set.", "Combine the sets first."
    for name in sets:
        if checks.types[name] not in SETS:
            yield f"{name!r} gives no documents.", "Connect a node that gives documents."
    if node.of == "rows":  # said as SQL before they run, which the gate judges
        return
    for condition in flattened(node.conditions):
        yield from checks.condition(node, condition)
    for name in (*node.fields, *((node.order_by,) if node.order_by else ())):
        yield from checks.known(node, name)
    if node.into:
        yield from checks.converted(node, node.into, node.order_by)


def _estimate(node: Select, setting: EstimateSetting) -> NodeEstimate:
    documents = in_scope(node.scope, setting.catalogue)
    size = len(documents)
    is_narrowed = bool(setting.taken) and not set(node.inputs) <= set(referenced(node.conditions))
    within = min([size, *setting.taken]) if is_narrowed else size
    shares = [
        clause_share(each, node.scope, setting.catalogue, setting.statistics)
        for each in node.conditions
        if documents
    ]
    rows = round(within * prod(shares))
    if node.limit is not None:
        rows = min(rows, node.limit)
    named = setting.catalogue.schema(node.scope.schema_name)
    what = f" of the kind {named.title.lower()}" if named else ""
    said = f"{size:,} document{'' if size == 1 else 's'}{what}"
    if node.conditions:
        said += f", of which about {prod(shares):.0%} fulfil the conditions".replace("%", " %")
    return NodeEstimate(size, rows, said)


def _purpose(node: Select, noun: str, schema: SchemaEntry | None) -> str:
    named = len(node.scope.documents)
    noun = f"{named:,} named document{'' if named == 1 else 's'}" if named else noun
    return select_text(noun, node.conditions, schema)


def _fields(node: Select) -> tuple[str, ...]:
    found: list[str] = []
    for each in flattened(node.conditions):
        other = (each.value.field,) if isinstance(each.value, OtherField) else ()
        found += [each.field, each.minus, *other]
    return (*found, *node.fields, node.order_by)


def _shown(node: Select) -> tuple[str, ...]:
    asked = (each.field for each in flattened(node.conditions) if not each.narrows)
    return (*asked, *node.fields, node.order_by)


def _asks(node: Select, setting: TraitSetting) -> Iterable[Trait]:
    """What is first in an order of amounts is their greatest or least."""
    if setting.asks_absence(node) or setting.is_held_against_policy(node):
        yield Trait.COMPLIANCE
    if node.order_by and setting.is_money(node, node.order_by):
        yield Trait.FINANCIAL_AGGREGATE


SELECT = NodeSpec(
    node=Select,
    word="Select",
    about="Documents that fulfil conditions",
    takes=SETS,
    gives=lambda node: node.of,
    unit=lambda node: "document" if node.of == "documents" else "row",
    cost=Cost(30.0, 0.02),
    estimate=_estimate,
    checks=_checks,
    begins="Narrow what was found",
    parts=lambda start: {"scope": start.scope},
    form=(
        FormField("scope", "", "scope"),
        FormField("conditions", "Condition", "conditions"),
        order_row("Title"),
        FormField("into", "Orders amounts in", "line", none="each as it is stated"),
        FormField("fields", "Also shows", "fields", none="No more fields"),
    ),
    purpose=_purpose,
    fields=_fields,
    shown=_shown,
    rows=lambda node: node.limit or 0,
    looks_at="scope",
    asks=_asks,
)
