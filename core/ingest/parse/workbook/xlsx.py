"""XLSX and XLSM: a page for every sheet that is shown, and what else the file holds as parts."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.domain.document import FilePart, Page, ParsedDocument, PartState
from core.errors import InputError
from core.ingest.clean import language_of, normalise
from core.ingest.parse import formats
from core.ingest.parse.base import Budget, ParseLimits, first_of, title_from_source
from core.ingest.parse.office import DamagedPartError, OfficePackage
from core.ingest.parse.table import MergedCells, pages_of, sheet_lines
from core.ingest.parse.workbook.beside import SheetExtras, read_extras
from core.ingest.parse.workbook.book import SheetFile, open_book
from core.ingest.parse.workbook.sheet import Results, SheetRows, column_name
from core.ingest.parse.zips import check_zip
from core.text.marks import plain

_MOST_NAMES = 12  # of rows, columns and cells that a remark lists
_NO_RESULT = (
    "The file stores no result for them and they were not calculated here, since they are not simple or "
    "take too long: open it in a spreadsheet program and save it."
)
_MERGED = "Their text does not stand in all their rows: there are too many to repeat it in each."
_DAMAGED = "Their place or format is damaged: they may stand or look otherwise than they should."
_MORE_NOTES = "There are more comments than are read of a sheet."
_PICTURE = "They are pictures: no text is taken from them."


def parse_xlsx(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """A workbook with the values that it shows; a page for every sheet."""
    check_zip(path, source, limits)
    budget = Budget(source, limits)
    pages: list[Page] = []
    with zipfile.ZipFile(path) as archive:
        package = OfficePackage(archive, "xl/workbook.xml")
        try:
            book = open_book(package)
        except DamagedPartError as error:
            raise InputError(
                "It is damaged: its list of sheets or its texts cannot be read.",
                source=source,
                next_step="Open it in a spreadsheet program, save it anew and add that.",
            ) from error
        parts = _Parts(limits.reads_hidden)
        results = Results(book)
        for sheet in book.sheets:
            if sheet.is_chart or (sheet.is_hidden and not limits.reads_hidden):
                parts.add_sheet(sheet)
                continue
            extras = read_extras(book, sheet)
            rows = SheetRows(book, sheet, results, limits.reads_hidden, extras.notes)
            lines = sheet_lines(rows, MergedCells(rows.widths), rows.row_notes, rows.columns)
            name = normalise(sheet.name)
            pages += pages_of(_with_boxes(lines, extras), budget, len(pages) + 1, name)
            parts.add_sheet(sheet)
            parts.add_rows(name, rows)
            parts.add_extras(name, extras, rows.hidden_notes)
        parts.add_file(package)
        title = normalise(package.properties().get("title", "")).strip()
    has_text = any(page.text for page in pages)
    return ParsedDocument(
        title=title or title_from_source(source),
        media_type=formats.XLSX.media_type,
        pages=tuple(pages),
        language=language_of(pages),
        unreadable_reason="" if has_text else parts.why_empty,
        parts=tuple(parts.found),
    )


def _with_boxes(lines: Iterable[str], extras: SheetExtras) -> Iterator[str]:
    yield from lines
    for box in extras.boxes:
        yield ""
        yield from plain(normalise(box)).split("\n")


class _Parts:
    """Parts of the file as they are met. reads_hidden: what is hidden was read."""

    def __init__(self, reads_hidden: bool) -> None:
        self._hidden = PartState.READ if reads_hidden else PartState.LEFT_OUT
        self.found: list[FilePart] = []

    @property
    def why_empty(self) -> str:
        """The reason why no page has text."""
        if any(part.kind == "damaged sheets" for part in self.found):
            return "It is damaged: no sheet can be read."
        if any(part.state is PartState.LEFT_OUT for part in self.found):
            return 'All its filled cells are hidden; with ingest.hidden_cells = "read" they are read.'
        return "No sheet has a filled cell."

    def add_sheet(self, sheet: SheetFile) -> None:
        """A sheet that is hidden, or is one large chart."""
        if sheet.is_hidden:
            self._add("hidden sheets", self._hidden, 1, normalise(sheet.name))
        elif sheet.is_chart:
            self._add("charts", PartState.UNREAD, 1, normalise(sheet.name), _PICTURE)

    def add_rows(self, name: str, rows: SheetRows) -> None:
        """What was hidden among the rows of a sheet, and what could not be read of them."""
        columns = [column_name(each) for each in sorted(rows.hidden_columns)]
        self._add("hidden rows", self._hidden, len(rows.hidden_rows), _place(name, rows.hidden_rows))
        self._add("hidden columns", self._hidden, len(columns), _place(name, columns))
        self._add("comments", self._hidden, rows.hidden_notes, name)
        self._add("merged cells", PartState.UNREAD, rows.unfilled, name, _MERGED)
        self._add("damaged cells", PartState.UNREAD, len(rows.damaged), _place(name, rows.damaged), _DAMAGED)
        self._add("computed formulas", PartState.READ, rows.computed, name)
        unknown = rows.unknown
        self._add(
            "formulas without a stored result",
            PartState.UNREAD,
            len(unknown),
            _place(name, unknown),
            _NO_RESULT,
        )
        if rows.damaged_behind is not None:
            reason = f"It breaks off behind row {rows.damaged_behind}: the file is damaged there."
            self._add("damaged sheets", PartState.UNREAD, 1, name, reason)

    def add_extras(self, name: str, extras: SheetExtras, hidden_notes: int) -> None:
        """What stands beside the cells of a sheet."""
        notes = sum(map(len, extras.notes.values())) - hidden_notes
        self._add("comments", PartState.READ, notes, name)
        self._add("comments", PartState.UNREAD, extras.more_notes, name, _MORE_NOTES)
        self._add("text boxes", PartState.READ, len(extras.boxes), name)
        self._add("charts", PartState.UNREAD, extras.charts, name, _PICTURE)
        self._add("images", PartState.UNREAD, extras.images, name, _PICTURE)
        self._add("embedded objects", PartState.UNREAD, extras.objects, name, "They are files of their own.")
        for kind in extras.damaged:
            self._add(kind, PartState.UNREAD, 1, name, "Their part of the file is damaged.")

    def add_file(self, package: OfficePackage) -> None:
        """What belongs to no sheet."""
        self._add("macros", PartState.LEFT_OUT, int("xl/vbaProject.bin" in package), "the workbook")

    def _add(self, kind: str, state: PartState, count: int, place: str, reason: str = "") -> None:
        if count:
            self.found.append(FilePart(kind, state, count, place, reason))


def _place(sheet: str, names: Iterable[object]) -> str:
    return f"{sheet}: {first_of(names, _MOST_NAMES)}"
