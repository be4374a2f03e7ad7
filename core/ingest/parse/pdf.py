"""PDF: text, headings and links page by page, so that memory does not grow with the file."""

from __future__ import annotations

import logging
import re
import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.domain.document import Heading, Link, Page, PageSize, ParsedDocument
from core.errors import InputError
from core.ingest.clean import language_of, normalise
from core.ingest.parse import formats
from core.ingest.parse.base import Budget, ParseLimits, title_from_source
from core.ingest.parse.text import is_pdf
from core.ingest.pdfium import OutlineItem, PdfDamagedError, PdfFile, PdfLockedError, PdfPage
from core.text.headings import MAX_CHARS, clean_title, find_headings, first_title, tells_apart

LOCKED = "It needs a password. Save a copy without one and add that."
NO_TEXT = (
    "No page holds text: it is probably a scan. Text recognition reads it where it is installed "
    "(pip install -e '.[ocr]'); or add a copy with a text layer."
)
_LARGER = 1.15  # a heading's size against the body's
_IMAGE_AREA = 0.02
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
            return _parse(file, source, limits)
    except PdfLockedError:
        return _unreadable(source, LOCKED)
    except PdfDamagedError as error:
        # Imported late: most files never need it.
        from core.ingest.parse.pdf import is_locked, rescue_pages

        if is_locked(path):
            return _unreadable(source, LOCKED)
        pages = rescue_pages(path, source, limits)
        if not any(page.text.strip() for page in pages):
            raise InputError(
                "It is damaged: the PDF is cut short or its structure is broken.",
                source=source,
                next_step="Copy or download it again, or print it to a new PDF.",
            ) from error
        return _document([(page, ()) for page in pages], (), {}, [], source)


def _parse(file: PdfFile, source: str, limits: ParseLimits) -> ParsedDocument:
    budget = Budget(source, limits)
    budget.spend(0, pages=file.page_count)
    joins = file.joins_hyphens
    read: list[_Read] = []
    links: list[Link] = []
    damaged = 0
    for number in range(1, file.page_count + 1):
        try:
            with file.page(number) as page:
                budget.spend(page.char_count())
                read.append(_read_page(page, number, file.label(number), joins))
                links += _links(page, number)
        except PdfDamagedError:
            damaged += 1
            read.append((Page(number, ""), ()))
    metadata = file.metadata()
    if damaged:
        metadata["damaged_pages"] = str(damaged)
    return _document(read, links, metadata, file.outline(), source)


def _read_page(page: PdfPage, number: int, label: str, joins: bool) -> _Read:
    raw = page.raw_text()
    stored = store_text(raw, joins_hyphens=joins)
    places = page.char_places(raw) if not raw.isascii() else None
    read = Page(number, stored.text, label=label, size=PageSize(*page.size))
    return read, tuple(_lines(page, stored, places))


def _lines(page: PdfPage, stored: StoredText, places: Sequence[int] | None) -> Iterable[_Line]:
    """The page's lines of text with the size that each begins in."""
    position = 0
    for line in stored.text.split("\n"):
        stripped = line.strip()
        if stripped:
            start = position + line.index(stripped[0])
            index = stored.origins[start]
            place = places[index] if places is not None else index
            yield _Line(start, start + len(stripped), page.font_size(place) if place >= 0 else 0.0)
        position += len(line) + 1


def _links(page: PdfPage, number: int) -> list[Link]:
    images = [
        Link("image", f"page {number}, image {i + 1}", number)
        for i in range(page.image_count(_IMAGE_AREA, _MAX_IMAGES))
    ]
    addresses = dict.fromkeys(address for address in page.link_addresses(_MAX_LINKS) if is_pdf(address))
    return images + [Link("pdf", address, number) for address in addresses]


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


# PDFium writes U+FFFE where a line ends in a hyphen, be it a soft one or one of the word's own.
_LINE_HYPHEN = re.compile("(\\w*)[\ufffe\u0002](?:\r\n)?(\\w*)")


_SPECIAL = re.compile("\r\n?|[\ufffe\u0002](?:\r\n)?")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PREFIXES = _words(
    "non third long short self co pre post multi cross sub mid high low well anti semi ex re in on off out"
    " know one two four five six first second full part over under inter follow end real so point"
)


