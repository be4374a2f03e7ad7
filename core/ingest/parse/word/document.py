"""Word files: paragraphs and tables in reading order, a page for every explicit page break."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, cast

from core.domain.document import Link, LinkKind, Page, ParsedDocument
from core.errors import InputError
from core.ingest.clean import language_of, normalise
from core.ingest.parse import formats
from core.ingest.parse.base import Budget, PageBuilder, ParseLimits, PartTally, title_from_source
from core.ingest.parse.formats import FileKind, sniff
from core.ingest.parse.office import DamagedPartError, OfficePackage
from core.ingest.parse.text import is_pdf
from core.ingest.parse.word.drawings import chart_rows, diagram_lines
from core.ingest.parse.word.elements import R, W, blocks, switch, value
from core.ingest.parse.word.notes import NoteMark, Notes
from core.ingest.parse.word.numbering import ListLabel, ListNumbering, ListPlace
from core.ingest.parse.word.runs import PAGE_BREAK, Inline, RunReader
from core.ingest.parse.word.styles import Styles, outline_level
from core.ingest.parse.word.tables import WordRow, rows_of
from core.ingest.parse.zips import check_zip
from core.text.headings import clean_title, first_title, level_of, tells_apart
from core.text.marks import MarkKind, mark

_USUAL_MAIN = "word/document.xml"
_DAMAGED = "The part of the file that holds them is missing or damaged."
_LOST_NUMBERS = "Nothing in the file says how these numbers show."
_MOST_DEPTH = 3
_MOST_CHUNKS = 200
_LONG_NOTE = 200  # characters; longer ones are written once
_PLURALS = {"numbering": "automatic numbers", "settings": "settings"}
_FACTS = {"creator": "author", "subject": "subject", "keywords": "keywords"}
_KINDS_OF_MARGINS = ("first", "default", "even")


def parse_docx(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """The document's body; deleted and hidden text is left out, inserted text is in.

    What is no plain text of it stands as `core.text.marks` has it: headers at the start, notes and comments
    behind their paragraph, endnotes and footers at the end.
    """
    check_zip(path, source, limits)
    with zipfile.ZipFile(path) as archive:
        package = OfficePackage(archive, _USUAL_MAIN)
        reader = _Reader(package, Budget(source, limits), limits)
        pages, links = reader.read()
        facts = package.properties()
    first = next((page for page in pages if page.text.strip()), None)
    title = clean_title(normalise(facts.get("title", "")))
    if not tells_apart(title) or title.lower() == "word document":
        title = reader.title or (first_title(first.text, first.headings) if first else "")
    return ParsedDocument(
        title=title or title_from_source(source),
        media_type=formats.DOCX.media_type,
        pages=pages,
        language=language_of(pages),
        links=links,
        metadata={
            name: text[:500] for key, name in _FACTS.items() if (text := normalise(facts.get(key, "")))
        },
        unreadable_reason=""
        if first
        else "It holds no text. If it is a scan, add a copy with a text layer (OCR).",
        parts=reader.tally.parts(),
    )


class _Reader:
    """Reads one Word file into pages. within: the reader of the file that this one is a chunk of."""

    def __init__(
        self, package: OfficePackage, budget: Budget, limits: ParseLimits, within: _Reader | None = None
    ) -> None:
        self._package, self._budget, self._limits = package, budget, limits
        self.tally: PartTally = within.tally if within else PartTally()
        self._builders: list[PageBuilder] = within._builders if within else [PageBuilder(1)]
        self._depth: int = within._depth + 1 if within else 0
        self._chunks: set[bytes] = within._chunks if within else set()
        self._written: set[NoteMark] = set()
        self._relations = package.relations(package.main)
        self._body = package.root(package.main)
        self._styles = Styles(self._optional("styles"))
        self._sections = [
            each for each in self._body.iter(f"{W}sectPr") if each.getparent().tag != f"{W}sectPrChange"
        ]
        self._settings = self._optional("settings")
        self._notes = Notes(self._optional, self._settings, self._sections)
        self._runs = RunReader(self._styles, self._notes, self.tally)
        self._numbering = ListNumbering(self._optional("numbering"), self._styles)
        self._carried = ""
        self._endnotes: list[NoteMark] = []
        self._pending: list[NoteMark] = []
        self._is_within_table = False
        self.title = ""

    def read(self) -> tuple[tuple[Page, ...], tuple[Link, ...]]:
        """Pages and links of the whole file."""
        self._margins("header")
        self.read_body()
        self._margins("footer")
        if self._package.names(str(PurePosixPath(self._package.main).parent).lower() + "/glossary/document"):
            self.tally.left_out("building blocks", "They are kept in the file for later use and do not show.")
        if len(self._builders) > 1 and self._builders[-1].is_empty:
            self._builders.pop()
        pages = tuple(builder.build() for builder in self._builders)
        return pages, tuple(link for builder in self._builders for link in builder.links)

    def read_body(self) -> None:
        """The body with its notes, behind what was read before."""
        self._blocks(self._body)
        self._add(self._carried, "")
        self._say_notes(self._endnotes)
        for form in sorted(self._numbering.unknown):
            self.tally.unread("automatic numbers", "They stand in digits, not in the form that shows.", form)

    def _optional(self, kind: str) -> Any:
        name = self._package.related(kind)
        try:
            return self._package.root(name) if name else None
        except DamagedPartError:
            self.tally.unread(_PLURALS.get(kind, kind), _DAMAGED)
            return None

    # Blocks

    def _blocks(self, element: Any) -> None:
        found = list(blocks(element))
        places = [self._place(each) for each in found]
        for at, block in enumerate(found):
            is_inner = self._is_within_table
            try:
                if block.tag == f"{W}p":
                    beside = {places[at - 1] if at else None, places[at + 1] if at + 1 < len(found) else None}
                    self._paragraph(block, places[at], is_alone=places[at] not in beside)
                elif block.tag == f"{W}tbl":
                    self._table(block)
                else:
                    self._chunk(block)
            except RecursionError:
                self._is_within_table = is_inner
                self.tally.unread("tables and texts", "They are nested too deep.")

    def _place(self, block: Any) -> ListPlace | None:
        if block.tag != f"{W}p":
            return None
        properties = block.find(f"{W}pPr")
        return self._numbering.place(properties, value(properties, "pStyle"))

    def _paragraph(self, paragraph: Any, place: ListPlace | None, *, is_alone: bool) -> None:
        properties = paragraph.find(f"{W}pPr")
        style = value(properties, "pStyle") or self._styles.default
        if switch(properties, "pageBreakBefore") and not self._builders[-1].is_empty:
            self._new_page()
        inline = self._runs.read(paragraph)
        text, self._carried = self._carried + inline.text, ""
        if self._ends_deleted(properties):
            self._carried = text  # its end is deleted: the next paragraph goes on with it
        else:
            label = self._label(place, properties, text)
            self._links(inline)
            level = outline_level(properties)
            self._add(text, style, label, level, is_alone=is_alone)
        self._behind(inline)
        if properties is not None and properties.find(f"{W}sectPr") is not None:
            self._notes.end_section()

    def _label(self, place: ListPlace | None, properties: Any, text: str) -> ListLabel | None:
        """The paragraph's number; a hidden paragraph has none and is not counted."""
        if place is None or (not text.strip() and _is_hidden(properties)):
            return None
        label = self._numbering.label(place)
        if label is None and text.strip() and self._numbering.is_missing:
            self.tally.unread("automatic numbers", _LOST_NUMBERS)
        elif label is not None and text.strip() and not label.is_bullet:
            self.tally.read("automatic numbers")
        return label

    def _ends_deleted(self, properties: Any) -> bool:
        marks = properties.find(f"{W}rPr") if properties is not None else None
        return marks is not None and any(marks.find(W + name) is not None for name in ("del", "moveFrom"))

    def _add(
        self,
        text: str,
        style: str,
        label: ListLabel | None = None,
        outline: int | None = None,
        *,
        is_alone: bool = True,
    ) -> None:
        for at, piece in enumerate(text.split(PAGE_BREAK)):
            if at:
                self._new_page()
            stripped = piece.strip()
            if not stripped:
                continue
            if self._styles.is_title(style) and not self.title:
                self.title = clean_title(stripped)
            gap = 2
            level = self._styles.level(style) if outline is None else outline
            if label is not None:
                stripped, gap = label.before(stripped), 2 if any(map(str.isdigit, label.text)) or level else 1
            if not level and (label is None or (is_alone and not label.is_bullet)):
                level = level_of(stripped)
            self._budget.spend(len(stripped))
            self._builders[-1].add_block(stripped, level=level, gap=2 if level else gap)
            label = None

    def _behind(self, inline: Inline) -> None:
        """What hangs on a paragraph: notes and comments, then boxes and drawings."""
        if self._is_within_table:
            self._pending += inline.notes
        else:
            self._say_notes(self._later(inline.notes))
        for caption in inline.captions:
            self._line(caption, 2)
        for box in inline.boxes:
            self.tally.read("text boxes")
            self._blocks(box)
        for kind, relation in inline.drawings:
            self._drawing(kind, relation)

    def _later(self, notes: Iterable[NoteMark]) -> list[NoteMark]:
        """Those that stand here; endnotes wait for the end."""
        here = [each for each in notes if each.kind != "endnote"]
        self._endnotes += [each for each in notes if each.kind == "endnote"]
        return here

    def _say_notes(self, notes: Iterable[NoteMark]) -> None:
        for each in notes:
            element = self._notes.element(each.kind, each.note_id)
            if element is None:
                if each.kind != "comment":
                    self.tally.unread(f"{each.kind}s", _DAMAGED)
                continue
            of = f"by {element.get(f'{W}author') or 'unknown'}" if each.kind == "comment" else each.label
            self.tally.read(f"{each.kind}s")
            written = replace(each, label="")
            words = "as before" if written in self._written else self._flat(element)
            if len(words) > _LONG_NOTE:
                self._written.add(written)
            self._line(mark(cast(MarkKind, each.kind), words, of), 1)

    def _line(self, text: str, gap: int) -> None:
        self._budget.spend(len(text))
        self._builders[-1].add_block(text, gap=gap)

    def _new_page(self) -> None:
        self._budget.spend(0, pages=1)
        self._builders.append(PageBuilder(len(self._builders) + 1))

    # Tables, and whatever stands in one line

    def _table(self, table: Any) -> None:
        rows = rows_of(table, self.tally)
        if _is_frame(rows):
            for row in rows:
                self._blocks(row.cells[0].element)
            return
        is_outer, self._is_within_table = not self._is_within_table, True
        above: list[str] = []
        goes_on = False
        for row in rows:
            above, inner = self._cells(row, above)
            line = " | ".join(above).rstrip(" |")
            if line.strip(" |"):
                self._line(line, 1 if goes_on else 2)
                goes_on = True
            for nested in inner:
                self._table(nested)
                goes_on = False
        if is_outer:
            self._is_within_table = False
            pending, self._pending = self._pending, []
            self._say_notes(self._later(pending))

    def _cells(self, row: WordRow, above: list[str]) -> tuple[list[str], list[Any]]:
        """A row's cells as text, and what stands in them that is no text of one line."""
        cells = [""] * row.offset
        inner: list[Any] = []
        for cell in row.cells:
            found: list[Inline] = []
            text = " ".join(self._flat(cell.element, found, nested=inner).replace(PAGE_BREAK, " ").split())
            if not text and cell.goes_on and len(cells) < len(above):
                text = above[len(cells)]
            cells += [text, *[""] * (cell.columns - 1)]
            for inline in found:
                self._pending += inline.notes
                self._links(inline)
                for kind, relation in inline.drawings:
                    self._drawing(kind, relation)
        return cells, inner

    def _flat(
        self,
        element: Any,
        found: list[Inline] | None = None,
        *,
        nested: list[Any] | None = None,
        is_margin: bool = False,
    ) -> str:
        """All words within in one line. found: gets what was read; nested: gets tables, unread."""
        pieces: list[str] = []
        for block in blocks(element):
            if block.tag == f"{W}tbl" and nested is not None:
                nested.append(block)
            elif block.tag == f"{W}tbl":
                rows = (
                    " | ".join(self._flat(cell.element) for cell in row.cells)
                    for row in rows_of(block, self.tally)
                )
                pieces += [row for row in rows if row.strip(" |")]
            elif block.tag == f"{W}p":
                pieces.append(self._flat_paragraph(block, found, is_margin))
        between = " | " if is_margin else " "
        return between.join(piece for piece in pieces if piece.strip())

    def _flat_paragraph(self, paragraph: Any, found: list[Inline] | None, is_margin: bool) -> str:
        properties = paragraph.find(f"{W}pPr")
        inline = self._runs.read(paragraph, is_margin=is_margin)
        if found is not None:
            found.append(inline)
        text = inline.text.strip()
        label = self._label(self._place(paragraph), properties, text)
        if label is not None:
            text = label.before(text)
        self.tally.read("text boxes", len(inline.boxes))
        return " ".join([text, *inline.captions, *(self._flat(box, found) for box in inline.boxes)])

    # Parts beside the body

    def _margins(self, kind: MarkKind) -> None:
        """Each distinct header or footer that shows, once."""
        seen: set[str] = set()
        is_even = bool(switch(self._settings, "evenAndOddHeaders"))
        for section in self._sections:
            shows = {"default": True, "first": bool(switch(section, "titlePg")), "even": is_even}
            found = {
                each.get(f"{W}type", "default"): each for each in section.iterfind(f"{W}{kind}Reference")
            }
            for which in _KINDS_OF_MARGINS:
                relation = self._relations.get(found[which].get(f"{R}id", "")) if which in found else None
                if relation is None or not shows[which] or relation.target in seen:
                    continue
                seen.add(relation.target)
                text = self._margin(kind, relation.target)
                if text and text not in seen:
                    seen.add(text)
                    self.tally.read(f"{kind}s")
                    self._line(text, 1 if kind == "header" else 2)

    def _margin(self, kind: MarkKind, part: str) -> str:
        try:
            said = self._flat(self._package.root(part), is_margin=True)
        except (DamagedPartError, RecursionError):
            self.tally.unread(f"{kind}s", _DAMAGED)
            return ""
        return mark(kind, said) if any(map(str.isalnum, said)) else ""

    def _drawing(self, kind: str, relation: str) -> None:
        try:
            root = self._package.root(self._target(relation))
        except DamagedPartError:
            self.tally.unread(f"{kind}s", _DAMAGED)
            return
        if kind == "diagram":
            lines = diagram_lines(root)
        elif kind == "chart":
            title, rows = chart_rows(root)
            lines = [line for line in (title, *(" | ".join(row) for row in rows)) if line]
        else:
            self.tally.unread("charts", "Charts of this kind are not read.")
            return
        self.tally.read(f"{kind}s", 1)
        for at, line in enumerate(lines):
            self._line(line, 1 if at else 2)

    def _chunk(self, block: Any) -> None:
        """Another file that Word shows as a part of this one."""
        from core.ingest.parse.dispatch import parse_file

        kind = "files within the text"
        name = self._target(block.get(f"{R}id", ""))
        try:
            data = self._package.data(name)
            key = sha256(data).digest()
            if key in self._chunks:
                self.tally.left_out(kind, "They stand in the text already.")
                return
            if len(self._chunks) >= _MOST_CHUNKS:
                raise InputError("They are too many.", source=name, next_step="Save them as one file.")
            self._chunks.add(key)
            with TemporaryDirectory() as folder:
                path = Path(folder, "chunk")
                path.write_bytes(data)
                if sniff(path, name) != FileKind.DOCX:
                    self._pages(parse_file(path, name, self._limits))
                elif self._depth < _MOST_DEPTH:
                    check_zip(path, name, self._limits)
                    with zipfile.ZipFile(path) as archive:
                        package = OfficePackage(archive, _USUAL_MAIN)
                        _Reader(package, self._budget, self._limits, self).read_body()
                else:
                    raise InputError("It is nested too deep.", source=name, next_step="Save it as one file.")
        except DamagedPartError:
            self.tally.unread(kind, _DAMAGED, name)
        except InputError as error:
            self.tally.unread(kind, str(error), name)
        else:
            self.tally.read(kind)

    def _pages(self, parsed: ParsedDocument) -> None:
        if parsed.unreadable_reason:
            raise InputError(parsed.unreadable_reason, source=parsed.title)
        for part in parsed.parts:
            self.tally.add(part.kind, part.state, part.reason, part.count, part.place)
        for page in parsed.pages:
            levels = {heading.text: heading.level for heading in page.headings}
            for line in page.text.split("\n\n"):
                self._budget.spend(len(line))
                self._builders[-1].add_block(line, level=levels.get(" ".join(line.split()), 0))

    def _target(self, relation: str) -> str:
        found = self._relations.get(relation)
        return found.target if found is not None and not found.is_external else ""

    def _links(self, inline: Inline) -> None:
        kinds: list[tuple[LinkKind, str]] = [("image", each) for each in inline.images]
        for kind, relation in [*kinds, *(("pdf", each) for each in inline.links)]:
            found = self._relations.get(relation)
            if found is None:
                continue
            if kind == "image":
                target = found.target if found.is_external else PurePosixPath(found.target).name
                self._builders[-1].add_link("image", target)
            elif is_pdf(found.target):
                self._builders[-1].add_link("pdf", found.target)


def _is_frame(rows: list[WordRow]) -> bool:
    """True of a table of one column around paragraphs, as letters and forms have them."""
    is_single = all(len(row.cells) == 1 for row in rows)
    return is_single and any(len(list(blocks(row.cells[0].element))) > 1 for row in rows)


def _is_hidden(properties: Any) -> bool:
    return bool(switch(properties.find(f"{W}rPr"), "vanish")) if properties is not None else False
