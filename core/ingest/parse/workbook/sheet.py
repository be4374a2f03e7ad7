"""Rows of one sheet, from its cells: what a sheet declares of its own size is never believed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from core.ingest.parse.office import DamagedPartError, is_on, local
from core.ingest.parse.workbook.book import SheetFile, Workbook, words_of
from core.ingest.parse.workbook.formulas import Formula, Formulas, Place, UnknownResultError, column_number
from core.ingest.parse.workbook.number_format import cell_text
from core.text.numerals import letters

if TYPE_CHECKING:
    from openpyxl.formula.translate import Translator

_MOST_COLUMNS = 2_000
_LAST_COLUMN = 16_384
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')
_MOST_MERGED = 20_000
_LARGEST = 30_000_000  # bytes of a sheet: in a larger one merged cells are not looked for, nor is it computed
_PLACE = re.compile(r"([A-Z]{1,3})(\d{1,7})")


class _Cell(NamedTuple):
    row: int
    column: int
    value: object
    style: int
    formula: str | None
    shared: str

    def is_open(self, book: Workbook) -> bool:
        """True of a formula whose result is not stored: nothing is, or the zero of who computes none."""
        is_zero = book.distrusts_zeros and self.value == 0 and self.value is not False
        return self.formula is not None and (self.value is None or is_zero)


class _Row(NamedTuple):
    number: int
    is_hidden: bool
    cells: list[_Cell]


class _Merged(NamedTuple):
    top: int
    left: int
    bottom: int
    right: int


@dataclass(slots=True)
class Results:
    """Results of formulas that the file holds none for; all cells are read when the first is asked for."""

    book: Workbook
    _formulas: Formulas | None = None

    def of(self, sheet: str, place: Place) -> object:
        """The result in a cell; None where it is unknown."""
        if self._formulas is None:
            self._formulas = Formulas(_all_cells(self.book))
        try:
            return self._formulas.result(sheet, place)
        except UnknownResultError:
            return None


@dataclass(slots=True)
class SheetRows:
    """The rows of a sheet that are shown, and what is told of it while they are read.

    notes: marks of comments by place. widths: of merged cells by row and column, row_notes: marks by row,
    both of what was given out and from 0. hidden_rows, hidden_columns: those that hold something. unknown:
    formulas without a result. computed: how many have one that was not stored. damaged_behind: the last row
    that was read of a sheet that breaks off.
    """

    book: Workbook
    sheet: SheetFile
    results: Results
    reads_hidden: bool = False
    notes: Mapping[Place, str] = field(default_factory=dict)
    widths: dict[tuple[int, int], int] = field(default_factory=dict)
    row_notes: dict[int, str] = field(default_factory=dict)
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: set[int] = field(default_factory=set)
    unknown: list[str] = field(default_factory=list)
    computed: int = 0
    damaged_behind: int | None = None

    def __iter__(self) -> Iterator[list[str]]:
        """Texts of the cells of each row; one blank row where some are left free."""
        merged = _merged_cells(self.book, self.sheet.path)
        held: list[tuple[_Merged, str]] = []
        hidden: set[int] = set()
        last, given, is_apart = 0, 0, False
        try:
            for row in _rows(self.book, self.sheet.path, hidden):
                texts = {cell.column: text for cell in row.cells if (text := self._text(cell))}
                held = [each for each in held if each[0].bottom >= row.number]
                is_apart |= row.number > last + 1
                last = row.number
                if texts:
                    for each, text in held:
                        texts.setdefault(each.left, text)
                own = merged.get(row.number, ())
                held += [
                    (m, texts[m.left])
                    for m in own
                    if m.bottom > m.top and m.left == m.right and m.left in texts
                ]
                self._note_hidden(row, texts, hidden)
                if row.is_hidden and not self.reads_hidden:
                    continue
                left_out = set() if self.reads_hidden else hidden
                widths = _widths(own, texts, left_out)
                shown = [at for at in sorted(texts) if at not in left_out]
                if not shown:
                    is_apart = True
                    continue
                if given and is_apart:
                    yield []
                    given += 1
                is_apart = False
                self.widths |= {(given, at): width for at, width in widths.items()}
                if marks := [
                    self.notes[place] for c in row.cells if (place := (c.row, c.column)) in self.notes
                ]:
                    self.row_notes[given] = " ".join(marks)
                near = range(1, min(shown[-1], _MOST_COLUMNS) + 1)
                row_texts = [texts.get(at, "") for at in near if at not in left_out]
                yield [*row_texts, *(texts[at] for at in shown if at > _MOST_COLUMNS)]
                given += 1
        except DamagedPartError:
            self.damaged_behind = last

    def _note_hidden(self, row: _Row, texts: Mapping[int, str], hidden: set[int]) -> None:
        self.hidden_columns |= hidden & texts.keys()
        if row.is_hidden and texts:
            self.hidden_rows.append(row.number)

    def _text(self, cell: _Cell) -> str:
        value = cell.value
        if cell.is_open(self.book):
            value = self.results.of(self.sheet.name, (cell.row, cell.column))
            if value is None:
                self.unknown.append(place_name(cell.row, cell.column))
                return ""
            self.computed += 1
        return cell_text(self.book.shown(value, cell.style), self.book.format_of(cell.style))


def place_name(row: int, column: int) -> str:
    """A cell as sheets call it: B7."""
    return f"{column_name(column)}{row}"


def column_name(column: int) -> str:
    """The letters of a column, from 1."""
    return letters(column).upper()


def place_of(name: str) -> Place | None:
    """Row and column of "B7"; None for anything else."""
    found = _PLACE.fullmatch(name.replace("$", ""))
    return (int(found[2]), column_number(found[1])) if found else None


def _widths(merged: Iterable[_Merged], texts: dict[int, str], left_out: set[int]) -> dict[int, int]:
    """Columns that merged cells span, of those given out; what begins in a hidden one, in the next."""
    found = {}
    for each in merged:
        places = [at for at in range(each.left, each.right + 1) if at not in left_out]
        if places and places[0] != each.left and each.left in texts:
            texts[places[0]] = texts[each.left]
        if len(places) > 1:
            found[places[0] - 1 - sum(at < places[0] for at in left_out)] = len(places)
    return found


def _rows(book: Workbook, path: str, hidden: set[int]) -> Iterator[_Row]:
    """The rows of a sheet as they stand. hidden: is given the columns that are not shown."""
    number = 0
    for element in book.package.elements(path, "col", "row"):
        if local(element) == "col":
            if is_on(element.get("hidden")) or _is_nought(element, "width"):
                first, last = int(element.get("min", 1)), int(element.get("max", 1))
                hidden.update(range(first, min(last, _LAST_COLUMN) + 1))
            continue
        number = int(float(element.get("r", number + 1)))
        is_hidden = is_on(element.get("hidden")) or _is_nought(element, "ht")
        yield _Row(number, is_hidden, list(_cells(book, element, number)))


def _is_nought(element: Any, name: str) -> bool:
    return element.get(name, "")[:1] == "0" and not element.get(name).strip("0.")


def _cells(book: Workbook, row: Any, number: int) -> Iterator[_Cell]:
    column = 0
    for each in row:
        place = place_of(each.get("r", ""))
        column = place[1] if place else column + 1
        if not len(each):
            continue
        kind, style = each.get("t", "n"), int(each.get("s") or 0)
        text, formula, shared = None, None, ""
        for child in each:
            name = local(child)
            if name == "v":
                text = child.text
            elif name == "is":
                text = words_of(child)
            elif name == "f":
                formula, shared = child.text or "", child.get("si", "")
        value = None if not text and kind != "str" else book.value(kind, text or "")
        if value is not None or formula is not None:
            yield _Cell(number, column, value, style, formula, shared)


def _all_cells(book: Workbook) -> dict[str, dict[Place, object]]:
    """All cells by sheet and place, formulas where there is no result; of an enormous workbook none."""
    if sum(book.package.size_bytes(sheet.path) for sheet in book.sheets) > _LARGEST:
        return {}
    found: dict[str, dict[Place, object]] = {}
    for sheet in book.sheets:
        own = found.setdefault(sheet.name, {})
        shared: dict[str, Translator] = {}
        try:
            for cell in (cell for row in _rows(book, sheet.path, set()) for cell in row.cells):
                own[cell.row, cell.column] = (
                    Formula(_whole(cell, shared)) if cell.is_open(book) else cell.value
                )
        except DamagedPartError:
            continue  # what rests on its other cells has no result
    return found


def _whole(cell: _Cell, shared: dict[str, Translator]) -> str:
    """A formula as it reads in its cell, where it is that of another one moved."""
    from openpyxl.formula.translate import Translator, TranslatorError

    place, formula = place_name(cell.row, cell.column), f"={cell.formula}"
    if cell.shared and cell.formula:
        shared[cell.shared] = Translator(formula, origin=place)
    elif cell.shared in shared:
        try:
            formula = str(shared[cell.shared].translate_formula(place))
        except TranslatorError:
            return "="
    return formula


def _merged_cells(book: Workbook, path: str) -> dict[int, list[_Merged]]:
    """The merged cells of a sheet by their first row. They stand behind all rows: they come first."""
    if book.package.size_bytes(path) > _LARGEST:
        return {}
    found: dict[int, list[_Merged]] = {}
    held, count = b"", 0
    try:
        with book.package.open(path) as file:
            while chunk := file.read(1 << 20):
                held = held[-200:] + chunk
                at = 0
                for match in _MERGED.finditer(held):
                    each = _Merged(
                        int(match[2]),
                        column_number(match[1].decode()),
                        int(match[4]),
                        column_number(match[3].decode()),
                    )
                    found.setdefault(each.top, []).append(each)
                    at, count = match.end(), count + 1
                held = held[at:]
                if count > _MOST_MERGED:
                    break
    except DamagedPartError:
        return {}  # the rows say so themselves
    return found
