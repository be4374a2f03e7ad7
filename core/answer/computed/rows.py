"""Answers that are rows of tables in documents."""

from __future__ import annotations

from core.answer.computed.draft import ComputedDraft, Line
from core.answer.computed.ledger import ledger_of
from core.answer.computed.source import Facts
from core.domain.answer import Column, Table
from core.domain.results import Rows


def compose_rows(found: Rows, facts: Facts) -> ComputedDraft:
    """The rows that fulfil the conditions, as a table with the document of each."""
    names = tuple(dict.fromkeys(name for row in found.rows for name in row.cells))
    columns = (Column(name="Document", type="text"), *(Column(name=name, type="text") for name in names))
    rows = tuple((facts.title(row.document), *(row.cells.get(name) for name in names)) for row in found.rows)
    documents = tuple(row.document for row in found.rows)
    said = f"{found.total:,} row{'' if found.total == 1 else 's'} in {len(set(documents)):,} documents."
    shown = len(found.rows)
    gaps = () if shown == found.total else (f"The table shows the first {shown:,} of {found.total:,} rows.",)
    return ComputedDraft(
        lead=Line(said),
        table=Table(columns=columns, rows=rows, documents=documents),
        ledger=ledger_of(found.documents, "rows"),
        gaps=gaps,
    )
