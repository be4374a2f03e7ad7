"""DOCX: paragraphs and tables in reading order, a page for every explicit page break."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from core.domain.document import LinkKind, Page, ParsedDocument
from core.ingest.clean import language_of, normalise
from core.ingest.parse import formats
from core.ingest.parse.base import Budget, PageBuilder, ParseLimits, title_from_source
from core.ingest.parse.text import is_pdf
from core.ingest.parse.zips import check_zip
from core.text.headings import clean_title, first_title, level_of, tells_apart

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_A_BLIP = "{http://schemas.openxmlformats.org/drawingml/2006/main}blip"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
# Deleted text and field codes are not what a reader sees; a fallback repeats the drawing before it.
_SKIPPED = frozenset(
    {f"{_W}del", f"{_W}moveFrom", f"{_W}instrText", f"{_W}delText", f"{_W}rPr", f"{_W}pPr", _FALLBACK}
)
_PAGE_BREAK = "\f"
_HEADING_STYLE = re.compile(r"heading\s*(\d)", re.IGNORECASE)


def parse_docx(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """The document's body; deleted and hidden text is left out, inserted text is in."""
    import docx

    check_zip(path, source, limits)
    document = docx.Document(str(path))
    reader = _Reader(document, Budget(source, limits))
    pages, links = reader.read()
    first = next((page for page in pages if page.text.strip()), None)
    title = clean_title(normalise(document.core_properties.title or ""))
    if not tells_apart(title) or title.lower() == "word document":
        title = reader.title or (first_title(first.text, first.headings) if first else "")
    return ParsedDocument(
        title=title or title_from_source(source),
        media_type=formats.DOCX.media_type,
        pages=pages,
        language=language_of(pages),
        links=links,
        metadata=_metadata(document),
        unreadable_reason=""
        if first
        else "It holds no text. If it is a scan, add a copy with a text layer (OCR).",
    )


def _metadata(document: Any) -> dict[str, str]:
    properties = document.core_properties
    found = {"author": properties.author, "subject": properties.subject, "keywords": properties.keywords}
    return {key: normalise(value)[:500] for key, value in found.items() if value}


