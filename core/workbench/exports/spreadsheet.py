"""Writes a matrix as CSV or XLSX, a document at a time, so that any number of documents fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from core.domain.document import DocumentSummary
from core.domain.fields import WITH_UNITS, Cell, FieldType, Quote
from core.domain.matrix import MatrixColumn, MatrixQuery, MatrixRow
from core.domain.wire.fields import shown_spans
from core.errors import UsageError
from core.spreadsheet import Book, Linked, replaced, write_csv
from core.workbench.exports.exported_cell import best_guess, cell_values, titles, value_heads

Link = Callable[[DocumentSummary, Cell | None, Quote | None], str]
"""Address of a place of a cell, else of the document."""

_DOCUMENT = ("Document", "File", "Bucket")
_OF_CELL = (
    "status",
    "best guess",
    "probability",
    "confidence",
    "method",
    "reviewed by",
    "page",
    "start",
    "end",
    "quote",
    "link",
)
_ID = "Document id"


def write_matrix(
    path: Path,
    columns: Sequence[MatrixColumn],
    rows: Iterable[MatrixRow],
    link: Link,
    about: Sequence[tuple[str, str]] = (),
) -> int:
    """Write the file as a whole or not at all; gives how many documents it holds.

    CSV: a row a document; of each field its value, unit and what tells about it. XLSX: the values with their
    status on a first sheet, each linked to its place, and a second one with a row a cell; about: what was
    chosen, on a sheet before these. Days are days, lengths of time words with their ISO 8601 beside them; of
    an undecided cell the best guess stands with its probability, and never where a value would.
    Raises UsageError for another ending or a bad place.
    """
    writers = {".csv": _write_csv, ".xlsx": _write_xlsx}
    writer = writers.get(path.suffix.lower())
    if writer is None:
        raise UsageError(
            f"{str(path)!r} is of an unknown kind.", next_step="Give a file that ends in .csv or .xlsx."
        )
    with replaced(path) as part:
        return writer(part, columns, rows, link, about)


def described(query: MatrixQuery) -> tuple[tuple[str, str], ...]:
    """Choice of the rows, line by line, for a person; () where all documents are in it, by title."""
    lines = [("Kind of documents", query.schema)] if query.schema else []
    lines += [("Title or file name holds", query.text)] if query.text else []
    for each in query.where:
        values = " and ".join(str(getattr(value, "text", value)) for value in each.values)
        lines.append(("Only where", f"{each.field} {each.operator.value} {values}".strip()))
    if query.order_field:
        lines.append(("Sorted by", f"{query.order_field}, {'falling' if query.descending else 'rising'}"))
    return (("Bucket", query.bucket or "all"), *lines) if lines else ()


def _write_csv(
    path: Path,
    columns: Sequence[MatrixColumn],
    rows: Iterable[MatrixRow],
    link: Link,
    _about_file: Sequence[tuple[str, str]],
) -> int:
    count = 0

    def lines() -> Iterator[Sequence[Any]]:
        nonlocal count
        titled = titles(columns)
        about = tuple(f" {name}" for name in _OF_CELL)
        heads = [f"{titled[each.name]}{part}" for each in columns for part in (*value_heads(each), *about)]
        yield [*_DOCUMENT, *heads, _ID]
        for row in rows:
            line: list[Any] = list(_document(row))
            for column in columns:
                cell = row.cells.get(column.name)
                line += cell_values(cell, column)
                line += _nothing(row, column, link) if cell is None else _about(row, cell, link)
            yield [*line, row.document.id]
            count += 1

    with path.open("w", encoding="utf-8-sig", newline="") as file:
        write_csv(file, lines())
    return count


def _write_xlsx(
    path: Path,
    columns: Sequence[MatrixColumn],
    rows: Iterable[MatrixRow],
    link: Link,
    about_file: Sequence[tuple[str, str]],
) -> int:
    book = Book()
    if about_file:
        chosen = book.sheet("About")
        for about_it in about_file:
            chosen.append(about_it)
    matrix, cells = book.sheet("Matrix", "B2"), book.sheet("Cells", "B2")
    titled = titles(columns)
    heads = [f"{titled[each.name]}{part}" for each in columns for part in (*value_heads(each), " status")]
    matrix.append([*_DOCUMENT, *heads, _ID])
    about_cell = [name.capitalize() for name in _OF_CELL]
    cells.append([*_DOCUMENT, "Field", "Value", "Unit", "ISO 8601", *about_cell, "Field name", _ID])
    count = 0
    for row in rows:
        name, *rest = _document(row)
        about = [Linked(name, link(row.document, None, None)), *rest]
        line: list[Any] = []
        for column in columns:
            cell = row.cells.get(column.name)
            said = _nothing(row, column, link) if cell is None else _about(row, cell, link)
            target = said[-1]
            values, status = cell_values(cell, column), _status(said)
            is_stated = values[0] not in ("", None)
            value = Linked(values[0], target) if is_stated else values[0]
            line += [value, *values[1:], status if is_stated else Linked(status, target)]
            unit = values[1] if column.type in WITH_UNITS else ""
            iso = values[1] if column.type is FieldType.DURATION else ""
            where = [titled[column.name], values[0], unit, iso]
            cells.append(
                [*_document(row), *where, *said[:-1], Linked(target, target), column.name, row.document.id]
            )
        matrix.append([*about, *line, row.document.id])
        count += 1
    book.save(path)
    return count


def _document(row: MatrixRow) -> tuple[str, str, str]:
    found = row.document
    return found.name, found.source, found.bucket


def _about(row: MatrixRow, cell: Cell, link: Link) -> list[Any]:
    """What tells about a cell, in the order of _OF_CELL."""
    finding = cell.finding
    quote = next(iter(shown_spans(finding)), None)
    place: list[Any] = [""] * 4
    if quote is not None:
        place = [quote.span.page_no, quote.span.start, quote.span.end, quote.quote]
    reviewer = cell.review.user if cell.review is not None else ""
    return [
        finding.status.value,
        *best_guess(finding),
        round(finding.confidence, 4),
        finding.method,
        reviewer,
        *place,
        link(row.document, cell, quote),
    ]


def _status(about: Sequence[Any]) -> str:
    """The status in one cell: `uncertain, perhaps 3 months (62 %)`."""
    status, guess, probability = about[:3]
    return f"{status}, perhaps {guess} ({probability:.0%})".replace("%", " %") if guess else status


def _nothing(row: MatrixRow, column: MatrixColumn, link: Link) -> list[Any]:
    """Reason that stands for a cell that there is not."""
    status = "not asked" if column.name in row.not_asked else "not read"
    return [status, *[""] * (len(_OF_CELL) - 2), link(row.document, None, None)]
