"""Writes a matrix as CSV or XLSX, a document at a time, so that any number of documents fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from core.domain.fields import WITH_UNITS, Cell, CellStatus, FieldType, Quote
from core.domain.matrix import MatrixColumn, MatrixQuery, MatrixRow
from core.domain.wire.fields import shown_spans, value_json
from core.errors import UsageError
from core.spreadsheet import Book, is_exact, replaced, write_csv

Link = Callable[[Cell, Quote | None], str]

_DOCUMENT = ("document", "title", "source", "bucket")
_OF_CELL = ("status", "confidence", "method", "reviewed by", "page", "start", "end", "quote", "link")


def write_matrix(
    path: Path,
    columns: Sequence[MatrixColumn],
    rows: Iterable[MatrixRow],
    link: Link,
    about: Sequence[tuple[str, str]] = (),
) -> int:
    """Write the file as a whole or not at all; gives how many documents it holds.

    CSV: a row a document; of each field its value, unit and what tells about it. XLSX: the same values on a
    first sheet, and a second one with a row a cell; about: what was chosen, on a sheet before these.
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
        parts = ("", " unit", *(f" {name}" for name in _OF_CELL))
        yield [*_DOCUMENT, *(f"{each.name}{part}" for each in columns for part in parts)]
        for row in rows:
            line = list(_document(row))
            for column in columns:
                cell = row.cells.get(column.name)
                line += _nothing(row, column) if cell is None else [*_value(cell), *_about(cell, link)]
            yield line
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
        for said in about_file:
            chosen.append(said)
    matrix, cells = book.sheet("Matrix", "B2"), book.sheet("Cells", "B2")
    matrix.append([*_DOCUMENT, *(name for each in columns for name in _heads(each))])
    cells.append([*_DOCUMENT, "field", "value", "unit", *_OF_CELL])
    count = 0
    for row in rows:
        about = list(_document(row))
        values: list[Any] = []
        for column in columns:
            cell = row.cells.get(column.name)
            value, unit = ("", "") if cell is None else _number_or_text(cell)
            values += [value, unit] if column.type in WITH_UNITS else [value]
            rest = _nothing(row, column) if cell is None else [value, unit, *_about(cell, link)]
            cells.append([*about, column.name, *rest], linked=True)
        matrix.append([*about, *values])
        count += 1
    book.save(path)
    return count


def _heads(column: MatrixColumn) -> Iterator[str]:
    yield column.name
    if column.type in WITH_UNITS:
        yield f"{column.name} unit"


def _document(row: MatrixRow) -> tuple[str, str, str, str]:
    found = row.document
    return found.id, found.name, found.source, found.bucket


def _value(cell: Cell) -> tuple[str, str]:
    """The value as text, several with semicolons, and its unit; empty unless it is present."""
    if cell.finding.status is not CellStatus.PRESENT:
        return "", ""
    values = cell.finding.values
    units = {value.unit for value in values}
    if len(units) > 1:
        return "; ".join(f"{_text(value_json(each))} {each.unit}".strip() for each in values), ""
    return "; ".join(_text(value_json(each)) for each in values), next(iter(units), "")


def _number_or_text(cell: Cell) -> tuple[Decimal | bool | str, str]:
    """The value as a spreadsheet computes with it, where it does so exactly."""
    finding = cell.finding
    value = finding.values[0] if finding.status is CellStatus.PRESENT and len(finding.values) == 1 else None
    if value is not None and value.type is FieldType.BOOLEAN:
        return value.text == "true", ""
    if value is not None and value.type in WITH_UNITS and value.amount is not None:
        number = value.decimal
        if number is not None and is_exact(number):
            return number, value.unit
    return _value(cell)


def _about(cell: Cell, link: Link) -> list[Any]:
    finding = cell.finding
    quote = next(iter(shown_spans(finding)), None)
    place: list[Any] = [""] * 4
    if quote is not None:
        place = [quote.span.page_no, quote.span.start, quote.span.end, quote.quote]
    reviewer = cell.review.user if cell.review is not None else ""
    status = finding.status.value
    return [status, round(finding.confidence, 4), finding.method, reviewer, *place, link(cell, quote)]


def _nothing(row: MatrixRow, column: MatrixColumn) -> list[Any]:
    """Reason that stands for a cell that there is not."""
    status = "not asked" if column.name in row.not_asked else "not read"
    return ["", "", status, *[""] * (len(_OF_CELL) - 1)]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
