"""PDF: text, headings and links page by page, so that memory does not grow with the file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.domain.document import (
    PAGES_WITHOUT_TEXT,
    FilePart,
    Heading,
    Link,
    Page,
    PageSize,
    ParsedDocument,
    PartState,
)
from core.errors import InputError
from core.ingest.clean import language_of
from core.ingest.parse import formats
from core.ingest.parse.base import Budget, ParseLimits, PartTally, first_of, title_from_source
from core.ingest.parse.text import is_pdf
from core.ingest.pdf.page_text import PlacedText, read_page_text
from core.ingest.pdfium.base import Bounds, OutlineItem, PdfDamagedError, PdfLockedError
from core.ingest.pdfium.document import PdfFile
from core.ingest.pdfium.page import PdfPage
from core.text.headings import MAX_CHARS, clean_title, find_headings, first_title, tells_apart

LOCKED = "It needs a password. Save a copy without one and add that."
_SCANNED = "They are images; text recognition reads them where it is installed."
NO_TEXT = (
    "No page holds text: it is probably a scan. Text recognition reads it where it is installed "
    "(pip install -e '.[ocr]'); or add a copy with a text layer."
)
_LARGER = 1.15  # a heading's size against the body's
_IMAGE_AREA = 0.02
_SILENT_AREA = 0.05  # smaller images are logos and icons
_LEAST_LETTERS = 5
_MOST_NAMED = 12  # pages that a part names
_MAX_IMAGES = 20
_MAX_LINKS = 200
_LETTER = re.compile(r"[^\W\d_]{2}")
_NAME = re.compile(r"[^\W\d_]{4,}")
_BAD_TITLE = re.compile(
    r"^(?:untitled.*|document\d*|title|slide \d+|\(?anonymous\)?|none|null|unknown"
    r"|.*\.(?:docx?|xlsx?|pptx?|pdf|indd|tex"
    r"|dvi|html?|rtf|wpd|qxd|txt|p65|fm|ai|cdr|tif+|jpe?g|png))$",
    re.IGNORECASE,
)
_TITLE_PREFIX = re.compile(r"^microsoft (?:word|powerpoint|excel) - ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    size: float


_Lines = tuple[_Line, ...]


_Read = tuple[Page, _Lines]


def parse_pdf(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """The PDF's pages; one that needs a password or holds no text comes back unreadable, with the reason."""
    try:
        with PdfFile(path) as file:
            return _parse(file, path, source, limits)
    except PdfLockedError:
        return _unreadable(source, LOCKED)
    except PdfDamagedError as error:
        # Imported late: most files never need it.
        from core.ingest.pdf.pypdf_file import is_locked, rescue_pages

        if is_locked(path):
            return _unreadable(source, LOCKED)
        budget = Budget(source, limits)
        pages = rescue_pages(path, lambda chars, pages: budget.spend(chars, pages=pages))
        if not any(page.text.strip() for page in pages):
            raise InputError(
                "It is damaged: the PDF is cut short or its structure is broken.",
                source=source,
                next_step="Copy or download it again, or print it to a new PDF.",
            ) from error
        return _document([(page, ()) for page in pages], (), {}, [], source)


