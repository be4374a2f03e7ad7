"""Plans of the whole questions that a turn may stand for, and their conditions on the fields in hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.domain.answer import Route
from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify
from core.plan.conversation.alteration import ClauseClass, clause_class, with_base
from core.plan.conversation.restriction import Clauses, own_clauses, with_purpose
from core.plan.conversation.state import base_of
from core.plan.ir.nodes import Choice, ComputationNode, Condition, Plan, SelectionNode, clause_parts
from core.plan.language.pieces import FieldSenses, Function, Piece, Top
from core.plan.language.reading.read import ParsedQuestion

Planner = Callable[[str], Plan | Clarify]
_MOVED = (ClauseClass.DATE, ClauseClass.AMOUNT)


@dataclass(frozen=True, slots=True)
class Fragment:
    """What the forms of a turn came to. whole: a plan that covers every word; partial: one that leaves some.

    question: of the plan. text: a plan that searches; clarify: the first question back.
    """

    question: str = ""
    whole: Plan | None = None
    partial: Plan | None = None
    text: Plan | None = None
    clarify: Clarify | None = None

    @property
    def plan(self) -> Plan | None:
        """The structured plan, whole if there is one."""
        return self.whole or self.partial


def planned(questions: Iterable[str], plan: Planner) -> Fragment:
    """The plans of these questions: the first that is whole, or what there is."""
    found = Fragment()
    for question in questions:
        made = plan(question)
        if isinstance(made, Clarify):
            found = _with(found, clarify=found.clarify or made)
        elif made.route is not Route.STRUCTURED:
            is_search = bool(made.nodes)
            found = _with(found, text=found.text or (made if is_search else None))
        elif made.uncovered:
            found = _with(found, partial=_better(found.partial, made))
        else:
            return Fragment(question, made, found.partial, found.text, found.clarify)
    return found


def _better(one: Plan | None, other: Plan) -> Plan:
    return other if one is None or len(other.uncovered) < len(one.uncovered) else one


def _with(found: Fragment, **changes: Plan | Clarify | None) -> Fragment:
    said = {"whole": found.whole, "partial": found.partial, "text": found.text, "clarify": found.clarify}
    return Fragment(question=found.question, **{**said, **changes})  # type: ignore[arg-type]


def clauses_of(plan: Plan) -> Clauses:
    """The conditions that a plan of a fragment adds; () where its documents are chosen in another way."""
    base = base_of(plan)
    return own_clauses(base) if base is not None else ()


def computes(plan: Plan) -> ComputationNode | None:
    """The computation that gives the answer of a plan; None where it lists."""
    node = plan.node(plan.answer_node) if plan.answer_node else None
    return node if isinstance(node, ComputationNode) else None


def on_fields_in_hand(
    plan: Plan, reading: ParsedQuestion, anchor: Plan | None, catalogue: Catalogue, value_field: str = ""
) -> Plan:
    """The plan with its days, amounts and order on the fields that were spoken of, where it names none.

    value_field: of the value that the turn points at.
    """
    base = base_of(plan)
    before = base_of(anchor)
    schema = base.scope.schema_name if base is not None else ""
    if base is None or before is None or _names_field(reading.pieces, schema):
        return plan
    plan = _computed(plan, schema, anchor, catalogue)
    conditions = tuple(
        _moved(clause, schema, _target(clause, schema, before, anchor, catalogue, value_field))
        for clause in base.conditions
    )
    changed = base.model_copy(update={"conditions": conditions})
    if base.order_by:
        changed = _ordered(changed, reading, before, anchor, catalogue)
    return with_base(plan, with_purpose(changed, catalogue)) if changed != base else plan


def _names_field(pieces: Iterable[Piece], schema: str) -> bool:
    senses = (piece.meaning for piece in pieces if isinstance(piece.meaning, FieldSenses))
    return any(match.field.schema == schema for each in senses for match in each.matches)


def _computed(plan: Plan, schema: str, anchor: Plan | None, catalogue: Catalogue) -> Plan:
    """The plan with what it computes over the amount that was spoken of."""
    node = computes(plan)
    if node is None or not node.field:
        return plan
    entry = catalogue.field(node.field, schema)
    kinds = AMOUNTS if entry is None or entry.type in AMOUNTS else (entry.type,)
    target = next((name for name in spoken_of(anchor) if _is_of(name, schema, kinds, catalogue)), "")
    changed = node.model_copy(update={"field": target or node.field})
    return plan.model_copy(update={"nodes": tuple(changed if n.id == node.id else n for n in plan.nodes)})


def _target(
    clause: Condition | Choice,
    schema: str,
    before: SelectionNode,
    anchor: Plan | None,
    catalogue: Catalogue,
    value_field: str,
) -> str:
    """The field that a condition is to be on; "" for its own."""
    own = clause_class(clause, schema, catalogue)
    parts = clause_parts(clause)
    is_plain = len({each.field for each in parts}) == 1 and not any(
        each.minus or "." in each.field for each in parts
    )
    if own not in _MOVED or not is_plain:
        return ""
    if value_field:
        return value_field
    for other in reversed(own_clauses(before)):
        fields = {each.field for each in clause_parts(other)}
        if (
            clause_class(other, schema, catalogue) is own
            and len(fields) == 1
            and not clause_parts(other)[0].minus
        ):
            return fields.pop()
    kinds = (FieldType.DATE,) if own is ClauseClass.DATE else AMOUNTS
    return next((name for name in spoken_of(anchor) if _is_of(name, schema, kinds, catalogue)), "")


def _is_of(name: str, schema: str, kinds: Iterable[FieldType], catalogue: Catalogue) -> bool:
    entry = catalogue.field(name, schema)
    return entry is not None and entry.type in tuple(kinds)


def spoken_of(anchor: Plan | None) -> tuple[str, ...]:
    """The fields that a plan computes, orders by or shows, the most telling first."""
    base = base_of(anchor)
    if anchor is None or base is None:
        return ()
    computed = computes(anchor)
    named = ((computed.field,) if computed is not None else (), (base.order_by,), base.fields[::-1])
    return tuple(dict.fromkeys(name for some in named for name in some if name))


def _moved(clause: Condition | Choice, schema: str, target: str) -> Condition | Choice:
    if not target:
        return clause
    if isinstance(clause, Choice):
        return Choice(any_of=tuple(each.model_copy(update={"field": target}) for each in clause.any_of))
    return clause.model_copy(update={"field": target})


def _ordered(
    base: SelectionNode,
    reading: ParsedQuestion,
    before: SelectionNode,
    anchor: Plan | None,
    catalogue: Catalogue,
) -> SelectionNode:
    schema = base.scope.schema_name
    name = next((each for each in spoken_of(anchor) if _is_of(each, schema, ORDERED, catalogue)), "")
    if not name:
        return base
    descending = base.descending
    is_extreme = any(isinstance(p.meaning, Function) and p.meaning.is_extreme for p in reading.pieces)
    tops = [piece for piece in reading.pieces if isinstance(piece.meaning, Top)]
    if tops and before.order_by == name and not is_extreme:
        is_end = any(word in tops[0].text.casefold().split() for word in ("last", "bottom"))
        descending = before.descending != is_end
    fields = tuple(dict.fromkeys(name if each == base.order_by else each for each in base.fields))
    return base.model_copy(update={"order_by": name, "descending": descending, "fields": fields})
