"""Select: every document in scope is judged by conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.domain.results import Documents, Result, Unknown
from core.plan.ir.nodes import Choice, Condition, Select, is_about, referenced
from core.plan.operators.base import (
    OperatorParts,
    clauses_of,
    fields_of,
    narrowed,
    runs,
    scope_of,
    sets_of,
)
from core.plan.operators.exchange import exchanged
from core.plan.operators.ranking import in_other_units, ordered, set_apart
from core.store.query.sources import MISSING, PRESENT, UNREADABLE, JudgedScope


@runs(Select)
def select(node: Select, inputs: Mapping[str, Result], parts: OperatorParts) -> Documents:
    """The documents by whether all conditions hold."""
    values = referenced(node.conditions)
    within = sets_of(inputs[name] for name in node.inputs if name not in values)
    about = [each for each in node.conditions if is_about(each)]
    asked = [each for each in node.conditions if each not in about]
    found = _judged(node, asked, inputs, parts)
    if about:
        found = narrowed(_judged(node, about, inputs, parts), found)
    if within is not None:
        found = narrowed(within, found)
    found = _ordered(node, found, parts) if node.order_by else _first(node, found, parts)
    return _read(found) if node.scope.readable else found


def _read(found: Documents) -> Documents:
    """Without the documents that could not be read."""
    unknown = {id: why for id, why in found.unknown.items() if id not in found.unreadable}
    return found.model_copy(update={"unreadable": frozenset(), "unknown": unknown})


def _judged(
    node: Select, conditions: Sequence[Condition | Choice], inputs: Mapping[str, Result], parts: OperatorParts
) -> Documents:
    """The documents in the scope of a node by whether all of these conditions hold."""
    return parts.records.judging.judge(
        parts.visible,
        scope_of(node),
        clauses_of(conditions, inputs),
        parts.asking,
        parts.stand_ins(fields_of(conditions)),
    )


def _first(node: Select, found: Documents, parts: OperatorParts) -> Documents:
    """Without an order a limit takes the first by title, behind those that are skipped."""
    if not node.skip and (node.limit is None or len(found.present) <= node.limit):
        return found
    by_title = _by_title(found.present, parts)
    kept = by_title[node.skip :][: node.limit]
    return found.keeping(frozenset(kept), order=tuple(kept))


def _ordered(node: Select, found: Documents, parts: OperatorParts) -> Documents:
    """By the value of a field; with a limit, what is not among the first does not belong.

    What has no value to compare goes last; with a limit it leaves, by what is known of its field. What is
    in another currency than most has no place in the order.
    """
    scope = JudgedScope(documents=tuple(sorted(found.present)))
    if not found.present:
        return found
    asking, stand_ins = parts.asking, parts.stand_ins({node.order_by})
    judging = parts.records.judging
    ranked = {
        each.document: each for each in judging.ranked(parts.visible, scope, node.order_by, asking, stand_ins)
    }
    conversion, others = None, in_other_units(ranked)
    if node.into:
        accounting = parts.records.accounting.now()
        days = {
            name: parts.records.judging.ranked(parts.visible, scope, name, asking, parts.stand_ins({name}))
            for name in accounting.dated_by
        }
        ranked, others, conversion = exchanged(ranked, node.order_by, accounting, node.into, days)
    found = set_apart(found, node.order_by, others).model_copy(update={"conversion": conversion})
    by_title = _by_title(found.present, parts)
    values = {id: ranked[id] for id in by_title if id in ranked}
    first, rest = ordered(values, node.order_by, descending=node.descending, limit=node.limit, skip=node.skip)
    without = [id for id in by_title if id not in ranked]
    if node.limit is None:
        return found.keeping(found.present.difference(rest), order=(*first, *without))
    states = judging.states(parts.visible, scope, [node.order_by], asking, stand_ins)[node.order_by]
    why = {id: _reason(states.get(id, MISSING)) for id in without}
    unknown = {
        id: Unknown(field=node.order_by, reason=reason) for id, reason in why.items() if reason is not None
    }
    unreadable = frozenset(id for id, reason in why.items() if reason == UNREADABLE)
    return found.keeping(frozenset(first), unknown=unknown, unreadable=unreadable, order=tuple(first))


def _reason(state: str) -> str | None:
    """Reason why a document without a comparable value is not known; None where it is known to state none."""
    if state in (MISSING, "not asked"):
        return None
    return "no value to compare" if state == PRESENT else state


def _by_title(ids: frozenset[str], parts: OperatorParts) -> list[str]:
    known = parts.summaries(ids)
    return sorted(ids, key=lambda id: (known[id].name.casefold() if id in known else "", id))
