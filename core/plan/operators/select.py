"""Select: every document in scope is judged by conditions, or every row of its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.domain.results import Documents, Result, Rows, TableRow, Unknown
from core.plan.ir.nodes import ROW_PLACE, Choice, Condition, Select, is_about, referenced
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
from core.plan.operators.ranking import first_rows, in_other_units, ordered, set_apart
from core.store.cells.table_rows import RowKey
from core.store.query.annotations import row_name
from core.store.query.sources import MISSING, PRESENT, UNREADABLE, JudgedScope

MOST_SHOWN = 1_000


@runs(Select)
def select(node: Select, inputs: Mapping[str, Result], parts: OperatorParts) -> Documents | Rows:
    """The documents by whether all conditions hold, or the rows of which they do."""
    values = referenced(node.conditions)
    within = sets_of(inputs[name] for name in node.inputs if name not in values)
    if node.of == "rows":
        return _rows(node, inputs, within, parts)
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


def _rows(node: Select, inputs: Mapping[str, Result], within: Documents | None, parts: OperatorParts) -> Rows:
    asking = parts.asking
    scope = parts.records.judging.judge(parts.visible, scope_of(node), (), asking)
    if within is not None:
        scope = narrowed(within, scope)
    chosen = parts.records.row_selection.choose(
        parts.visible,
        scope.present,
        clauses_of(node.conditions, inputs),
        (*node.fields, *node.columns),
        asking,
        "" if node.order_by == ROW_PLACE else node.order_by,
        node.tables,
        with_totals=node.with_totals,
    )
    own = [each for name in node.inputs if isinstance(each := inputs[name], Rows)]
    keys = first_rows(node, _among(chosen.keys, own), chosen.values)
    return rows_of(keys, scope, chosen.unknown, chosen.excluded, parts)


def _among(keys: Sequence[RowKey], inputs: Sequence[Rows]) -> Sequence[RowKey]:
    """Those that are among the rows of an input too, where it is about the same tables."""
    tables = {key[:2] for key in keys}
    for given in inputs:
        picked = set(given.picked)
        if tables & {(id, int(table)) for id, table, _ in (name.rsplit("|", 2) for name in picked)}:
            keys = [key for key in keys if row_name(*key) in picked]
    return keys


def rows_of(
    keys: list[RowKey],
    scope: Documents,
    unknown_of: Mapping[str, Unknown],
    excluded: tuple[tuple[str, str, int], ...],
    parts: OperatorParts,
) -> Rows:
    """Rows as a result, over the documents of a scope. unknown_of: documents that may have more of them."""
    with_rows = frozenset(str(key[0]) for key in keys)
    unknown = {id: why for id, why in unknown_of.items() if id not in with_rows}
    documents = scope.keeping(with_rows, unknown=unknown)
    read = parts.records.row_selection.read(keys[:MOST_SHOWN])
    shown = tuple(
        TableRow(
            document=key[0],
            table=key[1],
            row=key[2],
            cells={cell.column: cell.value.original or cell.quote.quote for cell in read[key].cells},
        )
        for key in keys[:MOST_SHOWN]
        if key in read
    )
    picked = tuple(row_name(*key) for key in keys)
    return Rows(rows=shown, total=len(keys), documents=documents, excluded=excluded, picked=picked)