def _parse(file: PdfFile, path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    budget = Budget(source, limits)
    budget.spend(0, pages=file.page_count)
    joins = file.joins_hyphens
    read: list[_Read] = []
    links: list[Link] = []
    tally, pinned = PartTally(_MOST_NAMED, "page"), list[str]()
    damaged = 0
    for number in range(1, file.page_count + 1):
        try:
            with file.page(number) as page:
                budget.spend(page.char_count())
                text = read_page_text(file, page, number, joins_hyphens=joins)
                budget.spend(max(0, len(text.stored.text) - page.char_count()))
                read.append(_read_page(page, text, number, file.label(number)))
                for (kind, state, reason), count in text.parts.items():
                    tally.add(kind, state, reason, count, str(number))
                pinned += text.files
                links += _links(page, number, text, tally)
        except PdfDamagedError:
            damaged += 1
            read.append((Page(number, ""), ()))
            tally.unread("damaged pages", "They cannot be opened.", str(number))
    metadata = file.metadata()
    if damaged:
        metadata["damaged_pages"] = str(damaged)
    tally.left_out("scripts", "They are never run.", file.script_count)
    files = tuple(_attached(list(dict.fromkeys(file.attachment_names() + pinned)), path))
    parts = sorted(tally.parts(), key=lambda part: not part.is_gap)  # what was not read first
    return replace(_document(read, links, metadata, file.outline(), source), parts=(*parts, *files))


def _attached(names: Sequence[str], path: Path) -> Iterable[FilePart]:
    """Files within the file, which intake opens as documents of their own."""
    from core.ingest.pdf.pypdf_file import may_embed_files

    if names:
        is_open = may_embed_files(path)
        state, reason = (PartState.READ, "") if is_open else (PartState.UNREAD, "They cannot be unpacked.")
        yield FilePart("attached files", state, len(names), first_of(names, _MOST_NAMED), reason)


def _read_page(page: PdfPage, text: PlacedText, number: int, label: str) -> _Read:
    read = Page(number, text.stored.text, label=label, size=PageSize(*page.size))
    return read, tuple(_lines(page, text))


def _lines(page: PdfPage, text: PlacedText) -> Iterable[_Line]:
    """The page's lines of text with the size that each begins in."""
    position = 0
    for line in text.stored.text.split("\n"):
        stripped = line.strip()
        if stripped:
            start = position + line.index(stripped[0])
            place = text.character(start)
            yield _Line(start, start + len(stripped), page.font_size(place) if place >= 0 else 0.0)
        position += len(line) + 1


def _links(page: PdfPage, number: int, text: PlacedText, tally: PartTally) -> list[Link]:
    places = page.images(_IMAGE_AREA, _MAX_IMAGES)
    if places and not text.stored.text.strip():
        tally.unread(PAGES_WITHOUT_TEXT, _SCANNED, str(number))
    elif silent := _silent(page, places):
        reason = "Words in images are not read on pages that have other text."
        tally.add("images without text", PartState.UNREAD, reason, silent, str(number))
    images = [Link("image", f"page {number}, image {i + 1}", number) for i in range(len(places))]
    addresses = dict.fromkeys(address for address in page.link_addresses(_MAX_LINKS) if is_pdf(address))
    return images + [Link("pdf", address, number) for address in addresses]


def _silent(page: PdfPage, images: Sequence[Bounds]) -> int:
    """Number of large images without words above them: those are backgrounds, or scans that were read."""
    width, height = page.size
    least = _SILENT_AREA * width * height
    large = [each for each in images if (each.x1 - each.x0) * each.height >= least]
    return sum(not page.has_text_in(each, _LEAST_LETTERS) for each in large)


def _document(
    read: Sequence[_Read],
    links: Sequence[Link],
    metadata: dict[str, str],
    outline: Sequence[OutlineItem],
    source: str,
) -> ParsedDocument:
    body = _body_size(read)
    running = _running_lines(read)
    marks: dict[int, list[OutlineItem]] = {}
    for item in outline:
        marks.setdefault(item.page_no, []).append(item)
    sizes = _heading_sizes(read, body)
    pages = tuple(
        replace(page, headings=_headings(page, lines, body, sizes, running, marks.get(page.page_no, ())))
        for page, lines in read
    )
    first = next((page for page in pages if page.text.strip()), None)
    return ParsedDocument(
        title=_title(metadata.get("Title", ""), read, first, body, source) or title_from_source(source),
        media_type=formats.PDF.media_type,
        pages=pages,
        language=language_of(pages),
        links=tuple(links),
        metadata={key.lower(): " ".join(value.split())[:500] for key, value in metadata.items()},
        unreadable_reason="" if first else NO_TEXT,
    )


def _body_size(read: Sequence[_Read]) -> float:
    weights: Counter[float] = Counter()
    for _, lines in read:
        for line in lines:
            weights[line.size] += line.end - line.start
    return weights.most_common(1)[0][0] if weights else 0.0


def _running_lines(read: Sequence[_Read]) -> frozenset[str]:
    """Lines that stand at the top or bottom of many pages: not headings, whatever their size."""
    seen: Counter[str] = Counter()
    for page, lines in read:
        ends = lines[:2] + lines[-2:]
        seen.update({_mask(page.text[line.start : line.end]) for line in ends})
    least = max(3, len(read) // 4)
    return frozenset(text for text, count in seen.items() if count >= least)


def _mask(text: str) -> str:
    return re.sub(r"\d+", "0", text)


def _heading_sizes(read: Sequence[_Read], body: float) -> list[float]:
    """The sizes of headings, largest first: those of short lines clearly above the body's."""
    counts: Counter[float] = Counter()
    for _, lines in read:
        counts.update(line.size for line in lines if body and line.size >= _LARGER * body)
    return sorted(counts, reverse=True)


def _headings(
    page: Page,
    lines: _Lines,
    body: float,
    sizes: Sequence[float],
    running: frozenset[str],
    marks: Sequence[OutlineItem],
) -> tuple[Heading, ...]:
    text = page.text
    found: dict[int, Heading] = {}
    patterned = {heading.start: heading for heading in find_headings(text)}
    titles = {_squash(mark.title): mark for mark in marks if mark.title.strip()}
    for line in lines:
        words = text[line.start : line.end]
        if len(words) > MAX_CHARS or _mask(words) in running or not _LETTER.search(words):
            continue
        mark = titles.get(_squash(words))
        if mark is not None:
            found[line.start] = Heading(mark.level, line.start, line.end, words)
        elif line.size in sizes and len(words.split()) <= 20 and not words.endswith((",", ";")):
            found[line.start] = Heading(min(6, 1 + sizes.index(line.size)), line.start, line.end, words)
        elif line.start in patterned and (not body or line.size >= 0.95 * body):
            heading = patterned[line.start]
            found[line.start] = replace(heading, level=heading.level + min(3, len(sizes)))
    if not lines:
        return tuple(patterned.values())
    return _join_broken([found[start] for start in sorted(found)], text)


def _join_broken(headings: Sequence[Heading], text: str) -> tuple[Heading, ...]:
    """Headings of one level on lines that follow directly are one heading that was too long for its line."""
    joined: list[Heading] = []
    for heading in headings:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.level == heading.level
            and not text[last.end : heading.start].strip()
            and text.count("\n", last.end, heading.start) == 1
            and heading.end - last.start <= MAX_CHARS
            and not heading.text[0].isdigit()
        ):
            joined[-1] = Heading(last.level, last.start, heading.end, f"{last.text} {heading.text}")
        else:
            joined.append(heading)
    return tuple(joined)


def _title(named: str, read: Sequence[_Read], first: Page | None, body: float, source: str) -> str:
    """The title that the file states; else what stands large or first, unless the file's name says more.

    The largest line of a form ("UNITED STATES SECURITIES AND EXCHANGE COMMISSION") is no title: where its
    first page speaks of what the file is named after and the line does not, the file's name is.
    """
    title = clean_title(_TITLE_PREFIX.sub("", " ".join(named.split())))
    if len(title) >= 4 and tells_apart(title) and not _BAD_TITLE.match(title) and "\ufffd" not in title:
        return title
    if first is None:
        return ""
    guess = _shown_title(read, first, body)
    words = [word.lower() for word in _NAME.findall(title_from_source(source))]
    if any(word in _squash(guess) for word in words):
        return guess
    return "" if any(word in _squash(first.text) for word in words) else guess


def _shown_title(read: Sequence[_Read], first: Page, body: float) -> str:
    lines = next(lines for page, lines in read if page.page_no == first.page_no)
    largest = max((line.size for line in lines[:12]), default=0.0)
    if body and largest >= 1.3 * body:
        big = [first.text[line.start : line.end] for line in lines[:12] if line.size == largest][:3]
        joined = clean_title(" ".join(big))
        if len(joined) <= 150:
            return joined if tells_apart(joined) else ""
    return first_title(first.text, first.headings)


def _squash(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def _unreadable(source: str, reason: str) -> ParsedDocument:
    return ParsedDocument(
        title=title_from_source(source),
        media_type=formats.PDF.media_type,
        pages=(),
        unreadable_reason=reason,
    )
