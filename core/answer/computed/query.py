"""Answers of SQL over rows: one value, or a table, each row with words of the rows that it rests on."""

from __future__ import annotations

from dataclasses import replace

from core.answer.computed.draft import ComputedDraft, DraftLine, computed_value
from core.answer.computed.lists import MOST_LINES, ledger_of
from core.answer.computed.wording import counted
from core.answer.value import show_value
from core.domain.answer import Column, Table, Value
from core.domain.results import QueryColumn, QueryRow, QueryTable
from core.domain.rows.place import RowPlace
from core.search.evidence.base import Span

_KINDS = {"timestamp": "date"}
_TRUTHS = {"yes": "true", "true": "true", "no": "false", "false": "false"}


def compose_query(found: QueryTable, *, answers_first: bool = False) -> ComputedDraft:
    """The value of one column that says the same in all rows, else the rows as a table.

    answers_first: as in Query.
    """
    value = _value(found, answers_first=answers_first)
    draft = ComputedDraft(
        lead=DraftLine(_lead(found, value)),
        lines=tuple(replace(_line(row, found), row=at) for at, row in enumerate(found.rows[:MOST_LINES])),
        value=value,
        table=_table(found),
        ledger=ledger_of(found.documents, "rows"),
        gaps=_gaps(found),
        left_out=max(0, len(found.rows) - MOST_LINES),
    )
    if found.total == 1 and not found.is_cut:
        line = draft.lines[0]
        lead = replace(draft.lead, spans=line.spans, row=0)
        # Where there is a value, the lead says all of the row.
        return replace(draft, lead=lead, lines=draft.lines if value is None else ())
    return draft


def _value(found: QueryTable, *, answers_first: bool) -> Value | None:
    texts = {row.values for row in found.rows}
    is_one = len(found.columns) == 1 or answers_first
    if not is_one or len(texts) != 1 or found.total > len(found.rows) or found.is_cut:
        return None
    text = next(iter(texts))[0]
    said = _TRUTHS.get(text.casefold()) if text is not None and found.columns[0].kind == "text" else None
    if said is not None:
        return Value(type="boolean", value=said)
    return None if text is None else _as_value(text, found.columns[0])


def _as_value(text: str, column: QueryColumn) -> Value:
    return computed_value(text, column.unit, _KINDS.get(column.kind, column.kind))


def _lead(found: QueryTable, value: Value | None) -> str:
    if not found.rows:
        return "No row fulfils this."
    if value is not None:
        rows = sum(row.total for row in found.rows)
        some = f"; {cited}" if len(found.rows) == 1 and (cited := _cited(found.rows[0])) else ""
        over = f", over {counted(rows, 'rows')}{some}" if rows else ""
        beside = _said(found.rows[0], found)[1:]
        others = f" ({'; '.join(beside)})" if beside else ""
        said = "" if value.type == "boolean" and beside else f"{found.columns[0].name} is "
        return f"{said}{show_value(value)}{others}{over}."
    if found.total == 1 and not found.is_cut:
        return f"{_said(found.rows[0], found)[0]}."
    more = " or more" if found.is_cut else ""
    return f"{counted(found.total, 'rows')}{more}: {', '.join(each.name for each in found.columns)}."


def _said(row: QueryRow, found: QueryTable) -> list[str]:
    """The values of a row, each behind its name; of a row that has none, that it has none."""
    pairs = zip(row.values, found.columns, strict=True)
    said = [f"{each.name}: {show_value(_as_value(text, each))}" for text, each in pairs if text is not None]
    return said or [f"{found.columns[0].name}: no value"]


def _line(row: QueryRow, found: QueryTable) -> DraftLine:
    cited = f" ({said})" if (said := _cited(row)) else ""
    spans = tuple(dict.fromkeys(Span.of(each) for each in row.citations))
    return DraftLine("; ".join(_said(row, found)) + cited, spans)


def _cited(row: QueryRow) -> str:
    """That some of the rows that a row rests on are cited, and not all; "" where all or none are."""
    return f"{row.cited:,} of {row.total:,} rows shown" if 0 < row.cited < row.total else ""


def _table(found: QueryTable) -> Table:
    columns = tuple(
        Column(name=_headed(each), type=_KINDS.get(each.kind, each.kind)) for each in found.columns
    )
    documents = tuple(RowPlace.of(row.sources[0]).document if row.sources else "" for row in found.rows)
    return Table(columns=columns, rows=tuple(_cells(row, found) for row in found.rows), documents=documents)


def _headed(column: QueryColumn) -> str:
    """The name of a column with its unit, unless that stands in it."""
    is_said = not column.unit or column.unit.casefold() in column.name.casefold()
    return column.name if is_said else f"{column.name} ({column.unit})"


def _cells(row: QueryRow, found: QueryTable) -> tuple[str | None, ...]:
    pairs = zip(row.values, found.columns, strict=True)
    return tuple(None if text is None else _as_value(text, each).value for text, each in pairs)


def _gaps(found: QueryTable) -> tuple[str, ...]:
    """That rows took no part, or are not shown, that a result rests on no row or no words, and what else."""
    gaps = [
        f"In {counted(rows, 'rows')} {column} is no number (“{word}”), and takes part in no figure."
        for column, word, rows in found.excluded
    ]
    if len(found.rows) < found.total or found.is_cut:
        gaps.append(f"The table shows the first {len(found.rows):,} rows.")
    if any(not row.sources for row in found.rows):
        gaps.append("Some of these rest on no row of a table.")
    if any(row.sources and not row.citations for row in found.rows[:MOST_LINES]):
        gaps.append("Some of these rest on rows of which no words are stored to be cited.")
    return (*gaps, *found.notes)