class _Reader:
    def __init__(self, document: Any, budget: Budget) -> None:
        self._document = document
        self._budget = budget
        self._styles = _heading_levels(document)
        self._relations = document.part.rels
        self._builders = [PageBuilder(1)]
        self.title = ""

    def read(self) -> tuple[tuple[Page, ...], tuple[Any, ...]]:
        for block in _blocks(self._document.element.body):
            if block.tag == f"{_W}p":
                self._paragraph(block)
            else:
                self._table(block)
        if len(self._builders) > 1 and self._builders[-1].is_empty:
            self._builders.pop()
        pages = tuple(builder.build() for builder in self._builders)
        return pages, tuple(link for builder in self._builders for link in builder.links)

    def _paragraph(self, paragraph: Any) -> None:
        properties = paragraph.find(f"{_W}pPr")
        style, is_list, breaks = "", False, False
        if properties is not None:
            named = properties.find(f"{_W}pStyle")
            style = named.get(f"{_W}val", "") if named is not None else ""
            is_list = properties.find(f"{_W}numPr") is not None
            breaks = properties.find(f"{_W}pageBreakBefore") is not None
        if breaks and not self._builders[-1].is_empty:
            self._new_page()
        for number, text in enumerate(self._text(paragraph).split(_PAGE_BREAK)):
            if number:
                self._new_page()
            self._add(text, style, is_list)

    def _add(self, text: str, style: str, is_list: bool) -> None:
        stripped = text.strip()
        if not stripped:
            return
        self._budget.spend(len(text))
        level = self._styles.get(style, 0) or (0 if is_list else level_of(stripped))
        if style.lower() == "title" and not self.title:
            self.title = clean_title(stripped)
        bullet = "- " if is_list and not level else ""
        self._builders[-1].add_block(bullet + stripped, level=level, gap=1 if bullet else 2)

    def _table(self, table: Any) -> None:
        above: list[str] = []
        for number, row in enumerate(table.iter(f"{_W}tr")):
            cells: list[str] = []
            for cell in _cells(row):
                text = " ".join(self._text(cell).replace(_PAGE_BREAK, " ").split())
                if not text and _goes_on_from_above(cell) and len(cells) < len(above):
                    text = above[len(cells)]
                cells += [text, *[""] * (_columns_of(cell) - 1)]
            above = cells
            line = " | ".join(cells).rstrip(" |")
            if line.strip(" |"):
                self._budget.spend(len(line))
                self._builders[-1].add_block(line, gap=1 if number else 2)

    def _new_page(self) -> None:
        self._budget.spend(0, pages=1)
        self._builders.append(PageBuilder(len(self._builders) + 1))

    def _text(self, element: Any) -> str:
        pieces: list[str] = []
        for node in _visible(element):
            tag = node.tag
            if tag == f"{_W}t":
                pieces.append(node.text or "")
            elif tag == f"{_W}tab":
                pieces.append("\t")
            elif tag in (f"{_W}br", f"{_W}cr"):
                pieces.append(_PAGE_BREAK if node.get(f"{_W}type") == "page" else "\n")
            elif tag == f"{_W}noBreakHyphen":
                pieces.append("-")
            elif tag == f"{_W}p" and pieces and node is not element:
                pieces.append(" ")
            elif tag == _A_BLIP:
                self._link("image", node.get(f"{_R}embed") or node.get(f"{_R}link") or "")
            elif tag == f"{_W}hyperlink":
                self._link("pdf", node.get(f"{_R}id") or "")
        return "".join(pieces)

    def _link(self, kind: LinkKind, relation: str) -> None:
        found = self._relations.get(relation)
        if found is None:
            return
        target = str(found.target_ref)
        if kind == "image":
            self._builders[-1].add_link("image", target if found.is_external else PurePosixPath(target).name)
        elif is_pdf(target):
            self._builders[-1].add_link("pdf", target)


def _blocks(body: Any) -> Iterator[Any]:
    """Paragraphs and tables in reading order, those within content controls included."""
    stack = [iter(body)]
    while stack:
        for child in stack[-1]:
            if child.tag in (f"{_W}p", f"{_W}tbl"):
                yield child
            elif child.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}customXml", f"{_W}ins", f"{_W}smartTag"):
                stack.append(iter(child))
                break
        else:
            stack.pop()


def _cells(row: Any) -> Iterator[Any]:
    for child in row.iter(f"{_W}tc"):
        # A nested table's rows come by themselves, after the row that holds it.
        if next(child.iterancestors(f"{_W}tr"), None) is row and child.find(f"{_W}tbl") is None:
            yield child


def _columns_of(cell: Any) -> int:
    """Number of columns that a cell spans."""
    said = cell.find(f"{_W}tcPr/{_W}gridSpan")
    value = said.get(f"{_W}val", "1") if said is not None else "1"
    return min(max(1, int(value)), 100) if value.isdigit() else 1


def _goes_on_from_above(cell: Any) -> bool:
    """True of the lower part of a cell that reaches over several rows."""
    merge = cell.find(f"{_W}tcPr/{_W}vMerge")
    return merge is not None and merge.get(f"{_W}val", "continue") == "continue"


def _visible(element: Any) -> Iterator[Any]:
    stack = [element]
    while stack:
        node = stack.pop()
        if node.tag in _SKIPPED or (node.tag == f"{_W}r" and _is_hidden(node)):
            continue
        yield node
        stack.extend(reversed(node))


def _is_hidden(run: Any) -> bool:
    vanish = run.find(f"{_W}rPr/{_W}vanish")
    return vanish is not None and vanish.get(f"{_W}val", "1") not in ("0", "false", "off")


def _heading_levels(document: Any) -> dict[str, int]:
    levels: dict[str, int] = {}
    for style in document.styles:
        name = str(style.name or "")
        match = _HEADING_STYLE.match(name)
        if match:
            levels[style.style_id] = int(match[1])
        elif name.lower() == "title":
            levels[style.style_id] = 1
    return levels
