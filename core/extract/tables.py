"""Tables as they stand in page text: rows with a span for every cell, typed column by column.

Read are the lines that parsers write of CSV, XLSX, HTML and DOCX (`name: value | name: value`, `a | b | c`),
Markdown tables, and plain text whose columns are kept apart by blanks or tabs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.config.fields import Extractor, FieldDefinition, TableExtractor
from core.domain.fields import AnnotationRow, FieldType, Finding, RowCell, TypedValue
from core.extract.base import DocumentText
from core.extract.decision import MAX_CANDIDATES, TextReading, agree
from core.extract.key_value import in_doubt, stems
from core.fields.typed import currency_in, doubts_of, inferred, text_value, value_of
from core.values.dates import find_dates
from core.values.money import parse_money
from core.values.numbers import parse_number

MAX_ROWS = 20_000
"""Rows of one document that become annotations; of a longer table the rest stays searchable text only."""

MAX_CELLS = 200_000

FIRST_PDF_TABLE = 1_000
"""Tables that were read from a PDF's lines and boxes count from here: they cannot be read from text again."""

_SAMPLE = 60
_MIN_SHARE = 0.8
_CONFIDENCE = 0.9
_UNSURE = 0.5
_BORDER = re.compile(r"[ \u00a0]\|[ \u00a0]")
_BLANKS = re.compile(r"\t+|[ \u00a0]{3,}")
_RULE = re.compile(r"^[|:\- +=\u2500-\u257f]{3,}$")
_NAMED = re.compile(r"(?P<name>[^:|\n]{1,60}): (?P<value>[^\n]*)$")
_DIGIT = re.compile(r"\d")
_IDENTIFIER = re.compile(
    r"(?:^|[\W_])(?:id|no|nr|number|code|sku|zip|postcode|phone|fax|account|invoice|receipt|order|po|ref"
    r"|reference|serial|year|version|article|part|item|model|ticket|vin|plate|isbn)(?:$|[\W_])",
    re.IGNORECASE,
)
_MONEY_NAME = re.compile(
    r"amount|price|total|cost|fee|value|sum|paid|net|gross|tax|vat|charge|rate|balance|revenue|salary|budget",
    re.IGNORECASE,
)
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TableLines:
    """A table found in the joined text: names of its columns, and the spans of each row's cells.

    A row's cells come with the number of their column; a cell that names itself in its line keeps that name.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[tuple[int, Span], ...], ...]


class TableMethod:
    """Method `table`: the values of a column, of all rows or of the row that says `row`."""

    name = "table"

    def find(
        self, document: DocumentText, definition: FieldDefinition, extractor: Extractor
    ) -> Finding | None:
        """Finding in the first of the columns that any table has; None where none has one."""
        if not isinstance(extractor, TableExtractor):
            return None
        wanted_row = stems(extractor.row)
        doubts: list[TextReading[TypedValue | None]] = []
        for column in extractor.columns:
            readings: list[TextReading[TypedValue | None]] = []
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
            finding = agree(document, definition, readings, self.name)
            if finding is not None:
                return finding
        return in_doubt(document, doubts, self.name) if doubts else None


def read_rows(document: DocumentText, *, max_rows: int = MAX_ROWS) -> tuple[list[AnnotationRow], list[str]]:
    """The rows of all tables of the text, and what must be said about them.

    At most `max_rows` rows and MAX_CELLS cells, so that the largest sheet costs bounded memory.
    """
    return annotate(document, enumerate(find_tables(document.text, max_rows)), max_rows)


def annotate(
    document: DocumentText, tables: Iterable[tuple[int, TableLines]], max_rows: int = MAX_ROWS
) -> tuple[list[AnnotationRow], list[str]]:
    """The rows of numbered tables, typed column by column; bounded as `read_rows` is."""
    rows: list[AnnotationRow] = []
    cells = 0
    for number, table in tables:
        kinds = _kinds(document.text, table)
        for index, row in enumerate(table.rows):
            if len(rows) >= max_rows or cells >= MAX_CELLS:
                return rows, [f"Only the first {len(rows)} rows of its tables are kept as values."]
            found = tuple(_row_cells(document, table, kinds, row))
            if found:
                rows.append(AnnotationRow(number, index, found))
                cells += len(found)
    return rows, []


def find_tables(text: str, max_rows: int = MAX_ROWS) -> Iterator[TableLines]:
    """The tables of `text` in reading order, up to one that is longer than `max_rows`."""
    block: list[list[Span]] = []
    kind = ""
    for start, end in _line_spans(text):
        line = text[start:end]
        if _RULE.match(line) and kind == "bars":
            continue
        cells, found = _split(text, start, end)
        if not cells and kind == "bars" and _is_sparse_row(text, block, line):
            cells, found = [(start, end)], kind
        if found != kind or not cells:
            yield from _table(text, block, kind)
            block, kind = [], found if cells else ""
        if cells:
            block.append(cells)
        if len(block) > max_rows + 1:  # and a header
            yield from _table(text, block, kind)
            return
    yield from _table(text, block, kind)


def typed_cell(text: str, kind: FieldType | None, unit: str) -> TypedValue | None:
    """A cell's value where its column is of `kind`; what it says itself where it is not, or kind is None."""
    if kind is FieldType.MONEY:
        value = parse_money(text, unit)
        if value is not None and value.unit:
            return value
    if kind is FieldType.NUMBER:
        value = parse_number(text, unit)
        if value is not None:
            return value
    if kind is FieldType.DATE:
        dates = find_dates(text)
        if len(dates) == 1 and dates[0][1] - dates[0][0] == len(text.strip()):
            return dates[0][2]
    if kind is FieldType.TEXT:
        return text_value(text)
    return inferred(text)


