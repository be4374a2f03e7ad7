"""Lists and tables of answers as CSV and XLSX, with nothing in them that a program takes for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from core.workbench.spreadsheet import safe

KINDS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_LONGEST = 32_000  # characters of one cell that spreadsheet programs take
_EXACT = 15  # digits that they keep of a number


def sheet(
    kind: str, heads: Sequence[str], lines: Iterable[Sequence[Any]], about: Sequence[tuple[str, str]] = ()
) -> bytes:
    """The file of that kind. about: what it is, on a sheet of its own in an XLSX."""
    return _csv(heads, lines) if kind == "csv" else _xlsx(heads, lines, about)


def _csv(heads: Sequence[str], lines: Iterable[Sequence[Any]]) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    for line in (heads, *lines):
        writer.writerow([safe("" if each is None else str(each)) for each in line])
    return file.getvalue().encode("utf-8-sig")


def _xlsx(heads: Sequence[str], lines: Iterable[Sequence[Any]], about: Sequence[tuple[str, str]]) -> bytes:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Documents")
    sheet.freeze_panes = "A2"

    def append(target: Any, line: Sequence[Any]) -> None:
        made = []
        for each in line:
            value = "" if each is None else each
            if isinstance(value, str):
                value = ILLEGAL_CHARACTERS_RE.sub(" ", safe(value))[:_LONGEST]
            cell = WriteOnlyCell(target, value)
            if isinstance(value, str):
                cell.data_type = "s"  # never a formula, whatever it begins with
            made.append(cell)
        target.append(made)

    append(sheet, heads)
    for line in lines:
        append(sheet, line)
    if about:
        said = book.create_sheet("About")
        for each in about:
            append(said, each)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def number(text: Any) -> Any:
    """A number that a spreadsheet computes with exactly; all else as it is."""
    try:
        found = Decimal(str(text))
    except InvalidOperation:
        return text
    return found if found.is_finite() and len(found.as_tuple().digits) <= _EXACT else text