@dataclass(frozen=True, slots=True)
class StoredText:
    """A page's stored text; origins[i] is the index in the raw text that character i came from."""

    text: str
    origins: list[int]

    def raw_indices(self, start: int, end: int) -> list[int]:
        """The raw characters behind stored `[start, end)`, without those that only separate."""
        return [
            self.origins[i]
            for i in range(max(0, start), min(end, len(self.text)))
            if not self.text[i].isspace()
        ]


def store_text(raw: str, *, joins_hyphens: bool) -> StoredText:
    """The stored text of a page's raw text; equal inputs always give equal offsets.

    joins_hyphens: whether the file comes from a typesetter that hyphenates, so that a word broken at a line
    end is joined unless the page shows it with its hyphen.
    """
    pieces: list[str] = []
    origins: list[int] = []
    position = 0
    for match in _SPECIAL.finditer(raw):
        _append(pieces, origins, raw[position : match.start()], position)
        if match.group()[0] == "\r":
            pieces.append("\n")
            origins.append(match.start())
        elif not _is_joined(raw, match, joins_hyphens):
            pieces.append("-")
            origins.append(match.start())
        position = match.end()
    _append(pieces, origins, raw[position:], position)
    return StoredText("".join(pieces), origins)


def _append(pieces: list[str], origins: list[int], piece: str, start: int) -> None:
    clean = normalise(piece)
    if len(clean) == len(piece) and unicodedata.is_normalized("NFC", piece):
        pieces.append(clean)
        origins.extend(range(start, start + len(piece)))
        return
    for first, last in _clusters(piece):
        cluster = normalise(piece[first:last])
        pieces.append(cluster)
        origins.extend(start + min(first + i, last - 1) for i in range(len(cluster)))


def _clusters(piece: str) -> list[tuple[int, int]]:
    """Base characters with the marks and jamo that may compose with them."""
    spans: list[tuple[int, int]] = []
    first = 0
    for i in range(1, len(piece) + 1):
        if i == len(piece) or not _composes(piece[i]):
            spans.append((first, i))
            first = i
    return spans


def _composes(mark: str) -> bool:
    return (
        unicodedata.category(mark)[0] == "M"
        or "\u1100" <= mark <= "\u11ff"
        or unicodedata.combining(mark) > 0
    )


def _is_joined(raw: str, match: re.Match[str], joins_hyphens: bool) -> bool:
    around = _LINE_HYPHEN.search(raw, max(0, match.start() - 40), match.end() + 40)
    left, right = (around[1], around[2]) if around else ("", "")
    if not left or not right or not right.islower() or not left.isalpha():
        return False
    for word, answer in ((f"{left}-{right}", False), (f"{left}{right}", True)):
        if re.search(rf"\b{re.escape(word)}\b", raw, re.IGNORECASE):
            return answer
    return joins_hyphens and left.lower() not in _PREFIXES


def is_locked(path: Path) -> bool:
    """True where the file needs a password."""
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import DependencyError

    _be_quiet()
    try:
        reader = PdfReader(path, strict=False)
        return reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED
    except DependencyError:  # encrypted by a method that needs a library which is not installed
        return True
    except Exception:  # a broken file fails in any way; then it is damaged, not locked
        return False


def rescue_pages(path: Path, source: str, limits: ParseLimits) -> tuple[Page, ...]:
    """Whatever pages pypdf can still read; () where there are none."""
    from pypdf import PdfReader

    budget = Budget(source, limits)
    pages: list[Page] = []
    _be_quiet()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            reader = PdfReader(path, strict=False)
            count = len(reader.pages)
        except Exception:  # as above: nothing to rescue
            return ()
        budget.spend(0, pages=count)
        for number in range(count):
            try:
                text = normalise(reader.pages[number].extract_text())
            except Exception:  # one bad page must not lose the others
                text = ""
            budget.spend(len(text))
            pages.append(Page(number + 1, text))
    return tuple(pages)


def _be_quiet() -> None:
    # pypdf narrates every repair; the outcome is reported once, beside the file.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)
