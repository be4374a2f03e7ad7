"""Rows of one sheet, from its cells: what a sheet declares of its own size is never believed."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from core.ingest.parse.office import DamagedPartError, is_on, local
from core.ingest.parse.workbook.book import SheetFile, Workbook, whole, words_of
from core.ingest.parse.workbook.formulas import (
    Formula,
    Formulas,
    Place,
    UnknownResultError,
    column_number,
    tokens_of,
)
from core.ingest.parse.workbook.number_format import cell_text
from core.text.marks import plain
from core.text.numerals import letters

if TYPE_CHECKING:
    from openpyxl.formula.translate import Translator

_MOST_COLUMNS = 2_000
_LAST_COLUMN = 16_384
_LAST_ROW = 1 << 20
_MOST_FILLED = 10_000_000  # characters of merged cells of a sheet that are repeated in rows below their first
_FILLED = re.compile(rb'<(?:\w+:)?c(?: (?:[^>]*? )?r="([A-Z]{1,3})\d{1,7}")?(?:[^>]*[^>/])?>')
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
    those of cells that are not shown behind the last, columns: the number of each, all of what was given out
    and from 0. numbers: where each row that was given out stands, 0 of a blank one. hidden_rows,
    hidden_columns: those that hold something. hidden_notes: comments there. unknown: formulas without a
    result. computed: how many have one that was not stored. unfilled: merged cells whose text was not
    repeated in all their rows. damaged: rows, columns and cells whose place or style makes no sense.
    damaged_behind: the last row that was read of a sheet that breaks off.
    """

    book: Workbook
    sheet: SheetFile
    results: Results
    reads_hidden: bool = False
    notes: Mapping[Place, list[str]] = field(default_factory=dict)
    columns: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    widths: dict[int, dict[int, int]] = field(default_factory=dict)
    row_notes: dict[int, str] = field(default_factory=dict)
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: set[int] = field(default_factory=set)
    hidden_notes: int = 0
    unknown: list[str] = field(default_factory=list)
    computed: int = 0
    filled: int = 0
    unfilled: int = 0
    damaged: list[str] = field(default_factory=list)
    damaged_behind: int | None = None

    def __iter__(self) -> Iterator[list[str]]:
        """Texts of the cells of each row; one blank row or column where some are left free."""
        merged, used = _merged_cells(self.book, self.sheet.path)
        held: dict[int, tuple[int, str]] = {}
        hidden: set[int] = set()
        notes: defaultdict[int, list[Place]] = defaultdict(list)
        for place in self.notes:
            notes[place[0]].append(place)
        last, given, is_apart, known_hidden = 0, 0, False, -1
        try:
            for row in _rows(self.book, self.sheet.path, hidden, self.damaged):
                left_out = set() if self.reads_hidden else hidden
                if len(left_out) != known_hidden:
                    known_hidden = len(left_out)
                    self.columns[:] = [at for at in used if at not in left_out]
                texts = {cell.column: text for cell in row.cells if (text := self._text(cell))}
                is_apart |= row.number > last + 1
                last = row.number
                own = merged.get(row.number, ())
                self._fill_down(row, texts, held, own)
                self._note_hidden(row, texts, hidden)
                if row.is_hidden and not self.reads_hidden:
                    self.hidden_notes += sum(len(self.notes[place]) for place in notes.pop(row.number, ()))
                    continue
                widths = _widths(own, texts, self.columns)
                shown = [at for at in sorted(texts) if at not in left_out]
                if not shown:
                    is_apart = True
                    continue
                if given and is_apart:
                    self.numbers.append(0)
                    yield []
                    given += 1
                is_apart = False
                if widths:
                    self.widths[given] = widths
                if marks := self._marks(notes.pop(row.number, ()), left_out):
                    self.row_notes[given] = marks
                self.numbers.append(row.number)
                yield self._row_texts(texts, shown)
                given += 1
        except DamagedPartError:
            self.damaged_behind = last
        left_out = set() if self.reads_hidden else hidden
        for number, places in enumerate(notes.values(), given):
            if marks := self._marks(places, left_out):
                self.row_notes[number] = marks

    def _row_texts(self, texts: Mapping[int, str], shown: list[int]) -> list[str]:
        near = self.columns[: min(bisect_right(self.columns, shown[-1]), _MOST_COLUMNS)]
        furthest = near[-1] if near else 0
        return [*(texts.get(at, "") for at in near), *(texts[at] for at in shown if at > furthest)]

    def _marks(self, places: Iterable[Place], left_out: set[int]) -> str:
        """The comments on cells of a row, but for those in hidden columns."""
        shown = [each for each in places if each[1] not in left_out]
        self.hidden_notes += sum(len(self.notes[each]) for each in places if each[1] in left_out)
        return " ".join(said for each in shown for said in self.notes[each])

    def _fill_down(
        self, row: _Row, texts: dict[int, str], held: dict[int, tuple[int, str]], own: Iterable[_Merged]
    ) -> None:
        """The text of a merged cell in the rows that it spans. held: last row and text, by column."""
        if not texts:
            return
        for at in [at for at, (bottom, _) in held.items() if bottom < row.number]:
            del held[at]
        for at, (_, text) in held.items():
            texts.setdefault(at, text)
            self.filled += len(text)
        for each in own:
            if each.bottom > each.top and each.left == each.right and each.left in texts:
                held[each.left] = (each.bottom, texts[each.left])
        if self.filled > _MOST_FILLED:
            self.unfilled += len(held)
            held.clear()

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
        return plain(cell_text(self.book.shown(value, cell.style), self.book.format_of(cell.style)))


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


