"""CSV, and the rows of any sheet: each a line that can be understood alone, its cells named by the header."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TextIO

from core.domain.document import Page, ParsedDocument
from core.ingest.clean import language_of, normalise
from core.ingest.parse import formats
from core.ingest.parse.base import Budget, ParseLimits, title_from_source
from core.ingest.parse.decode import detect_encoding
from core.ingest.parse.text import PAGE_CHARS, parse_text
from core.text.marks import plain
from core.text.table_shape import TableShape, is_figure, shape_of, unique_names

_AHEAD = 400  # rows that are held to tell where tables begin, and which stand beside one another
_SPARSE = 0.25  # from this share of blanks on, a first column is one whose texts hold for the rows below
_DIFFERENT = 0.7  # share of names that differ, above which a column names rows
_AS_LONG = 0.8  # share of the rows on the left that columns more of them have
_SECTION = "Section"
Row = Sequence[str]
_DELIMITERS = (",", ";", "\t", "|", "^", "~")
_SAMPLE_CHARS = 64_000


@dataclass(frozen=True, slots=True)
class MergedCells:
    """Merged cells of a sheet. widths: by row and column, from 0, how many columns one spans."""

    widths: Mapping[int, Mapping[int, int]] = field(default_factory=dict)

    def of(self, rows: range, first: int) -> dict[tuple[int, int], int]:
        """Widths in some rows, counted from the first of them and from column `first`."""
        return {
            (row - rows.start, at - first): width
            for row in rows
            for at, width in self.widths.get(row, {}).items()
        }


@dataclass(slots=True)
class _Table:
    """A table that rows are being read of. band: the column from which on its rows are cut."""

    names: tuple[str, ...]
    header: tuple[str, ...]
    first: int
    fills_down: bool = False
    has_sections: bool = False
    section: str = ""
    label: str = ""
    columns: Sequence[int] = ()
    band: int = 0

    def line(self, row: Row) -> str:
        """A row as a line."""
        if not self.names:
            return " | ".join(row).rstrip(" |") if any(row) else ""
        cells = [(name, cell) for name, cell in zip(self.names, row, strict=False) if cell]
        cells += [(self._number(at), row[at]) for at in range(len(self.names), len(row)) if row[at]]
        if self.section and cells:
            cells.append((_SECTION, self.section))
        return " | ".join(f"{name}: {cell}" for name, cell in cells)

    def _number(self, at: int) -> str:
        at += self.first + self.band
        if not self.columns:
            return f"column {at + 1}"
        return f"column {self.columns[at]}" if at < len(self.columns) else "a column further on"


def sheet_lines(
    rows: Iterable[Row],
    merged: MergedCells | None = None,
    notes: Mapping[int, str] | None = None,
    columns: Sequence[int] = (),
) -> Iterator[str]:
    """The lines of a sheet, in the order of its rows; tables beside one another come one after the other.

    notes: what is said of rows, by number from 0: it stands behind their line, at the end where they have
    none. columns: their numbers, where some are left out. All of these may be filled while rows are read.
    """
    return _Reader(merged, {} if notes is None else notes, columns).lines(rows)


class _Reader:
    def __init__(self, merged: MergedCells | None, notes: Mapping[int, str], columns: Sequence[int]) -> None:
        self._columns = columns
        self._merged = merged
        self._row_notes = notes
        self._noted: set[int] = set()
        self._table: _Table | None = None
        self._has_lines = False
        self._pending: list[tuple[int, str]] = []

    def lines(self, rows: Iterable[Row]) -> Iterator[str]:
        numbered = enumerate(rows)
        held: list[tuple[int, Row]] = []
        while True:
            held += islice(numbered, _AHEAD - len(held))
            while held and not any(held[0][1]):
                held.pop(0)
            if not held:
                break
            size = next((at for at, (_, row) in enumerate(held) if not any(row)), len(held))
            goes_on = size == len(held) == _AHEAD
            yield from self._block(held[:size], chain(held[size:], numbered) if goes_on else None)
            held = held[size:]
        yield from self._notes()
        yield from (note for at, note in self._row_notes.items() if at not in self._noted)

    def _block(self, block: list[tuple[int, Row]], more: Iterator[tuple[int, Row]] | None) -> Iterator[str]:
        """Rows without a blank one between them. more: what follows, where the block may go on."""
        bands = [(0, None)] if more is not None else _bands([row for _, row in block])
        if len(bands) > 1:
            yield from self._notes()
            for first, last in bands:
                self._table = None
                part = [(at, row[first:last]) for at, row in block]
                yield from self._start([each for each in part if any(each[1])], first)
            self._table = None
            return
        if self._continues(block):
            for at, row in block:
                yield from self._row(at, row)
        else:
            yield from self._notes()
            yield from self._start(block, 0)
        for at, row in more or ():
            if not any(row):
                return
            yield from self._row(at, row)

    def _continues(self, block: Sequence[tuple[int, Row]]) -> bool:
        """True where rows behind a blank one belong to the table above it."""
        table = self._table
        if table is None:
            return False
        first = block[0][1]
        if _is_header_again(first, table):
            return True
        if all(sum(map(bool, row)) < 2 for _, row in block):
            return True  # notes, or a section's name: told row by row
        used = {at for _, row in block for at, cell in enumerate(row) if cell}
        shape = shape_of([row for _, row in block])
        is_within = all(at < len(table.names or first) for at in used)
        return is_within and not shape.headers and not shape.captions

    def _start(self, block: list[tuple[int, Row]], first: int) -> Iterator[str]:
        """A new table, or lines that are none."""
        rows = [row for _, row in block]
        if not rows:
            return
        if self._has_lines:
            yield ""
        self._has_lines = True
        left = min(next(at for at, cell in enumerate(row) if cell) for row in rows)
        cut = [row[left:] for row in rows]
        numbers = range(block[0][0], block[-1][0] + 1)
        merged = self._merged.of(numbers, first + left) if self._merged is not None else None
        shape = shape_of(cut, merged)
        if all(sum(map(bool, row)) == 1 for row in cut) and not shape.headers:
            self._table = None
            yield from (_joined(row) for row in cut)
            return
        if _is_pairs(cut):
            self._table = None
            yield from (_pair(row) for row in cut)
            return
        yield from (_joined(row) for row in cut[: shape.captions] if any(row))
        self._table = _table_of(cut, shape, left)
        self._table.columns, self._table.band = self._columns, first
        if shape.headers:
            used = {at for row in cut for at, cell in enumerate(row) if cell}
            yield " | ".join(name for at, name in enumerate(self._table.names) if at in used)
        for at, row in block[shape.first :]:
            yield from self._row(at, row)

    def _row(self, at: int, row: Row) -> Iterator[str]:
        table = self._table
        if table is None:
            yield _joined(row)
            return
        row = row[table.first :] if any(row[table.first :]) else row
        filled = [n for n, cell in enumerate(row) if cell]
        if len(filled) == 1 and len(table.names) != 1 and not _is_entry(row[filled[0]], filled[0], table):
            self._pending.append((at, row[filled[0]]))
            return
        if table.names and _is_header_again(row, table):
            return
        if self._pending:
            yield from self._unpend(table)
        if table.fills_down and row:
            table.label = row[0] or table.label
            row = [table.label, *row[1:]]
        line = table.line(row)
        if line and at in self._row_notes and at not in self._noted:
            self._noted.add(at)
            line = f"{line} {self._row_notes[at]}"
        if line:
            yield line

    def _unpend(self, table: _Table) -> Iterator[str]:
        """Cells that stood alone in their row, with rows behind them: names of sections, or sparse rows."""
        if table.has_sections:
            table.section = self._pending[-1][1]
        else:
            for _, cell in self._pending:
                yield table.line([cell])
        self._pending.clear()

    def _notes(self) -> Iterator[str]:
        """What stood alone at the end of a table is a note under it, unless it is only another entry."""
        table, pending = self._table, self._pending
        self._pending = []
        for at, (_, cell) in enumerate(pending):
            is_note = table is None or table.has_sections or _says_sentence(cell) or not table.names
            if is_note and not at and table is not None and table.names:
                yield ""  # a note that reads "Source: ..." is no row
            yield cell if is_note or table is None else table.line([cell])


def _bands(rows: Sequence[Row]) -> list[tuple[int, int | None]]:
    """Tables beside one another: by a blank column between them, each with a head and names of its own."""
    width = max(map(len, rows))
    used = [any(at < len(row) and row[at] for row in rows) for at in range(width)]
    edges = [at for at in range(1, width) if used[at] and not used[at - 1] and any(used[:at])]
    bands: list[tuple[int, int | None]] = []
    start = 0
    for edge in edges:
        left, right = [row[start:edge] for row in rows], [row[edge:] for row in rows]
        if _stands_alone(left) and _stands_alone(right) and not _goes_on(left, right):
            bands.append((start, edge))
            start = edge
    return [*bands, (start, None)]


def _goes_on(left: Sequence[Row], right: Sequence[Row]) -> bool:
    """True where a part is more columns of the one before: as long, names new, its first telling no rows."""
    bodies = [[row for row in part if any(row)] for part in (left, right)]
    shapes = [shape_of(body) for body in bodies]
    heads = [{name.casefold() for name in shape.names if name} for shape in shapes]
    sizes = [len(body) - shape.first for body, shape in zip(bodies, shapes, strict=True)]
    names = [row[0] for row in bodies[1][shapes[1].first :]]
    is_as_long = _AS_LONG * sizes[0] <= sizes[1] <= sizes[0]
    return is_as_long and heads[0].isdisjoint(heads[1]) and len(set(names)) <= _DIFFERENT * len(names)


def _stands_alone(part: Sequence[Row]) -> bool:
    rows = [row for row in part if sum(map(bool, row)) >= 2]
    if len(rows) < 3:
        return False
    left = min(next(at for at, cell in enumerate(row) if cell) for row in rows)
    shape = shape_of([row[left:] for row in rows])
    names = [row[left] for row in rows[shape.first :]]
    worded = sum(bool(name) and not is_figure(name) for name in names)
    return bool(shape.headers) and worded > 0.5 * len(names)


def _is_pairs(rows: Sequence[Row]) -> bool:
    """True where lines say one thing each: "Company: | ACME"."""
    filled = [[cell for cell in row if cell] for row in rows]
    pairs = [row for row in filled if len(row) == 2]
    marked = sum(row[0].endswith(":") for row in pairs)
    is_of_two = len(pairs) >= 0.6 * len(rows) and all(len(row) <= 2 for row in filled)
    return is_of_two and marked >= 0.6 * len(pairs)


def _pair(row: Row) -> str:
    cells = [cell for cell in row if cell]
    return f"{cells[0].rstrip(':').strip()}: {cells[1]}" if len(cells) == 2 else _joined(row)


def _table_of(rows: Sequence[Row], shape: TableShape, first: int) -> _Table:
    body = rows[shape.first :]
    names = unique_names(shape.names) if shape.headers else ()
    header = tuple(rows[shape.first - 1]) if shape.headers else ()
    begins_alone = len(body) > 1 and _is_single_text(body[0]) and sum(map(bool, body[1])) > 1
    has_sections = begins_alone and len(names) > 2
    return _Table(names, header, first, not has_sections and _fills_down(body), has_sections)


def _is_single_text(row: Row) -> bool:
    return bool(row) and bool(row[0]) and sum(map(bool, row)) == 1 and not is_figure(row[0])


def _fills_down(body: Sequence[Row]) -> bool:
    """True where a name in the first column holds for the rows below it that leave it blank."""
    full = [row for row in body if sum(map(bool, row)) > 1]
    if len(full) < 4 or not full[0][0] or is_figure(full[0][0]):
        return False
    blank = [row for row in full if not row[0]]
    names = [row[0] for row in full if row[0]]
    dense = sum(all(row[1:3]) for row in blank)
    return len(blank) >= _SPARSE * len(full) and dense >= 0.8 * len(blank) and len(set(names)) == len(names)


def _is_header_again(row: Row, table: _Table) -> bool:
    said = [cell for cell in row if cell]
    return len(said) > 1 and said == [cell for cell in table.header if cell]


def _is_entry(cell: str, at: int, table: _Table) -> bool:
    """True where the only cell of a row is a figure in its column, and no name or note."""
    return at > 0 or (not table.names and is_figure(cell))


def _says_sentence(cell: str) -> bool:
    return len(cell) > 40 or cell.startswith(("*", "(")) or cell.casefold().startswith(("note", "source"))


def _joined(row: Row) -> str:
    return " | ".join(cell for cell in row if cell)


def parse_csv(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """A CSV file with any delimiter; one page, or one for every million characters."""
    budget = Budget(source, limits)
    encoding = detect_encoding(path)
    csv.field_size_limit(2**31 - 1)
    try:
        with path.open(encoding=encoding, errors="replace", newline="") as file:
            sample = file.read(_SAMPLE_CHARS)
            file.seek(0)
            delimiter = sniff_delimiter(sample)
            pages = pages_of(sheet_lines(_csv_rows(file, delimiter)), budget, 1, "")
    except csv.Error:
        return parse_text(path, source, limits)
    has_text = any(page.text for page in pages)
    return ParsedDocument(
        title=title_from_source(source),
        media_type=formats.CSV.media_type,
        pages=pages,
        language=language_of(pages),
        metadata={"encoding": encoding, "delimiter": delimiter},
        unreadable_reason="" if has_text else "The table has no filled cell.",
    )


def sniff_delimiter(sample: str) -> str:
    """The mark that most often cuts lines of `sample` into the same number of cells; a comma if none does."""
    lines = [line for line in sample.splitlines() if line.strip()][:200]
    best, best_score = ",", 0.0
    for delimiter in _DELIMITERS:
        counts = Counter(len(row) for row in csv.reader(lines, delimiter=delimiter))
        width, times = max(
            ((w, n) for w, n in counts.items() if w > 1), key=lambda pair: pair[1], default=(1, 0)
        )
        score = times / max(1, len(lines)) + min(width, 50) / 1_000
        if times and score > best_score + 0.01:
            best, best_score = delimiter, score
    return best


def _csv_rows(file: TextIO, delimiter: str) -> Iterator[list[str]]:
    # NUL and other controls go first: the reader would stop at them.
    for row in csv.reader((plain(normalise(line)) for line in file), delimiter=delimiter):
        yield [" ".join(cell.split()) for cell in row]


def pages_of(lines: Iterable[str], budget: Budget, first_no: int, label: str) -> tuple[Page, ...]:
    """The pages of a sheet, which count from `first_no`: one, or one for every million characters."""
    pages: list[Page] = []
    held: list[str] = []
    size = 0
    for line in lines:
        budget.spend(len(line) + 1)
        if held and size + len(line) > PAGE_CHARS:
            pages.append(Page(first_no + len(pages), "\n".join(held), label=label))
            budget.spend(0, pages=1)
            held, size = [], 0
        held.append(line)
        size += len(line) + 1
    pages.append(Page(first_no + len(pages), "\n".join(held), label=label))
    budget.spend(0, pages=1)
    return tuple(pages)
