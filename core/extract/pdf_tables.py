"""Tables of a PDF by its lines and by the places of its words, mapped to the page text that is stored.

Read once, at ingest, from the original: later extraction works on the rows that were stored then.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.domain.document import Page
from core.domain.fields import AnnotationRow
from core.extract.base import DocumentText
from core.extract.tables import FIRST_PDF_TABLE, annotate, table_of
from core.text.table_shape import SAMPLE, is_figure, shape_of

MAX_PAGES = 40
BUDGET_S = 10.0
_MIN_ROWS = 2
_MAX_WORDS = 4_000  # of a page that is a drawing or a map
_GAP = 0.9  # of the height of a word: a wider gap parts two cells
_NEAR = 4.0  # points between cells that stand in one column
_FIGURE = re.compile(r"[$\u20ac\u00a3]?[-(]?\d[\d.,]*[%)]?")
_SPACE = re.compile(r"\s+")

Span = tuple[int, int]
_Cell = tuple[float, float, str]  # left, right, text


def read_pdf_tables(
    path: Path, document: DocumentText, *, clock: Callable[[], float] = time.monotonic
) -> tuple[tuple[AnnotationRow, ...], tuple[str, ...]]:
    """The rows of the tables of the pages that look like tables, and what must be said about them.

    Bounded in pages and, between pages, in time. A file that pdfplumber cannot read has no rows and a note.
    """
    pages = [page for page in document.pages if looks_tabular(page.text)]
    if not pages:
        return (), ()
    notes = []
    if len(pages) > MAX_PAGES:
        notes.append(f"Tables were read on {MAX_PAGES} of {len(pages)} pages that hold some.")
    found: list[_Block] = []
    ends = clock() + BUDGET_S
    try:
        for page, cells in _tables(path, pages[:MAX_PAGES], lambda: clock() < ends):
            block = _mapped(document, page, cells)
            if found and block and _goes_on(document.text, found[-1], block):
                found[-1] = _Block(block.page_no, [*found[-1].rows, *_body(document.text, block)])
            elif block:
                found.append(block)
    except Exception as error:  # pdfplumber and pdfminer fail in any way on a damaged file
        notes.append(f"Its tables could not be read ({type(error).__name__}).")
    if clock() >= ends:
        notes.append(f"Reading its tables was stopped after {BUDGET_S:.0f} seconds.")
    tables = [(FIRST_PDF_TABLE + at, table_of(document.text, block.rows)) for at, block in enumerate(found)]
    rows, more = annotate(document, tables)
    return tuple(rows), (*notes, *more)


@dataclass(frozen=True, slots=True)
class _Block:
    """Rows of spans of cells; page_no: of the last of them."""

    page_no: int
    rows: list[list[Span]]

    def texts(self, text: str) -> list[list[str]]:
        """The first cells as they are written."""
        return [[text[a:b] for a, b in row] for row in self.rows[:SAMPLE]]


def _goes_on(text: str, before: _Block, block: _Block) -> bool:
    """True of the first table of a page where it has the columns of the last one of the page before.

    It has no head of its own, or that table's again.
    """
    if block.page_no != before.page_no + 1 or len(block.rows[0]) != len(before.rows[0]):
        return False
    shape, own = shape_of(before.texts(text)), shape_of(block.texts(text))
    if not shape.headers:
        return False
    if own.headers:
        return own.names == shape.names
    return _kinds(before.texts(text)[shape.first :]) == _kinds(block.texts(text)[own.first :])


def _kinds(rows: Sequence[Sequence[str]]) -> list[bool]:
    """By column, true where most cells are figures."""
    return [2 * sum(map(is_figure, column)) > len(column) for column in zip(*rows, strict=False)]


def _body(text: str, block: _Block) -> list[list[Span]]:
    """The rows of a part that goes on, without the head that is said again."""
    own = shape_of(block.texts(text))
    return block.rows[own.first :] if own.headers else block.rows


def looks_tabular(text: str) -> bool:
    """True where three lines near one another are short and hold figures, as the rows of a table do."""
    near = 0
    for line in text.split("\n"):
        words = line.split()
        # "4. Price and Payment" is a heading and no row
        figures = sum(bool(_FIGURE.fullmatch(word)) for word in words if not word.endswith("."))
        is_row = figures > 0 and 2 <= len(words) <= 14 and not line.rstrip().endswith((".", ";", ","))
        near = near + 2 if is_row else max(0, near - 1)
        if near >= 4:
            return True
    return False


def _tables(
    path: Path, pages: Sequence[Page], may_go_on: Callable[[], bool]
) -> Iterator[tuple[Page, list[list[str]]]]:
    import pdfplumber

    with pdfplumber.open(path) as file:
        for page in pages:
            if page.page_no > len(file.pages) or not may_go_on():
                continue
            sheet = file.pages[page.page_no - 1]
            ruled = [table.extract() for table in sheet.find_tables()]
            for table in ruled:
                rows = [[_SPACE.sub(" ", cell or "").strip() for cell in row] for row in table]
                if _is_table(rows):
                    yield page, rows
            if not ruled:
                words = sheet.extract_words(use_text_flow=False)
                for rows in aligned_tables(words[:_MAX_WORDS]):
                    yield page, rows
            sheet.close()


def aligned_tables(words: Sequence[dict[str, Any]]) -> list[list[list[str]]]:
    """Tables without lines: rows one under the other whose cells begin or end at the same places.

    words: with text, x0, x1, top and bottom, as pdfplumber gives them.
    """
    blocks: list[list[list[_Cell]]] = [[]]
    for cells in _rows(words):
        if blocks[-1] and not _continues(blocks[-1][-1], cells):
            blocks.append([])
        if len(cells) >= 2:
            blocks[-1].append(cells)
    tables = [[[text for _, _, text in row] for row in block] for block in blocks if len(block) >= _MIN_ROWS]
    return [table for table in tables if _is_table(table)]


def _rows(words: Sequence[dict[str, Any]]) -> Iterator[list[_Cell]]:
    """The lines of a page from the top, each cut into cells at its wide gaps."""
    line: list[dict[str, Any]] = []
    for word in sorted(words, key=lambda each: (round(each["top"], 0), each["x0"])):
        if line and word["top"] - line[0]["top"] > 0.5 * (line[0]["bottom"] - line[0]["top"]):
            yield _cut(line)
            line = []
        line.append(word)
    if line:
        yield _cut(line)


def _cut(line: list[dict[str, Any]]) -> list[_Cell]:
    line = sorted(line, key=lambda each: float(each["x0"]))
    cells: list[_Cell] = []
    for word in line:
        left, right, text = float(word["x0"]), float(word["x1"]), str(word["text"])
        gap = _GAP * float(word["bottom"] - word["top"])
        if cells and left - cells[-1][1] < gap:
            cells[-1] = (cells[-1][0], right, f"{cells[-1][2]} {text}")
        else:
            cells.append((left, right, text))
    return cells


def _continues(before: list[_Cell], cells: list[_Cell]) -> bool:
    """True where two lines are rows of one table: as many cells, each below the other."""
    if len(before) != len(cells) or len(cells) < 2:
        return False
    return all(
        abs(one[0] - other[0]) <= _NEAR
        or abs(one[1] - other[1]) <= _NEAR
        or abs((one[0] + one[1]) - (other[0] + other[1])) <= 2 * _NEAR
        for one, other in zip(before, cells, strict=True)
    )


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    filled = [row for row in rows if sum(bool(cell) for cell in row) >= 2]
    return len(filled) >= _MIN_ROWS and any(_FIGURE.search(cell) for row in filled[1:] for cell in row)


def _mapped(document: DocumentText, page: Page, rows: Sequence[Sequence[str]]) -> _Block | None:
    """The cells as spans of the joined text: looked for in order, white space apart."""
    begin = document.offset(page.page_no, 0)
    packed, places = _packed(page.text)
    cursor = 0
    block: list[list[Span]] = []
    for row in rows:
        spans: list[Span] = []
        first = -1
        after = cursor
        for cell in row:
            wanted = _SPACE.sub("", cell)
            at = packed.find(wanted, after, cursor + 4_000) if wanted else -1
            if at < 0:
                spans.append((begin, begin))  # empty: it stands nowhere
                continue
            spans.append((begin + places[at], begin + places[at + len(wanted) - 1] + 1))
            first = at if first < 0 else min(first, at)
            after = at + len(wanted)
        if first >= 0:
            block.append(spans)
            cursor = first + 1
    if len(block) < _MIN_ROWS:
        return None
    return _Block(page.page_no, block)


def _packed(text: str) -> tuple[str, list[int]]:
    """`text` without white space, and where each of its characters stood."""
    places = [place for place, letter in enumerate(text) if not letter.isspace()]
    return "".join(_plain(text[place]) for place in places), places


def _plain(letter: str) -> str:
    """A raised or lowered figure as a plain one, as pdfplumber gives it."""
    plain = letter if letter.isascii() else unicodedata.normalize("NFKC", letter)
    return plain if len(plain) == 1 else letter
