"""CSV and XLSX: every row a line that can be understood alone, its cells named by the header."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from core.domain.document import Page, ParsedDocument
from core.ingest.clean import language_of, normalise
from core.ingest.parse import formats
from core.ingest.parse.base import Budget, ParseLimits, title_from_source
from core.ingest.parse.decode import detect_encoding
from core.ingest.parse.number_format import cell_text
from core.ingest.parse.sheet_lines import MergedCells, sheet_lines
from core.ingest.parse.text import PAGE_CHARS, parse_text
from core.ingest.parse.zips import check_zip

_DELIMITERS = (",", ";", "\t", "|", "^", "~")
_SAMPLE_CHARS = 64_000
_MAX_COLUMNS = 2_000
_MERGED = re.compile(rb'<mergeCell ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')
_MOST_MERGED = 20_000
_LARGEST_SHEET = 30_000_000  # bytes: of a larger one, merged cells are not looked for


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
            pages = _pages(sheet_lines(_csv_rows(file, delimiter)), budget, 1, "")
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


def parse_xlsx(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """A workbook with the values that it last showed; a page for every sheet."""
    import openpyxl

    check_zip(path, source, limits)
    budget = Budget(source, limits)
    pages: list[Page] = []
    stream = path.open("rb")  # by its path, openpyxl would refuse a workbook with another extension
    book = openpyxl.load_workbook(stream, read_only=True, data_only=True, keep_links=False)
    try:
        for sheet in book.worksheets:
            merged = _merged_cells(book, sheet)
            rows = _filled_down((_row_text(row) for row in sheet.iter_rows()), merged)
            spans = MergedCells({(each.top, each.left): each.width for each in merged if each.width > 1})
            pages += _pages(sheet_lines(rows, spans), budget, len(pages) + 1, normalise(sheet.title))
        title = normalise(book.properties.title or "").strip()
    finally:
        book.close()
        stream.close()
    has_text = any(page.text for page in pages)
    return ParsedDocument(
        title=title or title_from_source(source),
        media_type=formats.XLSX.media_type,
        pages=tuple(pages),
        language=language_of(pages),
        unreadable_reason="" if has_text else "No sheet has a filled cell.",
    )


class _Merged(NamedTuple):
    top: int
    left: int
    height: int
    width: int


def _merged_cells(book: Any, sheet: Any) -> list[_Merged]:
    """The merged cells of a sheet, from its file: a workbook that is read row by row does not have them."""
    archive, path = getattr(book, "_archive", None), getattr(sheet, "_worksheet_path", None)
    if archive is None or not path or archive.getinfo(path).file_size > _LARGEST_SHEET:
        return []
    found, held = [], b""
    with archive.open(path) as file:
        while chunk := file.read(1 << 20):
            held = held[-200:] + chunk
            at = 0
            for match in _MERGED.finditer(held):
                top, left = int(match[2]) - 1, _column(match[1])
                found.append(_Merged(top, left, int(match[4]) - top, _column(match[3]) - left + 1))
                at = match.end()
            held = held[at:]
            if len(found) > _MOST_MERGED:
                break
    return found


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number - 1


def _filled_down(rows: Iterable[list[str]], merged: Sequence[_Merged]) -> Iterator[list[str]]:
    """Rows with the value of a merged cell in each of the rows that it spans."""
    starts: dict[int, list[_Merged]] = {}
    for each in merged:
        if each.height > 1 and each.width == 1:
            starts.setdefault(each.top, []).append(each)
    current: list[tuple[int, int, str]] = []
    for at, row in enumerate(rows):
        current = [each for each in current if each[0] > at]
        for _, column, text in current:
            if column < len(row) and not row[column]:
                row[column] = text
        for each in starts.get(at, ()):
            if each.left < len(row) and row[each.left]:
                current.append((at + each.height, each.left, row[each.left]))
        yield row


def _row_text(row: Sequence[Any]) -> list[str]:
    """The cells as text; of a row that is wider than any table, the filled ones at its far end."""
    far = (_text(cell) for cell in row[_MAX_COLUMNS:] if cell.value is not None)
    return [*map(_text, row[:_MAX_COLUMNS]), *far]


def _text(cell: Any) -> str:
    value = cell.value
    return "" if value is None else cell_text(value, cell.number_format)


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
    for row in csv.reader((normalise(line) for line in file), delimiter=delimiter):
        yield [" ".join(cell.split()) for cell in row]


def _pages(lines: Iterable[str], budget: Budget, first_no: int, label: str) -> tuple[Page, ...]:
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
