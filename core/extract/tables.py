"""Tables as they stand in page text: rows with a span for every cell, typed column by column.

Read are the lines that parsers write of CSV, XLSX, HTML and DOCX (`name: value | name: value`, `a | b | c`),
Markdown tables, and plain text whose columns are kept apart by blanks or tabs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.config.fields import FieldDefinition, TableExtractor
from core.domain.fields import (
    MAX_CANDIDATES,
    AnnotationRow,
    FieldType,
    Finding,
    RowCell,
    TableTitle,
)
from core.extract.base import DocumentText
from core.extract.column_types import SAMPLE, column_type, is_currency_column, is_money_name, typed_cell
from core.extract.decision import MaybeReading, TextReading, agree
from core.extract.key_value import in_doubt, stems
from core.extract.totals import mark_totals
from core.fields.typed import doubts_of, value_of
from core.text.marks import blanked
from core.text.table_shape import SAMPLE as SHAPE_SAMPLE
from core.text.table_shape import shape_of, unique_names
from core.values.money import CODES, currency_of

MAX_ROWS = 20_000
"""Rows of one document that become annotations; of a longer table the rest stays searchable text only."""

MAX_CELLS = 200_000

FIRST_PDF_TABLE = 1_000
"""Tables that were read from a PDF's lines and boxes count from here: they cannot be read from text again."""

