"""Blocks of a web page in reading order: paragraphs, lists, tables, code, with headings and links."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from core.ingest.parse.base import Budget, PageBuilder
from core.ingest.parse.html.main import text_of
from core.ingest.parse.text import is_pdf
from core.text.marks import quoted
from core.text.numerals import letters, roman
from core.text.words import word_set

_MOST_STEPS = 6
BULLET = "- "
LISTS = frozenset(["ol", "ul", "menu", "dir"])
_STYLE = re.compile(r"list-style(?:-type)?\s*:\s*([\w-]+)", re.IGNORECASE)
_OF_STYLE = {
    "decimal": "1", "lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A", "upper-latin": "A",
    "lower-roman": "i", "upper-roman": "I", "none": "", "disc": "", "circle": "", "square": "",
}  # fmt: skip
_TYPES = frozenset(["1", "a", "A", "i", "I"])
_INTEGER = re.compile(r"\s*[+-]?\d{1,9}")


def is_captioned(image: Any, alternative: str) -> bool:
    """True where the caption, a neighbour or the link of an image already says its alternative text.

    Only the nearest text is looked at: an alternative that a paragraph further on repeats is kept.
    """
    wanted = _flat(alternative)
    if not wanted:
        return False
    element = image
    for _ in range(_MOST_STEPS):
        parent = element.getparent()
        if parent is None:
            return False
        if parent.tag in ("figure", "picture"):
            captions = parent.iter("figcaption")
            if any(_says(_text_of(caption, 10 * len(alternative) + 500), wanted) for caption in captions):
                return True
        beside = (_before(element), element.tail or "", *_neighbours(element))
        if any(_flat(text) == wanted for text in beside):
            return True
        if any(text.strip() for text in beside):
            return False
        element = parent
    return False


def _says(caption: str, wanted: str) -> bool:
    """True where a caption is the alternative text, or has it as its first or last words."""
    flat = _flat(caption)
    return flat == wanted or f" {flat} ".startswith(f" {wanted} ") or f" {flat} ".endswith(f" {wanted} ")


def _before(element: Any) -> str:
    before = element.getprevious()
    text = element.getparent().text if before is None else before.tail
    return text or ""


def _neighbours(element: Any) -> tuple[str, ...]:
    limit = 2_000
    return tuple(
        _text_of(each, limit) for each in (element.getprevious(), element.getnext()) if each is not None
    )


def _text_of(element: Any, limit: int) -> str:
    """The text in an element, no more than a little over `limit` characters of it."""
    pieces: list[str] = []
    length = 0
    for piece in element.itertext():
        pieces.append(piece)
        length += len(piece)
        if length > limit:
            break
    return "".join(pieces)


def _flat(text: str) -> str:
    """Words alone, in lower case."""
    return " ".join("".join(each if each.isalnum() else " " for each in text.casefold()).split())


@dataclass(slots=True)
class _OpenList:
    """A list that is being read; kind: the type of its numbers, "" for bullets."""

    kind: str
    number: int = 1
    step: int = 1


class ListMarks:
    """Marks of items in reading order; lists may stand in lists.

    Source: HTML Standard, 4.4.5 The ol element: start, reversed, type, and value of an item.
    """

    def __init__(self) -> None:
        self._open: list[_OpenList] = []

    @property
    def is_numbered(self) -> bool:
        """True where the innermost list has numbers."""
        return bool(self._open) and bool(self._open[-1].kind)

    @property
    def is_open(self) -> bool:
        """True within a list."""
        return bool(self._open)

    @property
    def depth(self) -> int:
        """Number of lists around the innermost one."""
        return max(0, len(self._open) - 1)

    def begin(self, element: Any) -> None:
        """Go into a list."""
        if element.tag != "ol":
            self._open.append(_OpenList(""))
            return
        is_reversed = "reversed" in element.attrib
        first = sum(child.tag == "li" for child in element) if is_reversed else 1
        start = _integer(element.get("start"))
        kind = _kind_of(element, "1")
        self._open.append(_OpenList(kind, first if start is None else start, -1 if is_reversed else 1))

    def end(self) -> None:
        """Come out of the innermost list."""
        if self._open:
            self._open.pop()

    def mark(self, item: Any) -> str:
        """The mark of an item, with a blank behind it; counts on."""
        if not self._open:
            return BULLET
        inner = self._open[-1]
        said = _integer(item.get("value"))
        number = inner.number if said is None else said
        inner.number = number + inner.step
        kind = _kind_of(item, inner.kind) if inner.kind else ""
        return f"{_written(number, kind)}. " if kind else BULLET


def _kind_of(element: Any, otherwise: str) -> str:
    style = _STYLE.search(element.get("style", ""))
    kind = _OF_STYLE.get(style[1].lower()) if style else None
    if kind is not None:
        return kind
    said = element.get("type", "").strip()
    return said if said in _TYPES else otherwise


def _integer(said: str | None) -> int | None:
    match = _INTEGER.match(said or "")
    return int(match[0]) if match else None


def _written(number: int, kind: str) -> str:
    """A number as a list of that type shows it; what has no such form stands in digits."""
    written = letters(number) if kind in "aA" else roman(number) if kind in "iI" else str(number)
    return written.upper() if kind.isupper() else written


_BLOCKS = word_set(
    "address article blockquote body caption center dd details div dl dt fieldset figcaption figure form"
    " header h1 h2 h3 h4 h5 h6 hr legend li main ol p pre section summary table tbody tfoot thead tr ul"
    " nav footer aside"
)


_SPACES = re.compile(r"\s+")


_LONGEST_REPEATED = 200  # characters of a cell that reaches down


_MOST_SPANNED = 100


_LOOKED_AT = 200  # rows that tell a table of data from one that places things


@dataclass(slots=True)
class _OpenTable:
    """A table that is being read. spanning: by column, cells that reach into this row, for how many rows.

    reaching: those for the row below; gaps: columns that the cell spans beside its own.
    """

    is_data: bool = False
    column: int = 0
    gaps: int = 0
    spanning: dict[int, tuple[int, str]] = field(default_factory=dict)
    reaching: dict[int, tuple[int, str]] = field(default_factory=dict)

    def end_row(self) -> None:
        """Go on to the row below."""
        left = {at: (rows - 1, text) for at, (rows, text) in self.spanning.items() if rows > 1}
        self.spanning, self.reaching = left | self.reaching, {}


def _holds_data(table: Any) -> bool:
    """True of a table with rows of several filled cells, and no other table in it."""
    if next((each for each in table.iter("table") if each is not table), None) is not None:
        return False
    rows = 0
    for number, row in enumerate(table.iter("tr")):
        if number > _LOOKED_AT:
            break
        rows += sum(bool(text_of(cell).strip()) for cell in row if cell.tag in ("td", "th")) > 1
    return rows > 1


def _span_of(element: Any, name: str) -> int:
    """Number of columns or rows of a cell, within reason."""
    said = element.get(name, "1").strip()
    return min(max(1, int(said)), _MOST_SPANNED) if said.isdigit() else 1


def _rows_of(cell: Any) -> int:
    """Number of rows that a cell reaches over; 0 in the file: to the end of its group of rows."""
    if cell.get("rowspan", "").strip() != "0":
        return _span_of(cell, "rowspan")
    row = cell.getparent()
    return min(_MOST_SPANNED, 1 + sum(1 for _ in row.itersiblings("tr")))


class BlockReader:
    """Goes through a tree without recursion and gives its blocks to the page in reading order."""

    def __init__(self, page: PageBuilder, budget: Budget, quotations: frozenset[Any] = frozenset()) -> None:
        """quotations: elements whose lines stand behind `> `."""
        self._page = page
        self._budget = budget
        self._quotations = quotations
        self._quoted = 0
        self._run: list[str] = []
        self._level = 0
        self._is_row = False
        self._gap = 2
        self._pre = 0
        self._tables: list[_OpenTable] = []
        self._lists = ListMarks()
        self._mark = ""  # of the item that has no words yet
        self._indent = 0

    def read(self, root: Any, walk: Iterable[tuple[str, Any]]) -> None:
        """Add the blocks of `root`; walk: its elements, each as it starts and as it ends."""
        for event, element in walk:
            if event == "start":
                self._enter(element)
                self._add(element.text)
            else:
                self._leave(element)
                if element is not root:
                    self._add(element.tail)
        self._flush()

    def _enter(self, element: Any) -> None:
        tag = element.tag
        if element in self._quotations:
            self._flush()
            self._quoted += 1
        if tag == "table":
            self._tables.append(_OpenTable(_holds_data(element)))
        if tag in LISTS:
            self._begin_list(element)
        if tag == "tr":
            self._flush()
            self._is_row = True
            if self._tables:
                self._tables[-1].column = 0
        elif tag in ("td", "th"):
            self._begin_cell(element)
        elif tag == "br":
            self._run.append("\n")
        elif tag in _BLOCKS and not self._is_row:
            if not self._is_mark_alone():  # a paragraph in an item belongs to its mark
                self._flush()
            self._level = int(tag[1]) if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit() else self._level
            self._pre += tag == "pre"
            if tag == "li":
                self._gap = 1
                self._begin_item(element)
            elif tag == "dd":
                self._gap = 1  # below its term
        elif tag in _BLOCKS and self._run and not self._run[-1].endswith(" | "):
            self._run.append(" ")
        if tag == "li" and self._is_row and self._lists.is_numbered:
            self._run.append(self._lists.mark(element))
        if tag == "img":
            self._image(element)
        elif tag == "a" and is_pdf(element.get("href", "")):
            self._page.add_link("pdf", element.get("href"))

    def _leave(self, element: Any) -> None:
        tag = element.tag
        if tag in ("td", "th") and self._tables:
            self._run.append(" | " * self._tables[-1].gaps)
            self._tables[-1].gaps = 0
        if tag == "tr":
            if self._tables and self._tables[-1].is_data:
                self._reach_down(self._tables[-1])
            self._is_row = False
            self._gap = 1
            self._flush(is_row=True)
            if self._tables:
                self._tables[-1].end_row()
        elif tag in _BLOCKS and not self._is_row:
            self._flush()
            self._level = 0 if tag[0] == "h" and len(tag) == 2 else self._level
            self._pre -= tag == "pre"
            if tag in ("table", "ul", "ol"):
                self._gap = 2 if not self._lists.depth or tag == "table" else 1
        if tag in LISTS:
            self._lists.end()
        if tag == "table" and self._tables:
            self._tables.pop()
        if element in self._quotations:
            self._flush()
            self._quoted -= 1

    def _begin_list(self, element: Any) -> None:
        """Go into a list; words of the item that it stands in are a block before it."""
        if not self._is_row and not self._is_mark_alone():
            self._flush()
            self._gap = 1 if self._lists.is_open else 2
        self._lists.begin(element)

    def _begin_item(self, element: Any) -> None:
        if not self._mark:
            self._indent = self._lists.depth
        mark = self._lists.mark(element)
        self._mark += mark
        self._run.append(mark)

    def _is_mark_alone(self) -> bool:
        return bool(self._mark) and "".join(self._run).strip() == self._mark.strip()

    def _begin_cell(self, element: Any) -> None:
        """Marks up to this cell: cells that reach down into its row stand again before it."""
        table = self._tables[-1] if self._tables else _OpenTable()
        if not table.is_data:
            if any(piece.strip() for piece in self._run):
                self._run.append(" | ")
            return
        self._reach_down(table)
        if table.column:
            self._run.append(" | ")
        wide, high = _span_of(element, "colspan"), _rows_of(element)
        if high > 1:
            text = _SPACES.sub(" ", text_of(element)).strip()[:_LONGEST_REPEATED]
            table.reaching[table.column] = (high - 1, text)
        table.column += wide
        table.gaps = wide - 1

    def _reach_down(self, table: _OpenTable) -> None:
        """Cells of rows above, from here to the next column that this row fills itself."""
        while table.column in table.spanning:
            left, text = table.spanning.pop(table.column)
            self._run.append(f"{' | ' if table.column else ''}{text}")
            if left > 1:
                table.reaching[table.column] = (left - 1, text)
            table.column += 1

    def _image(self, element: Any) -> None:
        target = element.get("src") or element.get("data-src") or ""
        if target and not target.startswith("data:"):
            self._page.add_link("image", target)
        alternative = _SPACES.sub(" ", element.get("alt") or element.get("title") or "").strip()
        if len(alternative) > 3 and not is_captioned(element, alternative):
            self._run.append(f" {alternative} ")

    def _add(self, text: str | None) -> None:
        if text:
            self._run.append(text if self._pre else _SPACES.sub(" ", text))

    def _flush(self, *, is_row: bool = False) -> None:
        joined = "".join(self._run)
        joined = joined.rstrip(" |\n") if is_row else joined
        self._run.clear()
        lines = joined.split("\n")
        text = "\n".join(line.rstrip() if self._pre else " ".join(line.split()) for line in lines)
        text = re.sub(r"\n{3,}", "\n\n", text)
        if text.strip(" \n|-") and not (self._mark and text.strip() == self._mark.strip()):
            self._budget.spend(len(text))
            text = quoted(text.strip()) if self._quoted else text
            self._page.add_block(text, level=self._level, gap=self._gap, indent=self._indent)
        self._mark, self._indent = "", 0
        self._gap = 2 if not self._is_row else 1
