"""Plans of a turn as they are meant behind others: values of a field are alternatives, an order is of all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue
from core.plan.conversation.alteration import ClauseClass, clause_class, fields_of, listing, with_base
from core.plan.conversation.fragment import computes
from core.plan.conversation.restriction import Clauses, own_clauses, with_kind_of, with_purpose
from core.plan.conversation_state import base_of
from core.plan.ir.nodes import Choice, Condition, Plan, clause_parts, without_aspect

_BOTH = re.compile(r"\bboth\b", re.IGNORECASE)
_FIRST = re.compile(r"\w+\s+(?:(?:ones?\s+)?first|(?:at|on)\s+(?:the\s+)?top)$", re.IGNORECASE)
_ONE_END = re.compile(r"\b(?:which|what|who|when|the\s+first|first\s+\d+)\b|\d", re.IGNORECASE)
_SPLITS = re.compile(
    r"\b(?:how many|count|number|each|per|split|break|broken|breakdown|group|grouped|divide|bucket|spread)\b",
    re.IGNORECASE,
)
_ALTERNATIVES = (ClauseClass.TEXT, ClauseClass.DATE)


def reinterpret(plan: Plan, text: str, catalogue: Catalogue) -> Plan:
    """The plan of a turn as its words are meant in a conversation."""
    return _in_order(_ungrouped(_with_alternatives(plan, text, catalogue), text), text, catalogue)


def _with_alternatives(plan: Plan, text: str, catalogue: Catalogue) -> Plan:
    """The plan with values of one field as alternatives: "only California's and New York's"."""
    base = base_of(plan)
    if base is None or _BOTH.search(text):
        return plan
    own = own_clauses(base)
    joined = _with_missing(
        alternatives(own, base.scope.schema_name, catalogue), base.scope.schema_name, catalogue
    )
    if joined == own:
        return plan
    changed = base.model_copy(update={"conditions": with_kind_of(joined, base)})
    return with_base(plan, with_purpose(changed, catalogue))


def alternatives(own: Clauses, schema: str, catalogue: Catalogue) -> Clauses:
    """The conditions with those on one field that could hardly hold at once as alternatives."""
    made: list[Condition | Choice] = []
    for clause in own:
        at = next(
            (n for n, other in enumerate(made) if _are_alternatives(clause, other, schema, catalogue)), None
        )
        if at is None:
            made.append(clause)
            continue
        made[at] = _joined((*clause_parts(made[at]), *clause_parts(clause)))
    return tuple(made)


def _with_missing(own: Clauses, schema: str, catalogue: Catalogue) -> Clauses:
    """The conditions with those that state nothing among those that state another value."""
    return tuple(
        Choice(any_of=(each, each.model_copy(update={"op": Operator.MISSING, "value": ()})))
        if isinstance(each, Condition)
        and each.op is Operator.NOT_EQUAL
        and not each.minus
        and clause_class(each.model_copy(update={"op": Operator.EQUAL}), schema, catalogue)
        is ClauseClass.TEXT
        else each
        for each in own
    )


def _are_alternatives(
    one: Condition | Choice, other: Condition | Choice, schema: str, catalogue: Catalogue
) -> bool:
    parts = (*clause_parts(one), *clause_parts(other))
    is_plain = len({each.field for each in parts}) == 1 and not any(each.minus for each in parts)
    if not is_plain or fields_of(one) != fields_of(other):
        return False
    kind = clause_class(one, schema, catalogue)
    if kind not in _ALTERNATIVES:
        return False
    ops = {each.op for each in parts}
    return ops <= {Operator.EQUAL, Operator.IN} if kind is ClauseClass.TEXT else ops == {Operator.BETWEEN}


def _joined(parts: Sequence[Condition]) -> Condition | Choice:
    if all(each.op in (Operator.EQUAL, Operator.IN) for each in parts):
        values = [
            value
            for each in parts
            for value in (each.value if isinstance(each.value, tuple) else (each.value,))
            if isinstance(value, str)
        ]
        return parts[0].model_copy(update={"op": Operator.IN, "value": tuple(dict.fromkeys(values))})
    return Choice(any_of=tuple(each.model_copy(update={"narrows": False}) for each in parts))


def _ungrouped(plan: Plan, text: str) -> Plan:
    """The plan without groups by the date that its period is of: "before 2005 only, by signing date"."""
    node, base = computes(plan), base_of(plan)
    if node is None or base is None or not node.group_by or _SPLITS.search(text):
        return plan
    keys = {without_aspect(key) for key in node.group_by}
    limited = {part.field for clause in own_clauses(base) for part in clause_parts(clause)}
    return listing(plan) if keys <= limited else plan


def _in_order(plan: Plan, text: str, catalogue: Catalogue) -> Plan:
    """The plan with all of what it orders: "oldest first" takes none away."""
    base = base_of(plan)
    if base is None or base.limit != 1 or not _FIRST.search(text) or _ONE_END.search(text):
        return plan
    return with_base(plan, with_purpose(base.model_copy(update={"limit": None}), catalogue))