_SAMPLE = 60
_CAPTION_REACH = 1_500
_LONGEST_CAPTION = 120
_CONFIDENCE = 0.9
_UNSURE = 0.5
_BORDER = re.compile(r"(?:(?<=[ \u00a0])|(?<![^\n]))\|(?=[ \u00a0]|\n|$)")
_BLANKS = re.compile(r"\t+|[ \u00a0]{3,}")
_RULE = re.compile(r"^[|:\- +=\u2500-\u257f]{3,}$")
_NAMED = re.compile(r"(?P<name>[^:|\n]{1,120}): (?P<value>[^\n]*)$")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TableLines:
    """A table found in the joined text: names of its columns, and the spans of each row's cells.

    A row's cells come with the number of their column; a cell that names itself in its line keeps that name.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[tuple[int, Span], ...], ...]


def find_in_columns(
    document: DocumentText, definition: FieldDefinition, extractor: TableExtractor
) -> Finding | None:
    """Method `table`: the values of the first column that any table has, of all rows or of the row `row`.

    None where no table has one of the columns.
    """
    wanted_row = stems(extractor.row)
    doubts: list[MaybeReading] = []
    for column in extractor.columns:
        readings: list[MaybeReading] = []
        for row in document.rows:
            if row.table < 0 or (wanted_row and not _says(row, wanted_row)):
                continue
            for cell in row.cells:
                if stems(cell.column) != stems(column):
                    continue
                found = list(_reading(document, definition, cell))
                readings += found
                if not found and len(doubts) < MAX_CANDIDATES:
                    doubts += _doubts(document, definition, cell)
        finding = agree(document, definition, readings, extractor.method)
        if finding is not None:
            return finding
    return in_doubt(document, doubts, extractor.method) if doubts else None


def read_rows(document: DocumentText, *, max_rows: int = MAX_ROWS) -> tuple[list[AnnotationRow], list[str]]:
    """The rows of all tables of the text, and what must be said about them.

    At most `max_rows` rows and MAX_CELLS cells, so that the largest sheet costs bounded memory.
    """
    sheets = {
        start
        for start, page, before in zip(document.starts[1:], document.pages[1:], document.pages, strict=False)
        if page.label and page.label != before.label
    }
    return annotate(document, enumerate(find_tables(document.text, max_rows, sheets)), max_rows)


def annotate(
    document: DocumentText, tables: Iterable[tuple[int, TableLines]], max_rows: int = MAX_ROWS
) -> tuple[list[AnnotationRow], list[str]]:
    """The rows of numbered tables, typed column by column; bounded as `read_rows` is."""
    rows: list[AnnotationRow] = []
    cells = 0
    for number, table in tables:
        reader = _CellReader(document, table)
        own: list[AnnotationRow] = []
        is_cut = False
        for index, row in enumerate(table.rows):
            if len(rows) + len(own) >= max_rows or cells >= MAX_CELLS:
                is_cut = True
                break
            found = tuple(reader.cells(row))
            if found:
                own.append(AnnotationRow(number, index, found))
                cells += len(found)
        rows += mark_totals(own)
        if is_cut:
            return rows, [f"Only the first {len(rows)} rows of its tables are kept as values."]
    return rows, []


def find_tables(text: str, max_rows: int = MAX_ROWS, breaks: Collection[int] = ()) -> Iterator[TableLines]:
    """The tables of `text` in reading order, up to one that is longer than `max_rows`.

    breaks: offsets at which a new sheet begins, and with it another table.
    """
    block: list[list[Span]] = []
    kind = ""
    for start, end in _line_spans(text):
        if start in breaks:
            yield from _table(text, block, kind)
            block, kind = [], ""
        line = text[start:end]
        if _RULE.match(line) and kind == "bars":
            continue
        cells, found = _split(text, start, end)
        if not cells and kind == "bars" and _is_sparse_row(text, block, line):
            cells, found = [(start, end)], kind
        if found != kind or not cells or _begins_anew(text, block, cells, found):
            yield from _table(text, block, kind)
            block, kind = [], found if cells else ""
        if cells:
            block.append(cells)
        if len(block) > max_rows + 1:  # and a header
            yield from _table(text, block, kind)
            return
    yield from _table(text, block, kind)


def _begins_anew(text: str, block: Sequence[Sequence[Span]], cells: Sequence[Span], kind: str) -> bool:
    """True where a line without names comes below rows that have them: the head of another table."""
    if kind != "bars" or len(block) < 2:
        return False
    named = [bool(_NAMED.match(text[a:b])) for a, b in cells]
    above = [bool(_NAMED.match(text[a:b])) for a, b in block[-1]]
    return not any(named) and all(above)


def titles_of(document: DocumentText, rows: Sequence[AnnotationRow]) -> tuple[TableTitle, ...]:
    """Titles of the tables that rows are of: their sheet, and the nearest line above that is no row."""
    found: dict[int, TableTitle] = {}
    for row in rows:
        if row.table < 0 or row.table in found or not row.cells:
            continue
        start, _ = document.span(row.cells[0].quote)
        found[row.table] = TableTitle(row.table, document.page_at(start).label, _caption(document, start))
    return tuple(found.values())


def _caption(document: DocumentText, start: int) -> str:
    """The line above a table that names it; of a sheet the first of all lines above, and the nearest."""
    page_start = document.offset(document.page_at(start).page_no, 0)
    lines = document.text[max(page_start, start - _CAPTION_REACH) : start].split("\n")[:-1]
    above: list[str] = []
    for line in reversed(lines):
        text = line.strip()
        if not text or "|" in text or "\t" in text or _NAMED.match(text):
            continue
        above.append(text)
    is_named = [len(text) <= _LONGEST_CAPTION and not text.endswith((".", ";", ",")) for text in above]
    named = [text.rstrip(":") for text, fits in zip(above, is_named, strict=True) if fits]
    if not named or not is_named[0]:
        return ""
    is_sheet = bool(document.page_at(start).label)
    return " · ".join(dict.fromkeys((named[-1], named[0]))) if is_sheet else named[0]


class _CellReader:
    """Reads the cells of one table by the types of its columns."""

    def __init__(self, document: DocumentText, table: TableLines) -> None:
        self._document, self._table = document, table
        samples: list[list[str]] = [[] for _ in table.names]
        for row in table.rows[:SAMPLE]:
            for column, (start, end) in row:
                samples[column].append(document.text[start:end])
        pairs = list(zip(table.names, samples, strict=True))
        self._types = [column_type(name, cells) for name, cells in pairs]
        self._currency = next((at for at, pair in enumerate(pairs) if is_currency_column(*pair)), None)

    def cells(self, row: Sequence[tuple[int, Span]]) -> Iterator[RowCell]:
        """The cells of a row, with what they quote."""
        text = self._document.text
        currency = next((text[a:b].strip() for column, (a, b) in row if column == self._currency), "")
        code = currency_of(currency) or (currency.upper() if currency.upper() in CODES else "")
        for column, (start, end) in row:
            kind, name = self._types[column], self._table.names[column]
            own = code if is_money_name(name) and kind.type in (FieldType.MONEY, FieldType.NUMBER) else ""
            value = typed_cell(text[start:end], kind, "" if kind.unit else own)
            if value is not None:
                yield RowCell(name, value, self._document.quote(start, end))


def _line_spans(text: str) -> Iterator[Span]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _split(text: str, start: int, end: int) -> tuple[list[Span], str]:
    """The cells of a line and what keeps them apart; [] where it is no row."""
    line = text[start:end]
    if " | " in line or line.lstrip().startswith("|"):
        pattern, kind = _BORDER, "bars"
    elif "\t" in line or "   " in line.strip():
        pattern, kind = _BLANKS, "blanks"
    else:
        return [], ""
    body = line.strip(" \t\u00a0")
    at = start + line.find(body) if body else end
    last = at + len(body)
    cells: list[Span] = []
    for match in pattern.finditer(text, at, last):
        cells.append(_trim(text, at, match.start()))
        at = match.end()
    cells.append(_trim(text, at, last))
    is_prose = kind == "blanks" and any(b - a > 80 for a, b in cells)
    return ([], "") if len(cells) < 2 or is_prose else (cells, kind)


def _is_sparse_row(text: str, block: Sequence[Sequence[Span]], line: str) -> bool:
    """True where a line without a mark is the only filled cell of a row, by the name of its column."""
    match = _NAMED.match(line)
    if match is None:
        return False
    above = [text[a:b] for a, b in block[-1]]
    named = [found["name"].strip() for cell in above if (found := _NAMED.match(cell))]
    is_below_named = len(named) == len(above) or len(block) == 1
    return is_below_named and match["name"].strip() in {*named, *(text[a:b] for a, b in block[0])}


def _trim(text: str, start: int, end: int) -> Span:
    cell = text[start:end]
    if "[" in cell:
        cell = blanked(cell)
    lead = len(cell) - len(cell.lstrip())
    return (start + lead, start + len(cell.rstrip())) if cell.strip() else (start, start)


def _is_blank(span: Span) -> bool:
    return span[0] == span[1]


def _table(text: str, block: list[list[Span]], kind: str) -> Iterator[TableLines]:
    if len(block) < 2:
        return
    if kind == "bars" and all(len(row) > 2 and _is_blank(row[0]) and _is_blank(row[-1]) for row in block):
        block = [row[1:-1] for row in block]  # as Markdown has it
    if kind == "bars" and _is_named(text, block[1:]):
        yield _named_table(text, block)
        return
    width = max(len(row) for row in block)
    if kind == "blanks" and sum(len(row) == width for row in block) < 0.6 * len(block):
        return
    if width > 2 or shape_of([[text[a:b] for a, b in row] for row in block[:SHAPE_SAMPLE]]).headers:
        yield table_of(text, block)  # pairs without a head are for the key-value reader


def table_of(text: str, block: Sequence[Sequence[Span]]) -> TableLines:
    """A table of rows of cells, whose first rows name the columns where they look like it."""
    width = max(len(row) for row in block)
    shape = shape_of([[text[a:b] for a, b in row] for row in block[:SHAPE_SAMPLE]])
    names = unique_names((*shape.names, *[""] * (width - len(shape.names))))
    header = [text[a:b] for a, b in block[shape.first - 1]] if shape.headers else []
    body = [row for row in block[shape.first :] if [text[a:b] for a, b in row] != header]
    rows = ([(at, span) for at, span in enumerate(row) if not _is_blank(span)] for row in body)
    return TableLines(names, tuple(map(tuple, rows)))


def _is_named(text: str, rows: Sequence[list[Span]]) -> bool:
    """True where the cells carry their column's name: rows of a CSV file or a workbook."""
    cells = [text[a:b] for row in rows[:_SAMPLE] for a, b in row if a < b]
    return sum(bool(_NAMED.match(cell)) for cell in cells) >= 0.9 * len(cells)


