"""What documents and rows of tables both state: it is counted once, and the plan says of which."""

from __future__ import annotations

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify
from core.plan.forms.rows.plans import RowPlan
from core.plan.ir.nodes import ComputationNode, Condition, Note, Plan, SelectionNode, flattened

_TEXTS = (FieldType.TEXT, FieldType.ENUM)


def rows_say_more(planned: Plan | Clarify, catalogue: Catalogue) -> bool:
    """Whether rows that cover a question answer it better than this plan over documents."""
    return _computes_with_items(planned, catalogue) or _chooses_nothing(planned, catalogue)


def _computes_with_items(planned: Plan | Clarify, catalogue: Catalogue) -> bool:
    """Whether a plan computes over documents that are chosen by one of their many items.

    What such a document comes to is more than the item: the row of the item says what that costs.
    """
    if isinstance(planned, Clarify) or not any(isinstance(node, ComputationNode) for node in planned.nodes):
        return False
    conditions = [
        each
        for node in planned.nodes
        if isinstance(node, SelectionNode)
        for each in flattened(node.conditions)
    ]
    fields = [catalogue.field(condition.field) for condition in conditions]
    return any(field is not None and field.many and field.type in _TEXTS for field in fields)


def _chooses_nothing(planned: Plan | Clarify, catalogue: Catalogue) -> bool:
    """Whether a plan chooses documents by a value that none of them states, such as a choice of a schema."""
    if isinstance(planned, Clarify):
        return False
    known = {(each.field, each.text.casefold()) for each in catalogue.values if each.documents}
    for node in planned.nodes:
        for clause in node.conditions if isinstance(node, SelectionNode) else ():
            if not isinstance(clause, Condition) or clause.op is not Operator.EQUAL:
                continue
            entry = catalogue.field(clause.field)
            is_choice = entry is not None and entry.type is FieldType.ENUM
            said = clause.value.casefold() if is_choice and isinstance(clause.value, str) else None
            if said is not None and (clause.field, said) not in known:
                return True
    return False


def says_once(planned: Plan | Clarify, over_rows: RowPlan) -> Plan | Clarify:
    """The plan over documents, which names the table that states the same again and is not counted."""
    rows = over_rows.planned
    if isinstance(planned, Clarify) or isinstance(rows, Clarify):
        return planned
    computed = next((node for node in planned.nodes if isinstance(node, ComputationNode)), None)
    source = next((node for node in rows.nodes if isinstance(node, SelectionNode)), None)
    if computed is None or source is None:
        return planned
    note = Note(
        phrase="",
        reading=f"{source.purpose}: these rows may repeat the documents, and are not counted with them",
        node=computed.id,
    )
    return planned.model_copy(update={"notes": (*planned.notes, note)})