def _row_cells(
    document: DocumentText,
    table: TableLines,
    kinds: Sequence[tuple[FieldType | None, str]],
    row: Sequence[tuple[int, Span]],
) -> Iterator[RowCell]:
    for column, (start, end) in row:
        kind, unit = kinds[column]
        value = typed_cell(document.text[start:end], kind, unit)
        if value is not None:
            yield RowCell(table.names[column], value, document.quote(start, end))


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
    body = line.strip("| \t\u00a0" if kind == "bars" else " \t\u00a0")
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
    lead = len(cell) - len(cell.lstrip())
    return (start + lead, start + len(cell.rstrip())) if cell.strip() else (start, start)


def _table(text: str, block: list[list[Span]], kind: str) -> Iterator[TableLines]:
    if len(block) < 2:
        return
    if kind == "bars" and _is_named(text, block[1:]):
        yield _named_table(text, block)
        return
    width = max(len(row) for row in block)
    if kind == "blanks" and sum(len(row) == width for row in block) < 0.6 * len(block):
        return
    if width > 2 or _is_header([text[a:b] for a, b in block[0]], width):
        yield table_of(text, block)  # pairs without a head are for the key-value reader


def table_of(text: str, block: Sequence[Sequence[Span]]) -> TableLines:
    """A table of rows of cells, whose first row names the columns where it looks like it."""
    width = max(len(row) for row in block)
    header = [text[a:b] for a, b in block[0]]
    has_header = _is_header(header, width)
    names = [*header, *(f"column {n + 1}" for n in range(len(header), width))] if has_header else []
    names = names or [f"column {number + 1}" for number in range(width)]
    body = block[1:] if has_header else block
    return TableLines(_unique(names), tuple(tuple(enumerate(row)) for row in body))


def _is_header(cells: Sequence[str], width: int) -> bool:
    return (
        len(cells) >= max(2, 0.6 * width)
        and all(cell and len(cell) <= 60 and not _is_figure(cell) for cell in cells)
        and len(set(cells)) == len(cells)
    )


def _is_figure(cell: str) -> bool:
    letters = sum(each.isalpha() for each in cell)
    return bool(_DIGIT.search(cell)) and letters <= 3


def _is_named(text: str, rows: Sequence[list[Span]]) -> bool:
    """True where the cells carry their column's name: rows of a CSV file or a workbook."""
    cells = [text[a:b] for row in rows[:_SAMPLE] for a, b in row]
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


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    unique = []
    for number, name in enumerate(names):
        plain = " ".join(name.split()) or f"column {number + 1}"
        seen[plain] = seen.get(plain, 0) + 1
        unique.append(plain if seen[plain] == 1 else f"{plain} {seen[plain]}")
    return tuple(unique)


def _kinds(text: str, table: TableLines) -> list[tuple[FieldType | None, str]]:
    """Type and unit (a currency, for money) of every column, by its name and its first cells."""
    samples: list[list[str]] = [[] for _ in table.names]
    for row in table.rows[:_SAMPLE]:
        for column, (start, end) in row:
            samples[column].append(text[start:end])
    return [_kind(name, cells) for name, cells in zip(table.names, samples, strict=True)]


def _kind(name: str, cells: Sequence[str]) -> tuple[FieldType | None, str]:
    filled = [cell for cell in cells if cell.strip(" -\u2013")]
    if not filled:
        return FieldType.TEXT, ""
    currency = currency_in(name)
    if is_identifier(name):
        return FieldType.TEXT, ""
    if sum(parse_number(cell) is not None for cell in filled) >= _MIN_SHARE * len(filled):
        return (FieldType.MONEY, currency) if currency else (FieldType.NUMBER, "")
    values = [inferred(cell) for cell in filled]
    for kind in (FieldType.MONEY, FieldType.DATE, FieldType.NUMBER, FieldType.DURATION, FieldType.TEXT):
        if sum(value is not None and value.type is kind for value in values) >= _MIN_SHARE * len(filled):
            return kind, ""
    return None, ""


def is_identifier(name: str) -> bool:
    """True where a column or key names things, and does not measure them: "Invoice no.", not "Item price"."""
    return bool(_IDENTIFIER.search(name)) and not _MONEY_NAME.search(name)


def _says(row: AnnotationRow, wanted: tuple[str, ...]) -> bool:
    return any(stems(cell.value.original or cell.value.text) == wanted for cell in row.cells[:2])


def _reading(
    document: DocumentText, definition: FieldDefinition, cell: RowCell
) -> Iterator[TextReading[TypedValue | None]]:
    start, end = document.span(cell.quote)
    if cell.value.type is definition.type and definition.type is not FieldType.TEXT:
        yield TextReading.at(start, end, cell.value, _CONFIDENCE)
        return
    found = value_of(document.text[start:end], definition)
    if found is not None:
        yield TextReading.at(start + found.start, start + found.end, found.value, _CONFIDENCE)


def _doubts(
    document: DocumentText, definition: FieldDefinition, cell: RowCell
) -> Iterator[TextReading[TypedValue | None]]:
    start, end = document.span(cell.quote)
    for each in doubts_of(document.text[start:end], definition):
        yield TextReading.at(start + each.start, start + each.end, each.value, _UNSURE)