def _named_table(text: str, block: list[list[Span]]) -> TableLines:
    names: dict[str, int] = {}
    rows = []
    for number, row in enumerate(block):
        cells: list[tuple[int, Span]] = []
        for start, end in row:
            match = _NAMED.match(text[start:end])
            if match is None:
                if number and cells:  # a value with " | " in it belongs to the cell before
                    column, (first, _) = cells[-1]
                    cells[-1] = (column, (first, end))
                continue
            column = names.setdefault(match["name"].strip(), len(names))
            cells.append((column, (start + match.start("value"), end)))
        if cells:
            rows.append(tuple(cells))
    return TableLines(tuple(names), tuple(rows))


def _says(row: AnnotationRow, wanted: tuple[str, ...]) -> bool:
    return any(stems(cell.value.original or cell.value.text) == wanted for cell in row.cells[:2])


def _reading(document: DocumentText, definition: FieldDefinition, cell: RowCell) -> Iterator[MaybeReading]:
    start, end = document.span(cell.quote)
    if cell.value.type is definition.type and definition.type is not FieldType.TEXT:
        yield TextReading.at(start, end, cell.value, _CONFIDENCE)
        return
    found = value_of(document.text[start:end], definition)
    if found is not None:
        yield TextReading.at(start + found.start, start + found.end, found.value, _CONFIDENCE)


def _doubts(document: DocumentText, definition: FieldDefinition, cell: RowCell) -> Iterator[MaybeReading]:
    start, end = document.span(cell.quote)
    for each in doubts_of(document.text[start:end], definition):
        yield TextReading.at(start + each.start, start + each.end, each.value, _UNSURE)
