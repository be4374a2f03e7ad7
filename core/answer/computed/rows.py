"""Answers that are rows of tables in documents."""

from __future__ import annotations

from dataclasses import replace

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.lists import ledger_of
from core.answer.computed.row_facts import RowFacts, RowKey, column_key, said
from core.answer.computed.values import cell_value
from core.domain.answer import Column, Table, Value
from core.domain.fields import FieldType, TypedValue
from core.domain.results import Rows

MOST_LINES = 25
_TRUTHS = {"yes": "true", "true": "true", "no": "false", "false": "false"}


def compose_rows(fields: tuple[str, ...], order_by: str, found: Rows, facts: RowFacts) -> ComputedDraft:
    """Rows as a table with the document of each. fields: what is asked of them, first of all columns."""
    columns = facts.columns()
    asked = [name for key in fields for name in columns if column_key(name) == key]
    first = [*asked, *(name for name in columns if column_key(name) == order_by and name not in asked)]
    named = [*first, *(name for name in columns if name not in first)]
    told = list(facts.rows)[:MOST_LINES]
    lines = [replace(_line(key, named, first or named, facts), row=at) for at, key in enumerate(told)]
    return ComputedDraft(
        lead=DraftLine(
            f"{_counted(found.total)} of {facts.where()}." if facts.rows else "No row fulfils this."
        ),
        lines=tuple(lines),
        value=_the_value(fields, facts),
        table=rows_table(facts, named),
        ledger=ledger_of(found.documents, "rows"),
        gaps=(*shortened(facts), *repeated_rows(facts), *unknown_rows(found)),
        left_out=max(0, len(facts.rows) - MOST_LINES),
    )


def rows_table(facts: RowFacts, columns: list[str] | tuple[str, ...]) -> Table:
    """Rows as a table, with the document of each in front."""
    cells = {key: [facts.cell(key, name) for name in columns] for key in facts.rows}
    rows = tuple(
        (facts.title(key[0]), *(None if cell is None else said(cell) for cell in row))
        for key, row in cells.items()
    )
    names = (Column(name=name, type="text") for name in columns)
    return Table(
        columns=(Column(name="Document", type="text"), *names),
        rows=rows,
        documents=tuple(key[0] for key in facts.rows),
    )


def shortened(facts: RowFacts) -> tuple[str, ...]:
    """That a table does not show all rows; () where it does."""
    shown = len(facts.rows)
    return () if shown >= facts.total else (f"The table shows the first {shown:,} of {facts.total:,} rows.",)


def repeated_rows(facts: RowFacts) -> tuple[str, ...]:
    """Rows that stand word for word in several documents: each was counted, which may be once too often."""
    places: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for key, row in facts.rows.items():
        cells = tuple(sorted((column_key(cell.column), cell.value.text) for cell in row.cells))
        places.setdefault(cells, []).append(key[0])
    again = [documents for documents in places.values() if len(set(documents)) > 1]
    if not again:
        return ()
    named = sorted({facts.title(id) for documents in again for id in documents})
    verb = "stands" if len(again) == 1 else "stand"
    titles = ", ".join(named[:4])
    return (
        f"{_counted(len(again))} {verb} word for word in several documents ({titles}) and counts in each.",
    )


def unknown_rows(found: Rows) -> tuple[str, ...]:
    """Rows of which it is not known whether they belong."""
    return tuple(
        f"Of {_counted(rows)} it is not known: {field.replace('_', ' ')} is {reason}."
        for field, reason, rows in found.excluded
        if reason != "missing"
    )


def _line(key: RowKey, columns: list[str], cited: list[str], facts: RowFacts) -> DraftLine:
    cells = [(name, cell) for name in columns if (cell := facts.cell(key, name)) is not None]
    text = "; ".join(f"{name.replace('_', ' ')}: {said(cell)}" for name, cell in cells)
    spans = tuple(facts.span(key, cell) for name, cell in cells if name in cited)
    return DraftLine(text, tuple(dict.fromkeys(span for span in spans if span.quote)))


def _the_value(fields: tuple[str, ...], facts: RowFacts) -> Value | None:
    """The one value that the rows state in the one column that was asked for."""
    if len(fields) != 1 or len(facts.rows) < facts.total:
        return None
    cells = [facts.cell(key, fields[0]) for key in facts.rows]
    values = {(cell.value.text, cell.value.unit): cell.value for cell in cells if cell is not None}
    if len(values) != 1:
        return None
    value = next(iter(values.values()))
    return _truth(value) or cell_value(value)


def _truth(value: TypedValue) -> Value | None:
    said = _TRUTHS.get(value.text.casefold()) if value.type is FieldType.TEXT else None
    return Value(type="boolean", value=said) if said else None


def _counted(rows: int) -> str:
    return f"{rows:,} row{'' if rows == 1 else 's'}"
