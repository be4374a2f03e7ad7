"""CSV and XLSX: every row a line that can be understood alone, its cells named by the header."""

from __future__ import annotations

import csv
import datetime
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from core.domain.document import Page, ParsedDocument
from core.ingest.clean import language_of, normalise
from core.ingest.parse.base import Budget, ParseLimits, title_from_source
from core.ingest.parse.decode import detect_encoding
from core.ingest.parse.sniff import MEDIA_TYPES, FileKind
from core.ingest.parse.text import PAGE_CHARS, parse_text
from core.ingest.parse.zips import check_zip

_DELIMITERS = (",", ";", "\t", "|", "^", "~")
_SAMPLE_CHARS = 64_000
_MAX_BLANK_ROWS = 5_000
_MAX_COLUMNS = 2_000
_NUMBER = re.compile(r"^[\s$\u20ac\u00a3(+-]*\d[\d.,\s]*[)%]?$")
_LETTER = re.compile(r"[^\W\d_]")


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
            pages = _pages(_lines(_csv_rows(file, delimiter)), budget, 1, "")
    except csv.Error:
        return parse_text(path, source, limits)
    has_text = any(page.text for page in pages)
    return ParsedDocument(
        title=title_from_source(source),
        media_type=MEDIA_TYPES[FileKind.CSV],
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
            rows = (_row_text(row) for row in sheet.iter_rows(values_only=True))
            pages += _pages(_lines(rows), budget, len(pages) + 1, normalise(sheet.title))
        title = normalise(book.properties.title or "").strip()
    finally:
        book.close()
        stream.close()
    has_text = any(page.text for page in pages)
    return ParsedDocument(
        title=title or title_from_source(source),
        media_type=MEDIA_TYPES[FileKind.XLSX],
        pages=tuple(pages),
        language=language_of(pages),
        unreadable_reason="" if has_text else "No sheet has a filled cell.",
    )


def _row_text(row: Sequence[object]) -> list[str]:
    """The cells as text; of a row that is wider than any table, the filled ones at its far end."""
    far = (_cell_text(value) for value in row[_MAX_COLUMNS:] if value is not None)
    return [*map(_cell_text, row[:_MAX_COLUMNS]), *far]


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


def _lines(rows: Iterable[list[str]]) -> Iterator[str]:
    """Rows as lines: `name: value | name: value` below a header, `value | value` where there is none."""
    header: list[str] | None = None
    is_first = True
    blank = 0
    for row in rows:
        filled = sum(bool(cell) for cell in row)
        if not filled:
            blank += 1
            if blank > _MAX_BLANK_ROWS:  # a sheet that claims a million empty rows
                return
            continue
        blank = 0
        if header is None and filled == 1 and is_first:
            yield next(cell for cell in row if cell)  # a caption above the table
            continue
        if is_first:
            is_first = False
            if _is_header(row):
                header = row
                yield " | ".join(cell for cell in row if cell)
                continue
        yield " | ".join(_named(row, header or []))


def _is_header(row: Sequence[str]) -> bool:
    cells = [cell for cell in row if cell]
    return (
        len(cells) >= 2
        and len(cells) >= 0.6 * len(row)
        and len(set(cells)) == len(cells)
        and all(_LETTER.search(cell) and len(cell) <= 60 and not _NUMBER.match(cell) for cell in cells)
    )


def _named(row: Sequence[str], header: Sequence[str]) -> Iterator[str]:
    for number, cell in enumerate(row):
        if cell:
            name = header[number] if number < len(header) else ""
            yield f"{name}: {cell}" if name else cell


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


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime):
        return (
            value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ", "seconds")
        )
    return " ".join(normalise(str(value)).split())
