"""Plans of the whole questions that a turn may stand for, and their conditions on the fields in hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.domain.answer import Kind, Route
from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.plan.catalogue import Catalogue, SchemaEntry
from core.plan.clarify import Clarify
from core.plan.conversation.alteration import ClauseClass, clause_class, with_base
from core.plan.conversation.restriction import Clauses, own_clauses, with_purpose
from core.plan.conversation_state import base_of
from core.plan.ir.nodes import (
    Choice,
    ComputationNode,
    Condition,
    Plan,
    Scope,
    SelectionNode,
    clause_parts,
)
from core.plan.ir.steps import PlanSteps
from core.plan.language.lexicon.words import SEVERAL_MEANINGS
from core.plan.language.pieces import (
    Ask,
    Connective,
    FieldSenses,
    Filler,
    HavingWord,
    Piece,
    Statistic,
    Top,
)
from core.plan.language.reading.read import ParsedQuestion

Planner = Callable[[str], Plan | Clarify]
_SURE = 0.8  # weight of a field's own names, not of a guess
_OF_ASK = {"who": FieldType.PARTY, "when": FieldType.DATE}
_MOVED = (ClauseClass.DATE, ClauseClass.AMOUNT)


@dataclass(frozen=True, slots=True)
class Fragment:
    """Plans of the forms of a turn. whole: a plan that covers every word; partial: one that leaves some.

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


def plan_forms(questions: Iterable[str], plan: Planner, *, names_kind: bool = False) -> Fragment:
    """The plans of these questions: the first that is whole and says something of its own, or what there is.

    names_kind: a kind of document is enough.
    """
    found = Fragment()
    for question in questions:
        made = plan(question)
        if isinstance(made, Clarify):
            found = _with(found, clarify=found.clarify or made)
        elif made.route is not Route.STRUCTURED:
            is_search = bool(made.nodes)
            found = _with(found, text=found.text or (made if is_search else None))
        elif made.uncovered or not (names_kind or _says_something(made)):
            found = _with(found, partial=_better(found.partial, made))
        else:
            return Fragment(question, made, found.partial, found.text, found.clarify)
    return found


def _says_something(plan: Plan) -> bool:
    """True where a plan asks more than for all documents of its kind."""
    base = base_of(plan)
    if base is None or computes(plan) is not None:
        return True
    told = (base.fields, base.order_by, base.limit, base.scope.documents, base.inputs, own_clauses(base))
    return any(told)


def _better(one: Plan | None, other: Plan) -> Plan:
    return other if one is None or len(other.uncovered) < len(one.uncovered) else one


def _with(found: Fragment, **changes: Plan | Clarify | None) -> Fragment:
    said = {"whole": found.whole, "partial": found.partial, "text": found.text, "clarify": found.clarify}
    return Fragment(question=found.question, **{**said, **changes})  # type: ignore[arg-type]


def show_named_fields(reading: ParsedQuestion, schema: SchemaEntry | None, question: str) -> Plan | None:
    """The plan that shows the fields that a text names and asks nothing else of; None for any other text."""
    idle = (Ask, FieldSenses, Filler, HavingWord, Connective)
    meanings = [piece.meaning for piece in reading.pieces]
    senses = [each for each in meanings if isinstance(each, FieldSenses)]
    if schema is None or not senses or not all(isinstance(each, idle) for each in meanings):
        return None
    asks = [each.how for each in meanings if isinstance(each, Ask)]
    wanted = next((_OF_ASK[how] for how in asks if how in _OF_ASK), None)
    fields = [name for each in senses if (name := _shown(each, schema, wanted))]
    if len(fields) < len(senses):
        return None
    steps = PlanSteps()
    scope = Scope(schema_name=schema.name)
    node = steps.select(
        "Show what they state", scope, fields=tuple(dict.fromkeys(fields)), reason="it is asked for"
    )
    return Plan(
        question=question, kind=Kind.LOOKUP, route=Route.STRUCTURED, nodes=(node,), answer_node=node.id
    )


def _shown(senses: FieldSenses, schema: SchemaEntry, wanted: FieldType | None) -> str:
    """The field of a schema that words name, of a type where one is wanted; "" for none that is sure."""
    if senses.function is not None or " ".join(senses.said) in SEVERAL_MEANINGS:
        return ""
    own = [m.field for m in senses.matches if m.field.schema == schema.name and m.weight >= _SURE]
    fitting = [entry for entry in own if wanted is None or entry.type is wanted]
    if not fitting and wanted is FieldType.PARTY:  # "who signed it?"
        fitting = [entry for entry in schema.fields if entry.type is wanted and entry.documents]
    return fitting[0].name if fitting else ""


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
        _moved(clause, _target(clause, schema, before, anchor, catalogue, value_field))
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
    target = next((name for name in focus_fields(anchor) if _is_of(name, schema, kinds, catalogue)), "")
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
    return next((name for name in focus_fields(anchor) if _is_of(name, schema, kinds, catalogue)), "")


def _is_of(name: str, schema: str, kinds: Iterable[FieldType], catalogue: Catalogue) -> bool:
    entry = catalogue.field(name, schema)
    return entry is not None and entry.type in tuple(kinds)


def focus_fields(anchor: Plan | None) -> tuple[str, ...]:
    """The fields that a plan computes, orders by or shows, the most telling first."""
    base = base_of(anchor)
    if anchor is None or base is None:
        return ()
    computed = computes(anchor)
    named = ((computed.field,) if computed is not None else (), (base.order_by,), base.fields[::-1])
    return tuple(dict.fromkeys(name for some in named for name in some if name))


def _moved(clause: Condition | Choice, target: str) -> Condition | Choice:
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
    name = next((each for each in focus_fields(anchor) if _is_of(each, schema, ORDERED, catalogue)), "")
    if not name:
        return base
    descending = base.descending
    is_extreme = any(isinstance(p.meaning, Statistic) and p.meaning.is_extreme for p in reading.pieces)
    tops = [piece for piece in reading.pieces if isinstance(piece.meaning, Top)]
    if tops and before.order_by == name and not is_extreme:
        is_end = any(word in tops[0].text.casefold().split() for word in ("last", "bottom"))
        descending = before.descending != is_end
    fields = tuple(dict.fromkeys(name if each == base.order_by else each for each in base.fields))
    return base.model_copy(update={"order_by": name, "descending": descending, "fields": fields})
