"""Entries of tables and forms on stored pages: rows under the names of their columns, labels, boxes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from core.domain.document import Page
from core.domain.fields import AnnotationRow
from core.domain.ids import DocumentId
from core.domain.passage import StoredPassage
from core.extract.pairs import find_pairs
from core.extract.tables import FIRST_PDF_TABLE, TableLines, find_tables
from core.search.evidence.base import Evidence, PageSource, Span, page_at
from core.store.database.visibility import Visibility
from core.text.marks import blanked
from core.text.table_shape import is_unnamed

RowSource = Callable[[DocumentId, Visibility], Sequence[AnnotationRow]]
"""Reads the stored rows of a document; `records.fields.rows` is the real one."""

_MOST_PAGES = 20
_LONGEST_PAGE = 40_000  # characters; of a longer one the passages that were found are read
_LONGEST_CELL = 600
_MOST_HEADS = 3  # lines above a row that may name its columns
_TICK = re.compile(r"\[(?P<mark>[ x])\](?=[ \n|]|$)[ \t]*(?P<option>[^\[\]|\n]*)")
_GAP = re.compile(r"[\s|\uff1a.\u2026]$|[^:]$")  # between a label and what it names, and none in "12:30"
_LEFT = re.compile(r"[\s*#>:|-]+")


@dataclass(frozen=True, slots=True)
class EntryCell:
    """A value with the name that it goes by: its column, its label, or what boxes are about; "" for none.

    start, end: of the value on the page.
    """

    name: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RowEntry:
    """A row of a table, a labelled line, or boxes of one group.

    span: the words that it is cited by; heads: lines that name the columns. table: number of its table on
    the page, -1 for lines and boxes. called: the names of its document. around: what stands on its page
    outside of tables, of a row what stands above its table. is_title: a heading, or the first line of all.
    """

    span: Span
    cells: tuple[EntryCell, ...]
    table: int
    heads: tuple[Span, ...]
    called: str = ""
    around: str = ""
    is_title: bool = False

    @property
    def spans(self) -> tuple[Span, ...]:
        """Heads and entry, in the order of the page."""
        return (*self.heads, self.span)


def find_entries(
    evidence: Evidence, pages: PageSource, rows: RowSource, visibility: Visibility
) -> list[RowEntry]:
    """The entries on the pages that were found, bounded in pages.

    Where documents are named, of these, and of what is attached to them.
    """
    found: dict[tuple[DocumentId, int, int], list[tuple[StoredPassage, int, int]]] = {}
    named = {
        c.stored.source for c in evidence.candidates if c.stored.passage.document in evidence.named_documents
    }
    inside = tuple(f"{source}/" for source in named)  # files that are attached to it
    for stored in (candidate.stored for candidate in evidence.candidates):
        passage, is_meant = stored.passage, not named or stored.source in named
        for part in passage.parts if is_meant or stored.source.startswith(inside) else ():
            key = (passage.document, passage.version, part.page_no)
            found.setdefault(key, []).append((stored, part.start, part.end))
    of_pdf: dict[DocumentId, Sequence[AnnotationRow]] = {}
    entries: list[RowEntry] = []
    for (document, version, page_no), parts in list(found.items())[:_MOST_PAGES]:
        page = page_at(pages, document, version, page_no, visibility)
        if page is None:
            continue
        stored = parts[0][0]
        if stored.source.casefold().endswith(".pdf") and document not in of_pdf:
            of_pdf[document] = [r for r in rows(document, visibility) if r.table >= FIRST_PDF_TABLE]
        span = Span(document, version, page_no, 0, 0, "", stored.name, stored.source)
        text = blanked(page.text)
        if len(text) > _LONGEST_PAGE:
            text = _only(text, [(start, end) for _, start, end in parts])
        entries += _Page(page, text, span, stored.title).entries(of_pdf.get(document, ()))
    return entries


def _only(text: str, parts: Sequence[tuple[int, int]]) -> str:
    """A page with spaces for all lines of which no part has a character."""
    kept, at = [], 0
    for start, end in sorted(parts):
        first = max(at, text.rfind("\n", 0, start) + 1)
        last = text.find("\n", end)
        last = len(text) if last < 0 else last
        if last > first:
            kept += [" " * (first - at), text[first:last]]
            at = last
    return "".join(kept)


def _without(text: str, spans: Collection[tuple[int, int]]) -> str:
    """A text with spaces for these spans."""
    kept, at = [], 0
    for start, end in sorted(spans):
        if end > at:
            kept += [text[at:start], " " * (end - max(at, start))]
            at = end
    return "".join((*kept, text[at:]))


@dataclass(frozen=True, slots=True)
class _Page:
    """A page as it is read; text: its own, without what is no statement of the document."""

    page: Page
    text: str
    span: Span
    title: str

    def entries(self, of_pdf: Sequence[AnnotationRow]) -> Iterator[RowEntry]:
        """Rows of tables, then what stands outside of them."""
        rows = [*self._rows(), *self._stored_rows(of_pdf)]
        outside = _without(self.text, {(s.start, s.end) for entry in rows for s in entry.spans})
        at = self.span
        called = f"{self.title} {at.title} {at.source.rsplit('/', 1)[-1]} {self.page.label}".replace("_", " ")
        titles = [(each.start, each.end) for each in self.page.headings]
        titles.append(self._line(*[len(self.text) - len(self.text.lstrip())] * 2))
        lines = [*self._boxes(outside), *self._pairs(outside)]
        first = {entry.table: entry.span.start for entry in reversed(rows)}
        for entry in (*rows, *lines):
            begins = (entry.span if entry.table >= 0 else entry.spans[0]).start
            is_title = any(start <= begins < end for start, end in titles)
            above = outside[: first[entry.table]] if entry.table >= 0 else outside
            yield replace(entry, called=called, around=above.strip(), is_title=is_title)

    def _rows(self) -> Iterator[RowEntry]:
        for number, table in enumerate(find_tables(self.text)):
            for row in filter(None, table.rows):  # one of blank cells says nothing
                first, last = row[0][1][0], row[-1][1][1]
                start, end = self._line(first, last)
                yield self._entry(start, end, self._cells(table, row), number, self._heads(start, table))

    def _stored_rows(self, of_pdf: Sequence[AnnotationRow]) -> Iterator[RowEntry]:
        for row in of_pdf:
            cells = [each for each in row.cells if each.quote.span.page_no == self.page.page_no]
            if len(cells) < 2:
                continue
            spans = [cell.quote.span for cell in cells]
            start, end = min(each.start for each in spans), max(each.end for each in spans)
            named = tuple(
                EntryCell("" if is_unnamed(cell.column) else cell.column, cell.quote.quote, at.start, at.end)
                for cell, at in zip(cells, spans, strict=True)
            )
            yield self._entry(start, end, named, row.table, ())

    def _cells(self, table: TableLines, row: Sequence[tuple[int, tuple[int, int]]]) -> tuple[EntryCell, ...]:
        """The cells of a row; a ticked box alone says the name of its column, an empty one nothing."""
        cells = []
        for column, (start, end) in row:
            text, name = self.text[start:end], table.names[column]
            name = "" if is_unnamed(name) else name
            boxes = list(_TICK.finditer(text))
            if boxes:
                options = [each["option"].strip() or name for each in boxes if each["mark"] == "x"]
                text, name = ", ".join(options), name if boxes[0]["option"].strip() else ""
            if text and len(text) <= _LONGEST_CELL:
                cells.append(EntryCell(name, text, start, end))
        return tuple(cells)

    def _heads(self, start: int, table: TableLines) -> tuple[Span, ...]:
        """The lines of the table's head, where its rows do not name their cells themselves."""
        first = next(row for row in table.rows if row)[0][1][0]
        begin = self.text.rfind("\n", 0, first) + 1
        if self.text[begin:first].strip(" |"):  # "Name: value"
            return ()
        heads: list[Span] = []
        end = begin - 1
        while end > 0 and len(heads) < _MOST_HEADS:
            above = self.text.rfind("\n", 0, end) + 1
            line = self.text[above:end]
            if not line.strip(" |:-") and line.strip():
                end = above - 1
                continue
            if not any(name and name.split()[0] in line for name in table.names):
                break
            heads.insert(0, self._part(*self._line(above, end)))
            end = above - 1
        return tuple(heads)

    def _boxes(self, outside: str) -> Iterator[RowEntry]:
        """Groups of boxes, with what stands before them on their line or, alone, in the line above."""
        groups: list[list[re.Match[str]]] = []
        for match in _TICK.finditer(outside):
            between = outside[groups[-1][-1].end() : match.start()] if groups else "."
            if _LEFT.fullmatch(between) or not between:
                groups[-1].append(match)
            else:
                groups.append([match])
        for group in groups:
            start, end = self._line(group[0].start(), group[0].start())
            label = _LEFT.sub(" ", outside[start : group[0].start()]).strip()
            if not label:
                above = outside[:start].rstrip()
                start, end = above.rfind("\n") + 1, len(above)
                label = _LEFT.sub(" ", outside[start:end]).strip()
            else:
                end = group[0].start()
            ticked = [each for each in group if each["mark"] == "x" and each["option"].strip()]
            text = ", ".join(each["option"].strip() for each in ticked)
            if not text or not label or len(label) > _LONGEST_CELL:
                continue
            first = ticked[0]
            cell = EntryCell(label, text, first.start(), ticked[-1].end())
            named = self._part(*self._trimmed(start, end))
            options = [self._part(*self._trimmed(each.start(), each.end())) for each in ticked]
            heads = (named, *options[:-1])
            yield RowEntry(options[-1], (cell,), -1, heads)

    def _pairs(self, outside: str) -> Iterator[RowEntry]:
        for pair in find_pairs(outside):
            text = outside[pair.start : pair.end].strip()
            is_time = not _GAP.search(outside, pair.key_end, pair.start)
            if pair.is_below or is_time or not text or _TICK.search(text) or len(text) > _LONGEST_CELL:
                continue
            name = " ".join(outside[pair.key_start : pair.key_end].split())
            cell = EntryCell(name, text, pair.start, pair.end)
            yield self._entry(pair.key_start, pair.end, (cell,), -1, ())

    def _entry(
        self, start: int, end: int, cells: tuple[EntryCell, ...], table: int, heads: tuple[Span, ...]
    ) -> RowEntry:
        return RowEntry(self._part(*self._trimmed(start, end)), cells, table, heads)

    def _line(self, start: int, end: int) -> tuple[int, int]:
        """From the begin of a line to the end of one, without blanks around."""
        last = self.text.find("\n", end)
        return self._trimmed(self.text.rfind("\n", 0, start) + 1, last if last >= 0 else len(self.text))

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        own = self.page.text[start:end]
        return start + len(own) - len(own.lstrip()), start + len(own.rstrip())

    def _part(self, start: int, end: int) -> Span:
        return self.span.part(self.page.text, start, end)
