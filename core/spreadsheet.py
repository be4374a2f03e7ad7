"""CSV and XLSX files of lines, with nothing in them that a spreadsheet program takes for a formula."""

from __future__ import annotations

import csv
import io
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TextIO

from core.errors import UsageError

Lines = Iterable[Sequence[Any]]

KINDS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # full width too
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # what XML cannot hold
_LONGEST = 32_000  # characters of one cell that spreadsheet programs take
_MOST_LINKS = 60_000  # links of one sheet; programs take 65,530
_EXACT = 15  # digits that they keep of a number
_MEASURED = 100  # lines by which the width of columns is chosen
_NARROWEST, _WIDEST = 9, 60  # characters
_FIRST_DAY = date(1900, 3, 1)  # before it programs disagree: some know a 29 February 1900
_LINK_COLOUR = "0563C1"


def safe(text: str) -> str:
    """The text so that no spreadsheet program takes it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def is_exact(number: Decimal) -> bool:
    """A spreadsheet program computes with the number as it is."""
    return number.is_finite() and len(number.as_tuple().digits) <= _EXACT


def number(text: Any) -> Any:
    """A number that a spreadsheet computes with exactly; all else as it is."""
    try:
        found = Decimal(str(text))
    except InvalidOperation:
        return text
    return found if is_exact(found) else text


@dataclass(frozen=True, slots=True)
class Linked:
    """A value that opens an address by a click, "" for none; a CSV holds the value alone."""

    value: Any
    target: str


def write_csv(file: TextIO, lines: Lines) -> None:
    """Write lines to a file that is open as text without newline translation; None is an empty cell.

    Days are written as ISO 8601.
    """
    writer = csv.writer(file)
    for line in lines:
        writer.writerow([safe("" if each is None else str(each)) for each in map(_bare, line)])


def _bare(each: Any) -> Any:
    value = each.value if isinstance(each, Linked) else each
    return value.isoformat() if isinstance(value, date) else value


class Book:
    """An XLSX file whose sheets are written line by line, so that any number of lines fits."""

    def __init__(self) -> None:
        from openpyxl import Workbook

        self._book = Workbook(write_only=True)
        self._sheets: list[Sheet] = []

    def sheet(self, title: str, freeze: str | None = None) -> Sheet:
        """A new sheet after the others. freeze: the first cell that scrolls, below a head that filters."""
        made = self._book.create_sheet(title)
        made.freeze_panes = freeze
        self._sheets.append(Sheet(made, has_head=freeze is not None))
        return self._sheets[-1]

    def save(self, target: Any) -> None:
        """Write it to a path or a binary file; nothing can be appended afterwards."""
        for each in self._sheets:
            each.finish()
        self._book.save(target)


class Sheet:
    """One sheet of a `Book`. Text is never a formula, whatever it begins with; a `date` is a day.

    Columns are as wide as the first lines need. has_head: the first line is one; it is bold, and filters.
    """

    def __init__(self, sheet: Any, *, has_head: bool = False) -> None:
        self._sheet = sheet
        self._has_head = has_head
        self._first: list[Sequence[Any]] | None = []
        self._count = self._columns = self._links = 0

    def append(self, line: Sequence[Any]) -> None:
        """Write the next line."""
        if self._first is None:
            self._write(line)
            return
        self._first.append(line)
        if len(self._first) >= _MEASURED:
            self._flush()

    def finish(self) -> None:
        """Write what is left; the head filters all lines."""
        self._flush()
        if self._has_head and self._columns:
            from openpyxl.utils import get_column_letter

            self._sheet.auto_filter.ref = f"A1:{get_column_letter(self._columns)}{max(1, self._count)}"

    def _flush(self) -> None:
        """Write the first lines under columns that are wide enough; widths stand before them in a file."""
        if self._first is None:
            return
        from openpyxl.utils import get_column_letter

        lines, self._first = self._first, None
        for column, width in enumerate(_widths(lines), start=1):
            self._sheet.column_dimensions[get_column_letter(column)].width = width
        for line in lines:
            self._write(line)

    def _write(self, line: Sequence[Any]) -> None:
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.styles import Font

        is_head = self._has_head and not self._count
        self._count += 1
        self._columns = max(self._columns, len(line))
        cells = []
        for column, each in enumerate(line, start=1):
            value, target = (each.value, each.target) if isinstance(each, Linked) else (each, "")
            value = "" if value is None else value
            if isinstance(value, date) and value < _FIRST_DAY:
                value = value.isoformat()
            if is_text := isinstance(value, str):
                value = safe(_UNPRINTABLE.sub(" ", value))[:_LONGEST]
            cell = WriteOnlyCell(self._sheet, value)
            if is_text:
                cell.data_type = "s"
            if isinstance(value, date):
                cell.number_format = "yyyy-mm-dd"
            if is_head:
                cell.font = Font(bold=True)
            if target and self._links < _MOST_LINKS:
                cell.font = Font(color=_LINK_COLOUR, underline="single")
                self._link(column, target)
            cells.append(cell)
        self._sheet.append(cells)

    def _link(self, column: int, target: str) -> None:
        from openpyxl.utils import get_column_letter
        from openpyxl.worksheet.hyperlink import Hyperlink

        self._links += 1
        place = f"{get_column_letter(column)}{self._count}"
        self._sheet._hyperlinks.append(Hyperlink(ref=place, target=target))


def _widths(lines: Sequence[Sequence[Any]]) -> list[int]:
    """Width of each column in characters, within bounds: a quote does not push the others off the screen."""
    columns = max((len(line) for line in lines), default=0)
    longest = [max(len(str(_bare(line[at]))) for line in lines if at < len(line)) for at in range(columns)]
    return [min(max(each + 2, _NARROWEST), _WIDEST) for each in longest]


def sheet(kind: str, heads: Sequence[str], lines: Lines, about: Sequence[tuple[str, str]] = ()) -> bytes:
    """The file of a kind of KINDS. about: what it is, on a sheet of its own in an XLSX."""
    if kind == "csv":
        text = io.StringIO(newline="")
        write_csv(text, (heads, *lines))
        return text.getvalue().encode("utf-8-sig")
    book = Book()
    documents = book.sheet("Documents", "B2")
    for line in (heads, *lines):
        documents.append(line)
    if about:
        described = book.sheet("About")
        for each in about:
            described.append(each)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def write_lines(path: Path, heads: Sequence[str], lines: Lines) -> None:
    """Write lines as CSV, as a whole or not at all. Raises UsageError for another ending or a bad place."""
    if path.suffix.lower() != ".csv":
        raise UsageError(f"{str(path)!r} is of an unknown kind.", next_step="Give a file that ends in .csv.")
    with replaced(path) as part, part.open("w", encoding="utf-8-sig", newline="") as file:
        write_csv(file, (heads, *lines))


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
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
