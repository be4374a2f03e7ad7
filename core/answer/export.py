"""The whole list behind an answer as lines of a file, with what may be seen of it when it is fetched."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from core.domain.answer import Answer, Citation, Table
from core.domain.document import DocumentSummary
from core.domain.fields import FieldType
from core.domain.ids import DocumentId
from core.spreadsheet import Linked, is_exact, number

Address = Callable[[str, Citation | None], str]
"""Address of a citation, or else of the document."""

HEADS = ("Document", "File", "Bucket")
LAST_HEADS = ("Link", "Document id")
_TITLE = "Document"  # the column of an answer's table that says the title once more
_MONEY = re.compile(r"([A-Z]{3}) (-?[\d,]{1,60}(?:\.\d{1,60})?)\Z")
_NUMBER = re.compile(r"(-?[\d,]{1,60}(?:\.\d{1,60})?)(?: ([^\d;]+))?\Z")


@dataclass(frozen=True, slots=True)
class Export:
    """A list as a file has it, a line each. left_out: lines of documents that are gone or may not be seen."""

    question: str
    heads: tuple[str, ...]
    lines: tuple[tuple[Any, ...], ...]
    left_out: int = 0


def address(trace_id: str) -> str:
    """Address of an answer's list by REST, as `clarification.export` gives it."""
    return f"/api/v1/answers/{trace_id}/export.csv"


def has_list(answer: Answer) -> bool:
    """True where documents are listed, each in a line."""
    return answer.table is not None and bool(answer.table.documents)


def export_of(answer: Answer, seen: Mapping[DocumentId, DocumentSummary], link: Address) -> Export:
    """The lines of an answer's table, in its order. seen: the documents that may be seen now, by id."""
    table = answer.table
    if table is None:
        return Export(answer.question, (*HEADS, *LAST_HEADS), ())
    kept = [at for at, column in enumerate(table.columns) if column.name != _TITLE]
    columns = [typed_column(table, at) for at in kept]
    places = _places(answer, table)
    lines = []
    for row, id in enumerate(map(DocumentId, table.documents)):
        if id in seen:
            where = link(id, places.get(row))
            name, *rest = _document(seen[id])
            cells = (part for column in columns for part in column.cells[row])
            lines.append((Linked(name, where), *rest, *cells, Linked(where, where), id))
    heads = (*HEADS, *(head for column in columns for head in column.heads), *LAST_HEADS)
    return Export(answer.question, heads, tuple(lines), len(table.documents) - len(lines))


def _places(answer: Answer, table: Table) -> dict[int, Citation]:
    """By row the first citation that it rests on; where the answer does not say, that of its document."""
    if table.citations:
        cited = {each.n: each for each in answer.citations}
        own = {at: [cited[n] for n in numbers if n in cited] for at, numbers in enumerate(table.citations)}
        return {at: found[0] for at, found in own.items() if found}
    of = {citation.document: citation for citation in reversed(answer.citations)}
    return {at: of[id] for at, id in enumerate(table.documents) if id in of}


def export_of_all(question: str, documents: Sequence[DocumentSummary], link: Address) -> Export:
    """A line for each document, for a question that every one of them fits."""
    lines = []
    for each in documents:
        where = link(each.id, None)
        name, *rest = _document(each)
        lines.append((Linked(name, where), *rest, Linked(where, where), each.id))
    return Export(question, (*HEADS, *LAST_HEADS), tuple(lines))


@dataclass(frozen=True, slots=True)
class TypedColumn:
    """A column of a table as a file has it: an amount and its unit are two. cells: by row."""

    heads: tuple[str, ...]
    cells: tuple[tuple[Any, ...], ...]


def typed_column(table: Table, at: int) -> TypedColumn:
    """A column with days as days and amounts as numbers; what is none stays as it is written."""
    column = table.columns[at]
    values = [row[at] for row in table.rows]
    if column.type == FieldType.DATE:
        return TypedColumn((column.name,), tuple((_day(each),) for each in values))
    if column.type in (FieldType.MONEY, FieldType.NUMBER, "integer"):
        measured = [_measured(each, is_money=column.type == FieldType.MONEY) for each in values]
        if any(unit for _, unit in measured):
            return TypedColumn((column.name, f"{column.name} unit"), tuple(measured))
        return TypedColumn((column.name,), tuple((value,) for value, _ in measured))
    return TypedColumn((column.name,), tuple((each,) for each in values))


def _day(text: Any) -> Any:
    """The day that a text writes as answers write it, `3 Oct 2024`, or as ISO 8601."""
    for read in (date.fromisoformat, lambda each: datetime.strptime(each, "%d %b %Y").date()):
        try:
            return read(str(text))
        except ValueError:
            continue
    return text


def _measured(text: Any, *, is_money: bool) -> tuple[Any, str]:
    """The amount that a text writes as answers write it, `USD 1,250,000` or `12 kg`, and its unit."""
    if not isinstance(text, str):
        return text, ""
    found = _MONEY.match(text) if is_money else _NUMBER.match(text)
    if found is None:
        return number(text), ""
    unit, amount = found.groups() if is_money else reversed(found.groups())
    value = Decimal(amount.replace(",", ""))
    return (value, unit or "") if is_exact(value) else (text, "")


def _document(summary: DocumentSummary) -> tuple[str, ...]:
    return summary.name, summary.source, summary.bucket
