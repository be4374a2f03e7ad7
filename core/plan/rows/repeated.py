"""What documents and rows of tables both state: it is counted once, and the plan says of which."""

from __future__ import annotations

from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify
from core.plan.ir import Aggregate, Condition, Note, Plan, Select
from core.plan.rows.plans import RowPlan

_TEXTS = (FieldType.TEXT, FieldType.ENUM)


def computes_with_items(planned: Plan | Clarify, catalogue: Catalogue) -> bool:
    """Whether a plan computes over documents that are chosen by one of their many items.

    What such a document comes to is more than the item: the row of the item says what that costs.
    """
    if isinstance(planned, Clarify) or not any(isinstance(node, Aggregate) for node in planned.nodes):
        return False
    conditions = [
        each
        for node in planned.nodes
        if isinstance(node, Select)
        for clause in node.conditions
        for each in ((clause,) if isinstance(clause, Condition) else clause.any_of)
    ]
    fields = [catalogue.field(condition.field) for condition in conditions]
    return any(field is not None and field.many and field.type in _TEXTS for field in fields)


def says_once(planned: Plan | Clarify, over_rows: RowPlan) -> Plan | Clarify:
    """The plan over documents, which names the table that states the same again and is not counted."""
    rows = over_rows.planned
    if isinstance(planned, Clarify) or isinstance(rows, Clarify):
        return planned
    computed = next((node for node in planned.nodes if isinstance(node, Aggregate)), None)
    source = next((node for node in rows.nodes if isinstance(node, Select)), None)
    if computed is None or source is None:
        return planned
    note = Note(
        phrase="",
        reading=f"{source.purpose}: these rows may repeat the documents, and are not counted with them",
        node=computed.id,
    )
    return planned.model_copy(update={"notes": (*planned.notes, note)})
