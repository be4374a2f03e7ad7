"""CSV and XLSX files of lines, with nothing in them that a spreadsheet program takes for a formula."""

from __future__ import annotations

import csv
import io
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
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


def write_csv(file: TextIO, lines: Lines) -> None:
    """Write lines to a file that is open as text without newline translation; None is an empty cell."""
    writer = csv.writer(file)
    for line in lines:
        writer.writerow([safe("" if each is None else str(each)) for each in line])


class Book:
    """An XLSX file whose sheets are written line by line, so that any number of lines fits."""

    def __init__(self) -> None:
        from openpyxl import Workbook

        self._book = Workbook(write_only=True)

    def sheet(self, title: str, freeze: str | None = None) -> Sheet:
        """A new sheet after the others. freeze: the first cell that scrolls."""
        made = self._book.create_sheet(title)
        made.freeze_panes = freeze
        return Sheet(made)

    def save(self, target: Any) -> None:
        """Write it to a path or a binary file; nothing can be appended afterwards."""
        self._book.save(target)


class Sheet:
    """One sheet of a `Book`. Text is never a formula, whatever it begins with."""

    def __init__(self, sheet: Any) -> None:
        self._sheet = sheet
        self._count = 0

    def append(self, line: Sequence[Any], *, linked: bool = False) -> None:
        """Write the next line. linked: its last value is an address that opens by a click, "" for none."""
        from openpyxl.cell import WriteOnlyCell

        cells = []
        for each in line:
            value = "" if each is None else each
            if is_text := isinstance(value, str):
                value = safe(_UNPRINTABLE.sub(" ", value))[:_LONGEST]
            cell = WriteOnlyCell(self._sheet, value)
            if is_text:
                cell.data_type = "s"
            cells.append(cell)
        self._sheet.append(cells)
        self._count += 1
        if linked and line[-1] and self._count <= _MOST_LINKS:
            self._link(len(cells), line[-1])

    def _link(self, column: int, target: str) -> None:
        from openpyxl.utils import get_column_letter
        from openpyxl.worksheet.hyperlink import Hyperlink

        place = f"{get_column_letter(column)}{self._count}"
        self._sheet._hyperlinks.append(Hyperlink(ref=place, target=target))


def sheet(kind: str, heads: Sequence[str], lines: Lines, about: Sequence[tuple[str, str]] = ()) -> bytes:
    """The file of a kind of KINDS. about: what it is, on a sheet of its own in an XLSX."""
    if kind == "csv":
        text = io.StringIO(newline="")
        write_csv(text, (heads, *lines))
        return text.getvalue().encode("utf-8-sig")
    book = Book()
    documents = book.sheet("Documents", "A2")
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
