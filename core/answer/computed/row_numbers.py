"""Answers that are computed over rows of tables: a count, a sum, an extreme, or one for each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.lists import ledger_of
from core.answer.computed.row_facts import RowFacts, RowKey, said
from core.answer.computed.rows import MOST_LINES, repeated_rows, rows_table, shortened, unknown_rows
from core.answer.computed.values import computed_value
from core.answer.value import show_value
from core.domain.answer import Column, Table, Value
from core.domain.fields import RowCell
from core.domain.results import Group, Groups, Rows
from core.evidence.base import Span
from core.plan.ir.nodes import ComputationNode

_NAMES = {
    "count": "number of rows",
    "sum": "sum of {}",
    "min": "lowest {}",
    "max": "highest {}",
    "avg": "average {}",
    "median": "median {}",
    "distinct": "number of different texts of {}",
}
_EXTREMES = ("min", "max")
_ASPECTS = ("year", "month", "quarter", "unit")
_MOST_SPANS = 5  # of one line


def compose_row_groups(node: ComputationNode, found: Groups, rows: Rows, facts: RowFacts) -> ComputedDraft:
    """Result of an aggregate over rows: one value with the rows that it was made of, or a table."""
    single = found.groups[0] if len(found.groups) == 1 and not found.group_by else None
    value = _value(single, node, found, facts) if single is not None else None
    gaps = (*shortened(facts), *repeated_rows(facts), *unknown_rows(rows), *_left_aside(found, facts))
    if single is not None or not found.group_by:
        keys = _made_of(node, value, facts)
        places = {key: at for at, key in enumerate(facts.rows)}
        return ComputedDraft(
            lead=DraftLine(_lead(node, value, facts)),
            lines=tuple(replace(_row_line(key, node, facts), row=places[key]) for key in keys[:MOST_LINES]),
            value=value,
            table=rows_table(facts, facts.columns()),
            ledger=ledger_of(found.documents, node.field or "rows"),
            gaps=gaps,
            left_out=max(0, len(keys) - MOST_LINES),
        )
    return ComputedDraft(
        lead=DraftLine(
            f"{_name(node, facts)} for each {_by(found, facts)}, over {_rows(rows.total)} of {facts.where()}."
        ),
        lines=tuple(_group_line(group, node, found, facts) for group in found.groups[:MOST_LINES]),
        table=_table(node, found, facts),
        ledger=ledger_of(found.documents, node.field or "rows"),
        gaps=gaps,
        left_out=max(0, len(found.groups) - MOST_LINES),
    )


def _value(group: Group, node: ComputationNode, found: Groups, facts: RowFacts) -> Value | None:
    if group.value is None:
        return None
    is_count = found.function in ("count", "distinct")
    unit = "" if is_count else facts.unit(node.field, group.unit)
    return computed_value(group.value, unit, "number" if is_count else found.value_type)


def _lead(node: ComputationNode, value: Value | None, facts: RowFacts) -> str:
    if value is None:
        return f"{_name(node, facts)} cannot be given: no row takes part."
    if node.function.value == "count":
        return f"{show_value(value)} row{'' if value.value == '1' else 's'} of {facts.where()}."
    return f"{_name(node, facts)} over {_rows(facts.total)} of {facts.where()} is {show_value(value)}."


def _name(node: ComputationNode, facts: RowFacts) -> str:
    said = _NAMES[node.function.value].format(facts.column_title(node.field))
    return f"The {said}"


def _made_of(node: ComputationNode, value: Value | None, facts: RowFacts) -> list[RowKey]:
    """The rows that a value was made of; of an extreme those that have it."""
    keys = list(facts.rows)
    if node.function.value not in _EXTREMES or value is None:
        return keys
    return [key for key in keys if _is(facts, key, node.field, value)]


def _is(facts: RowFacts, key: RowKey, column: str, value: Value) -> bool:
    cell = facts.cell(key, column)
    if cell is None or value.type not in ("number", "money"):
        return cell is not None and cell.value.text == value.value
    try:
        return Decimal(cell.value.text) == Decimal(value.value)
    except ArithmeticError:
        return False


def _row_line(key: RowKey, node: ComputationNode, facts: RowFacts) -> DraftLine:
    """A row: what it is computed with, behind what else it says."""
    measured = facts.cell(key, node.field) if node.field else None
    others = [cell for cell in facts.rows[key].cells if cell is not measured]
    label = " · ".join(said(cell) for cell in others)
    if measured is None:
        return DraftLine("", _spans(key, [others[0]] if others else [], facts), label=label)
    text = said(measured, facts.unit(node.field, measured.value.unit))
    return DraftLine(text, _spans(key, [measured], facts), label=label)


def _spans(key: RowKey, cells: Sequence[RowCell], facts: RowFacts) -> tuple[Span, ...]:
    return tuple(span for cell in cells if (span := facts.span(key, cell)).quote)


def _group_line(group: Group, node: ComputationNode, found: Groups, facts: RowFacts) -> DraftLine:
    value = _value(group, node, found, facts)
    shown = "none" if value is None else show_value(value)
    spans: list[Span] = []
    for key in _members(group, found, facts):
        cell = facts.cell(key, node.field or found.group_by[0].partition(".")[0])
        spans += _spans(key, [cell], facts) if cell is not None else ()
    text = shown if node.function.value == "count" else f"{shown} ({_rows(group.rows)})"
    return DraftLine(text, tuple(spans[:_MOST_SPANS]), label=_key(group))


def _members(group: Group, found: Groups, facts: RowFacts) -> list[RowKey]:
    """The rows of a group, where its columns are no parts of dates."""
    if any(name.rpartition(".")[2] in _ASPECTS and "." in name for name in found.group_by):
        return []
    names = list(zip(found.group_by, group.key, strict=True))
    return [key for key in facts.rows if all(_says(facts, key, name, text) for name, text in names)]


def _says(facts: RowFacts, key: RowKey, column: str, text: str) -> bool:
    cell = facts.cell(key, column)
    return (cell.value.text.casefold() if cell is not None else "") == text.casefold()


def _key(group: Group) -> str:
    return " · ".join(part or "none stated" for part in group.key) or "all"


def _by(found: Groups, facts: RowFacts) -> str:
    return " and ".join(_column(name, facts) for name in found.group_by)


def _column(name: str, facts: RowFacts) -> str:
    stem, _, aspect = name.rpartition(".")
    return (
        f"{aspect} of {facts.column_title(stem)}" if stem and aspect in _ASPECTS else facts.column_title(name)
    )


def _table(node: ComputationNode, found: Groups, facts: RowFacts) -> Table:
    values = [(group, _value(group, node, found, facts)) for group in found.groups]
    has_units = any(value is not None and value.unit for _, value in values)
    is_count = found.function in ("count", "distinct")
    columns = [Column(name=_column(name, facts), type="text") for name in found.group_by]
    columns.append(
        Column(
            name=_name(node, facts).removeprefix("The ").capitalize(),
            type="number" if is_count else found.value_type,
        )
    )
    columns += [Column(name="Unit", type="text")] if has_units else []
    columns += [] if node.function.value == "count" else [Column(name="Rows", type="number")]
    rows = []
    for group, value in values:
        cells = [part or "none stated" for part in group.key]
        amount = None if value is None else value.value
        unit = [value.unit if value is not None else None] if has_units else []
        rows.append((*cells, amount, *unit, *([] if node.function.value == "count" else [group.rows])))
    return Table(columns=tuple(columns), rows=tuple(rows))


def _left_aside(found: Groups, facts: RowFacts) -> tuple[str, ...]:
    return tuple(
        f"{_rows(rows)} could not take part: {facts.column_title(field)} is {reason}."
        for field, reason, rows in found.excluded
    )


def _rows(count: int) -> str:
    return f"{count:,} row{'' if count == 1 else 's'}"
