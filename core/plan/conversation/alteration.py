"""Changes of the last plan: conditions added, put in the place of others, taken out, or turned round."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum, auto

from core.domain.answer import Kind
from core.domain.fields import AMOUNTS, FieldType
from core.domain.predicate import Operator
from core.plan.build.conditions import (
    Both,
    Either,
    Formula,
    as_condition,
    clauses,
    is_except,
    negated,
    plain_conditions,
)
from core.plan.catalogue import Catalogue
from core.plan.conversation.restriction import (
    Clauses,
    mark_asking,
    mark_narrowing,
    own_clauses,
    with_kind_of,
    with_purpose,
)
from core.plan.conversation_state import base_of, scope_of, source_of
from core.plan.ir.checks import columns_of
from core.plan.ir.hashing import ancestors
from core.plan.ir.nodes import (
    Choice,
    Condition,
    Node,
    Plan,
    Reference,
    Scope,
    SelectionNode,
    SidesNode,
    clause_parts,
    without_aspect,
)
from core.plan.ir.steps import PlanSteps

_LOW = (Operator.GREATER, Operator.GREATER_EQUAL)
_HIGH = (Operator.LESS, Operator.LESS_EQUAL)
_EXACT = (Operator.EQUAL, Operator.IN)


class ClauseClass(Enum):
    """Subject of a condition, roughly: those of one class are alternatives to each other."""

    PRESENCE = auto()
    PARTY = auto()
    TEXT = auto()
    DATE = auto()
    AMOUNT = auto()
    OTHER = auto()


def clause_class(clause: Condition | Choice, schema: str, catalogue: Catalogue) -> ClauseClass:
    """The class of a condition on documents of a schema."""
    first = clause_parts(clause)[0]
    if first.op in (Operator.IS, Operator.MISSING) and not isinstance(clause, Choice):
        return ClauseClass.PRESENCE
    kind = _type_of(without_aspect(first.field), schema, catalogue)
    if kind is FieldType.BOOLEAN:
        return ClauseClass.PRESENCE
    if kind is FieldType.PARTY:
        return ClauseClass.PARTY
    if kind is FieldType.DATE:
        return ClauseClass.DATE
    if kind in AMOUNTS:
        return ClauseClass.AMOUNT
    return ClauseClass.TEXT if first.op in _EXACT else ClauseClass.OTHER


def _type_of(name: str, schema: str, catalogue: Catalogue) -> FieldType:
    """The type of a field, or of a column where the documents of no schema are asked; text for none."""
    columns = columns_of(name, catalogue) if not schema else []
    if columns:
        return columns[0].type
    entry = catalogue.field(name, schema)
    return entry.type if entry is not None else FieldType.TEXT


def fields_of(clause: Condition | Choice) -> frozenset[str]:
    """The fields that a condition is on; the time between two dates is one of its own."""
    return frozenset(f"{each.field} {each.minus}".strip() for each in clause_parts(clause))


def excludes(new: Condition | Choice, old: Condition | Choice) -> bool:
    """True where a condition takes the place of another on the same fields: both would hardly hold at once.

    An equal value, a period or a bound on the same side is another one of its kind; a bound on the other side
    goes with the old one, unless nothing lies between.
    """
    if not fields_of(new) & fields_of(old):
        return False
    one, other = clause_parts(new)[0], clause_parts(old)[0]
    sides = _side(one.op), _side(other.op)
    if sides == ("low", "high") or sides == ("high", "low"):
        return not _overlap(one, other)
    if "between" in sides and ("low" in sides or "high" in sides):
        return not _overlap(one, other)
    return True


def are_disjoint(new: Condition | Choice, old: Condition | Choice) -> bool:
    """True where two bounds or periods of the same field leave nothing between them: 2024, and then 2025."""
    if not fields_of(new) & fields_of(old) or isinstance(new, Choice) or isinstance(old, Choice):
        return False
    return "is" not in (_side(new.op), _side(old.op)) and not _overlap(new, old)


def _side(op: Operator) -> str:
    return "low" if op in _LOW else "high" if op in _HIGH else "between" if op is Operator.BETWEEN else "is"


def _overlap(one: Condition, other: Condition) -> bool:
    """True where two bounds leave something between them; also where that cannot be told."""
    low, high = _ends(one), _ends(other)
    if low is None or high is None:
        return True
    first = max(low[0], high[0], key=_key)
    last = min((each for each in (low[1], high[1]) if each), key=_key, default="")
    return not last or not first or _key(first) < _key(last)


def _ends(condition: Condition) -> tuple[str, str] | None:
    value = condition.value
    if condition.op is Operator.BETWEEN and isinstance(value, tuple) and len(value) == 2:
        return value[0], value[1]
    if not isinstance(value, str):
        return None
    return (value, "") if condition.op in _LOW else ("", value)


def _key(text: str) -> tuple[int, float, str]:
    head = text.split()[0] if text else ""
    try:
        return (1, float(head), "")
    except ValueError:
        return (1 if text else 0, 0.0, text)


def with_clauses(plan: Plan, conditions: Clauses, catalogue: Catalogue) -> Plan | None:
    """The plan with these conditions in its base, in the place of those that it had; None without a base."""
    base = base_of(plan)
    if base is None:
        return None
    changed = base.model_copy(
        update={"conditions": with_kind_of(conditions, base), "ran": None, "estimate": None}
    )
    return with_base(plan, with_purpose(changed, catalogue))


def with_base(plan: Plan, base: SelectionNode) -> Plan:
    """The plan with another selection in the place of the one of the same id; nothing has run."""
    nodes = tuple(
        base if node.id == base.id else node.model_copy(update={"ran": None, "estimate": None})
        for node in plan.nodes
    )
    return plan.model_copy(update={"nodes": nodes})


def add_clauses(plan: Plan, new: Clauses, catalogue: Catalogue) -> Plan | None:
    """The plan with further conditions: those that it had say what is asked about now."""
    base, scope = base_of(plan), scope_of(plan)
    if base is not None and not base.inputs and base.limit is None:
        return with_clauses(plan, (*mark_narrowing(own_clauses(base)), *mark_asking(new)), catalogue)
    if scope is None or (base is not None and base.of == "rows"):
        return None
    return _behind(plan, scope, base.fields if base is not None else (), new, catalogue)


def _behind(plan: Plan, scope: Scope, fields: tuple[str, ...], new: Clauses, catalogue: Catalogue) -> Plan:
    """The plan with a selection of these conditions behind the node of its documents, which stays so."""
    steps, source = PlanSteps(plan.nodes), source_of(plan)
    made = steps.select("", scope, mark_asking(new), reason="narrowed further", fields=fields)
    narrowed = with_purpose(made.model_copy(update={"inputs": (source,)}), catalogue)
    nodes = []
    for node in plan.nodes:
        inputs = tuple(narrowed.id if name == source else name for name in node.inputs)
        nodes.append(node.model_copy(update={"inputs": inputs, "ran": None, "estimate": None}))
        if node.id == source:
            nodes.append(narrowed)
    answer = narrowed.id if plan.answer_node == source else plan.answer_node
    return plan.model_copy(update={"nodes": tuple(nodes), "answer_node": answer})


def replace_clauses(plan: Plan, new: Clauses, catalogue: Catalogue, *, by_class: bool) -> Plan | None:
    """The plan with conditions in the place of those that they exclude; None where they exclude none.

    by_class: also of the last condition of the same class ("what about exclusivity?").
    """
    base = base_of(plan)
    if base is None:
        return None
    kept = list(own_clauses(base))
    places = [
        place for clause in new if (place := _place(clause, kept, base, catalogue, by_class)) is not None
    ]
    if not places:
        return None
    for place in sorted(set(places), reverse=True):
        del kept[place]
    return with_clauses(plan, (*mark_narrowing(tuple(kept)), *mark_asking(new)), catalogue)


def _place(
    clause: Condition | Choice,
    kept: Sequence[Condition | Choice],
    base: SelectionNode,
    catalogue: Catalogue,
    by_class: bool,
) -> int | None:
    for at in reversed(range(len(kept))):
        if excludes(clause, kept[at]):
            return at
    own = clause_class(clause, base.scope.schema_name, catalogue)
    for at in reversed(range(len(kept))) if by_class and own is not ClauseClass.OTHER else ():
        if clause_class(kept[at], base.scope.schema_name, catalogue) is own:
            return at
    return None


def widen(plan: Plan, new: Clauses, catalogue: Catalogue) -> Plan | None:
    """The plan with a condition as an alternative to its last of the same class; None where it has none."""
    base = base_of(plan)
    if base is None or len(new) != 1 or not is_simple(new[0]):
        return None
    kept = list(own_clauses(base))
    place = _place(new[0], kept, base, catalogue, by_class=True)
    if place is None or not is_simple(kept[place]):
        return None
    parts = (*clause_parts(kept[place]), *clause_parts(new[0]))
    plain = tuple(dict.fromkeys(each.model_copy(update={"narrows": False}) for each in parts))
    kept[place] = as_condition(_split(plain))
    return with_clauses(plan, tuple(kept), catalogue)


def _split(parts: Sequence[Condition]) -> tuple[Condition, ...]:
    """The conditions with one for each value of several."""
    return (
        tuple(
            each.model_copy(update={"op": Operator.EQUAL, "value": value})
            for each in parts
            for value in (
                each.value if each.op is Operator.IN and isinstance(each.value, tuple) else (each.value,)
            )
        )
        if all(each.op in _EXACT for each in parts)
        else tuple(parts)
    )


def is_simple(clause: Condition | Choice) -> bool:
    """True where no part of a condition takes its value from another node."""
    return not any(isinstance(each.value, Reference) for each in clause_parts(clause))


def without_fields(plan: Plan, fields: Collection[str], catalogue: Catalogue) -> Plan | None:
    """The plan without conditions on these fields; None where it has none."""
    base = base_of(plan)
    if base is None:
        return None
    own = own_clauses(base)
    kept = tuple(each for each in own if not fields_of(each) & set(fields))
    return with_clauses(plan, kept, catalogue) if len(kept) < len(own) else None


def opposite(conditions: Clauses) -> Clauses | None:
    """The opposite of conditions that must all hold, in three values; None where no condition says it."""
    formula: Formula = Both(tuple(_formula(each) for each in conditions))
    found = clauses(negated(formula))
    if found is None or any(is_except(each) for each in found):
        return None
    return tuple(as_condition(plain_conditions(each)) for each in found)


def _formula(clause: Condition | Choice) -> Formula:
    plain = tuple(each.model_copy(update={"narrows": False}) for each in clause_parts(clause))
    return plain[0] if len(plain) == 1 else Either(plain)


def complement(plan: Plan, catalogue: Catalogue) -> Plan | None:
    """The plan of the others: those asked about of which what was asked last does not hold.

    Of a part of an order they are the rest of it. None where nothing was asked.
    """
    base = base_of(plan)
    if base is None:
        return None
    if base.limit is not None:
        return _rest(plan, base, catalogue)
    own = own_clauses(base)
    about = tuple(each for each in own if isinstance(each, Condition) and each.narrows)
    asked = tuple(each for each in own if each not in about)
    turned = opposite(asked) if asked and all(map(is_simple, asked)) else None
    if turned is None:
        return None
    return with_clauses(plan, (*about, *turned), catalogue)


def _rest(plan: Plan, base: SelectionNode, catalogue: Catalogue) -> Plan | None:
    """The documents that an order left out behind its first ones."""
    if plan.answer_node != base.id or base.of != "documents":
        return None
    whole = base.model_copy(update={"limit": None, "ran": None, "estimate": None})
    first = base.model_copy(update={"id": "select-first", "ran": None, "estimate": None})
    steps = PlanSteps(
        [*(node for node in plan.nodes if node.id != base.id), with_purpose(whole, catalogue), first]
    )
    rest = steps.difference("Leave these out", (whole.id, first.id), reason="the others are asked for")
    return plan.model_copy(update={"nodes": tuple(steps.nodes), "answer_node": rest.id})


def listing(plan: Plan) -> Plan:
    """The plan that lists the documents, or rows, that a plan computes over."""
    source = source_of(plan)
    if not source:
        return plan
    kept = ancestors(plan, source)
    nodes = tuple(
        node.model_copy(update={"ran": None, "estimate": None}) for node in plan.nodes if node.id in kept
    )
    return plan.model_copy(update={"nodes": nodes, "answer_node": source})


def side_of(plan: Plan, node: SidesNode, source: str) -> Plan:
    """The plan that lists one side of a comparison with what was compared."""
    kept = ancestors(plan, source)
    nodes = []
    for each in plan.nodes:
        if each.id in kept:
            shown = {"fields": node.fields} if each.id == source and isinstance(each, SelectionNode) else {}
            nodes.append(each.model_copy(update={**shown, "ran": None, "estimate": None}))
    changes = {"nodes": tuple(nodes), "answer_node": source, "kind": Kind.AGGREGATE, "fallbacks": ()}
    return plan.model_copy(update=changes)


def without_documents(plan: Plan, documents: Sequence[str], catalogue: Catalogue) -> Plan | None:
    """The plan of all but these documents: they are left out behind its base. None without a base."""
    base = base_of(plan)
    if base is None or base.of != "documents" or not documents:
        return None
    steps = PlanSteps(plan.nodes)
    scope = base.scope.model_copy(update={"documents": tuple(documents)})
    gone = with_purpose(steps.select("", scope, reason="they are known already"), catalogue)
    steps.nodes[-1] = gone
    left = steps.difference("Leave these out", (base.id, gone.id), reason="others are asked for")
    nodes: list[Node] = []
    for node in plan.nodes:
        inputs = tuple(left.id if name == base.id else name for name in node.inputs)
        nodes.append(node.model_copy(update={"inputs": inputs, "ran": None, "estimate": None}))
        if node.id == base.id:
            nodes += [gone, left]
    answer = left.id if plan.answer_node == base.id else plan.answer_node
    return plan.model_copy(update={"nodes": tuple(nodes), "answer_node": answer})


def with_kinds(plan: Plan, kinds: Clauses, catalogue: Catalogue) -> Plan | None:
    """The plan about further kinds of documents; None where it is about no kind of its own."""
    base = base_of(plan)
    own = own_clauses(base) if base is not None else ()
    known = [each for each in base.conditions if each not in own] if base is not None else []
    parts = [part for clause in (*known, *kinds) for part in clause_parts(clause)]
    values = [
        one
        for part in parts
        for one in ((part.value,) if isinstance(part.value, str) else part.value)
        if isinstance(one, str)
    ]
    if base is None or not known or not kinds or len({part.field for part in parts}) != 1:
        return None
    op = Operator.IN if len(set(values)) > 1 else Operator.EQUAL
    value = tuple(dict.fromkeys(values)) if op is Operator.IN else values[0]
    kind = Condition(field=parts[0].field, op=op, value=value, narrows=True)
    changed = base.model_copy(update={"conditions": (kind, *own), "ran": None, "estimate": None})
    return with_base(plan, with_purpose(changed, catalogue))