def _widths(merged: Iterable[_Merged], texts: dict[int, str], columns: list[int]) -> dict[int, int]:
    """Columns that merged cells span, of those given out; what begins in a hidden one, in the next."""
    found = {}
    for each in merged:
        first, behind = bisect_left(columns, each.left), bisect_right(columns, each.right)
        if first < behind and columns[first] != each.left and each.left in texts:
            texts[columns[first]] = texts[each.left]
        if behind - first > 1:
            found[first] = behind - first
    return found


def _rows(book: Workbook, path: str, hidden: set[int], damaged: list[str]) -> Iterator[_Row]:
    """The rows of a sheet as they stand. hidden: is given the columns that are not shown.

    damaged: is given what has no place or style; a row without a place is the next one.
    """
    number = 0
    for element in book.package.elements(path, "col", "row"):
        if local(element) == "col":
            if is_on(element.get("hidden")) or _is_nought(element, "width"):
                first, last = whole(element.get("min", "1")), whole(element.get("max", "1"))
                if first is None or last is None:
                    damaged.append("hidden columns")
                else:
                    hidden.update(range(first, min(last, _LAST_COLUMN) + 1))
            continue
        place = whole(element.get("r", str(number + 1)), _LAST_ROW)
        number = place or number + 1
        if not place:
            damaged.append(f"row {number}")
        is_hidden = is_on(element.get("hidden")) or _is_nought(element, "ht")
        yield _Row(number, is_hidden, list(_cells(book, element, number, damaged)))


def _is_nought(element: Any, name: str) -> bool:
    return element.get(name, "")[:1] == "0" and not element.get(name).strip("0.")


def _cells(book: Workbook, row: Any, number: int, damaged: list[str]) -> Iterator[_Cell]:
    column = 0
    for each in row:
        place = place_of(each.get("r", ""))
        column = place[1] if place else column + 1
        if not len(each):
            continue
        kind, style = each.get("t", "n"), whole(each.get("s") or "0")
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
            if style is None:
                damaged.append(place_name(number, column))
            yield _Cell(number, column, value, style or 0, formula, shared)


def _all_cells(book: Workbook) -> dict[str, dict[Place, object]]:
    """All cells by sheet and place, formulas where there is no result; of an enormous workbook none."""
    if sum(book.package.size_bytes(sheet.path) for sheet in book.sheets) > _LARGEST:
        return {}
    found: dict[str, dict[Place, object]] = {}
    for sheet in book.sheets:
        own = found.setdefault(sheet.name, {})
        shared: dict[str, Translator] = {}
        try:
            for cell in (cell for row in _rows(book, sheet.path, set(), []) for cell in row.cells):
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
    try:
        if cell.shared and cell.formula:
            tokens_of(formula)
            shared[cell.shared] = Translator(formula, origin=place)
        elif cell.shared in shared:
            formula = str(shared[cell.shared].translate_formula(place))
    except (TranslatorError, UnknownResultError):
        return "="
    return formula


def _merged_cells(book: Workbook, path: str) -> tuple[dict[int, list[_Merged]], list[int]]:
    """The merged cells of a sheet by their first row, and its columns: those that are filled, a blank one
    behind each run of them. Merged cells stand behind all rows: they come first.
    """
    found: dict[tuple[int, int], _Merged] = {}
    filled: set[bytes] = set()
    held = b""
    is_large = book.package.size_bytes(path) > _LARGEST
    try:
        with book.package.open(path) as file:
            while chunk := file.read(1 << 20):
                held += chunk
                filled.update(_FILLED.findall(held))
                for match in () if is_large else _MERGED.finditer(held):
                    left, right = (column_number(match[at].decode()) for at in (1, 3))
                    each = _Merged(int(match[2]), left, int(match[4]), right)
                    if len(found) < _MOST_MERGED:
                        found.setdefault(each[:2], each)
                held = held[max(held.rfind(b"<"), len(held) - 200) :]
    except DamagedPartError:
        pass  # the rows say so themselves
    merged: dict[int, list[_Merged]] = {}
    for each in found.values():
        merged.setdefault(each.top, []).append(each)
    used = {column_number(name.decode()) for name in filled if name}
    if b"" in filled:
        used.update(range(1, _MOST_COLUMNS + 1))  # cells without a place stand one behind the other
    return merged, sorted(used | {at + 1 for at in used} | {1} | {m.left for m in found.values()})
