"""Writes a matrix as CSV or XLSX, a document at a time, so that any number of documents fits."""

from __future__ import annotations

import csv
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

from core.domain.fields import Cell, CellStatus, FieldType, Quote
from core.domain.matrix import MatrixColumn, MatrixRow
from core.domain.wire.fields import shown_spans, value_json
from core.errors import UsageError

Link = Callable[[Cell, Quote | None], str]

_DOCUMENT = ("document", "title", "source", "bucket")
_OF_CELL = ("status", "confidence", "method", "reviewed by", "page", "start", "end", "quote", "link")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # full width too
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # what XML cannot hold
_LONGEST = 32_000  # characters of one cell that spreadsheet programs take
_MOST_LINKS = 60_000  # links of one sheet; programs take 65,530
_EXACT = 10**15  # spreadsheet programs keep 15 digits: a larger number is written as text
_NUMERIC = frozenset({FieldType.MONEY, FieldType.NUMBER})


def safe(text: str) -> str:
    """The text so that no spreadsheet program takes it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def write_lines(path: Path, heads: Sequence[str], lines: Iterable[Sequence[Any]]) -> None:
    """Write lines as CSV, as a whole or not at all. Raises UsageError for another ending or a bad place."""
    if path.suffix.lower() != ".csv":
        raise UsageError(f"{str(path)!r} is of an unknown kind.", next_step="Give a file that ends in .csv.")
    with _replaced(path) as part, part.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        for line in (heads, *lines):
            writer.writerow([safe("" if each is None else str(each)) for each in line])


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
    with _replaced(path) as part:
        return writer(part, columns, rows, link, about)


@contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """A file beside it that takes its place where nothing was raised. Raises UsageError for a bad place."""
    try:
        handle, name = tempfile.mkstemp(prefix=".", suffix=path.suffix, dir=path.parent)
        os.close(handle)
        part = Path(name)
        try:
            yield part
            os.chmod(part, 0o644)
            os.replace(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(
            f"{str(path)!r} cannot be written: {error.strerror or error}.",
            next_step="Choose a file in a folder that you may write to.",
        ) from error


def _write_csv(
    path: Path,
    columns: Sequence[MatrixColumn],
    rows: Iterable[MatrixRow],
    link: Link,
    _about_file: Sequence[tuple[str, str]],
) -> int:
    count = 0
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        head = [*_DOCUMENT]
        for column in columns:
            head += [column.name, f"{column.name} unit", *(f"{column.name} {name}" for name in _OF_CELL)]
        writer.writerow(head)
        for row in rows:
            line = list(_document(row))
            for column in columns:
                cell = row.cells.get(column.name)
                line += _nothing(row, column) if cell is None else [*_value(cell), *_about(cell, link)]
            writer.writerow([safe(_text(each)) for each in line])
            count += 1
    return count


def _write_xlsx(
    path: Path,
    columns: Sequence[MatrixColumn],
    rows: Iterable[MatrixRow],
    link: Link,
    about_file: Sequence[tuple[str, str]],
) -> int:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.hyperlink import Hyperlink

    book = Workbook(write_only=True)
    chosen = book.create_sheet("About") if about_file else None
    matrix, cells = book.create_sheet("Matrix"), book.create_sheet("Cells")
    matrix.freeze_panes = cells.freeze_panes = "B2"

    def line(sheet: Any, values: Iterable[Any]) -> None:
        made = []
        for value in values:
            is_text = isinstance(value, str)
            cell = WriteOnlyCell(sheet, _cleaned(value) if is_text else value)
            if is_text:
                cell.data_type = "s"  # never a formula, whatever it begins with
            made.append(cell)
        sheet.append(made)

    def linked(sheet: Any, values: Sequence[Any], row_no: int) -> None:
        """The same, where the last value is an address that opens by a click."""
        line(sheet, values)
        if row_no <= _MOST_LINKS and values[-1]:
            place = f"{get_column_letter(len(values))}{row_no}"
            sheet._hyperlinks.append(Hyperlink(ref=place, target=values[-1]))

    for said in about_file:
        line(chosen, said)
    line(matrix, [*_DOCUMENT, *(name for each in columns for name in _heads(each))])
    line(cells, [*_DOCUMENT, "field", "value", "unit", *_OF_CELL])
    count, cell_no = 0, 1
    for row in rows:
        about = list(_document(row))
        values: list[Any] = []
        for column in columns:
            cell = row.cells.get(column.name)
            value, unit = ("", "") if cell is None else _number_or_text(cell)
            values += [value, unit] if column.type in _NUMERIC else [value]
            rest = _nothing(row, column) if cell is None else [value, unit, *_about(cell, link)]
            cell_no += 1
            linked(cells, [*about, column.name, *rest], cell_no)
        line(matrix, [*about, *values])
        count += 1
    book.save(path)
    return count


def _heads(column: MatrixColumn) -> Iterator[str]:
    yield column.name
    if column.type in _NUMERIC:
        yield f"{column.name} unit"


def _document(row: MatrixRow) -> tuple[str, str, str, str]:
    found = row.document
    return found.id, found.title, found.source, found.bucket


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
    if value is not None and value.type in _NUMERIC and value.amount is not None:
        number = value.decimal
        if number is not None and abs(value.amount) < _EXACT:
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
    """What stands for a cell that there is not: why there is none."""
    status = "not asked" if column.name in row.not_asked else "not read"
    return ["", "", status, *[""] * (len(_OF_CELL) - 1)]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _cleaned(text: str) -> str:
    return safe(_UNPRINTABLE.sub(" ", text))[:_LONGEST]
