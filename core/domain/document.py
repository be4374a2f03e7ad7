"""Documents, their versions and pages, as records store them."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path, PurePath
from typing import Literal

from core.domain.ids import ContentHash, DocumentId
from core.domain.span import Box
from core.errors import UsageError

PDF = "application/pdf"
"""The media type of the documents whose pages have images."""

HTML = "text/html"
"""The media type of web pages."""

MARKDOWN = "text/markdown"
"""The media type of Markdown files."""

PAGE_DETAILS = "Page details"
"""Label of the page with the facts that a web page declares about itself; it is never a passage."""

PAGES_WITHOUT_TEXT = "pages without text"
"""Kind of the part of pages that are images, as long as their words were not read."""

LinkKind = Literal["image", "pdf"]

_NO_WORD = re.compile(r"[\W_]+")


class DocumentStatus(StrEnum):
    """Outcome of the last ingest of a document, or that it is no longer where it came from."""

    READY = "ready"
    UNREADABLE = "unreadable"  # understood, but holds no text: a scan, an encrypted file
    FAILED = "failed"  # could not be processed; the reason says why and it can be retried
    GONE = "gone"  # withdrawn: its source gives it no more; only its page and older citations still show it


class IngestOutcome(StrEnum):
    """Outcome of one ingest of one input; the `status` that `groundwork ingest` reports."""

    READY = "ready"
    UNCHANGED = "unchanged"
    UPDATED = "updated"
    UNREADABLE = "unreadable"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page: its level (1 is the highest) and its character span in the page text."""

    level: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """An image or PDF that a document refers to, by address or name.

    offset: where in the page's text it stands; None where it belongs to the page as a whole.
    """

    kind: LinkKind
    target: str
    page_no: int
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class PageSize:
    """Width and height of a page in points."""

    width_pt: float
    height_pt: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page as it is stored: pages count from 1; every offset elsewhere points into `text`."""

    page_no: int
    text: str
    headings: tuple[Heading, ...] = ()
    label: str = ""  # a sheet's or a slide's name
    size: PageSize | None = None  # as the page is shown; None where it was not measured


class PartState(StrEnum):
    """What became of a part of a file."""

    READ = "read"  # its words stand in the stored text
    LEFT_OUT = "left out"  # not shown to a reader of the file either: hidden or deleted
    UNREAD = "unread"  # a reader of the file sees it, and its words are not stored: a gap


@dataclass(frozen=True, slots=True)
class FilePart:
    """Things of one kind in a file beside its plain text, and what became of them.

    kind: in the plural ("form fields", "hidden sheets"). place: where they stand or what they are called
    ("page 3", "Reserve, Archive"). reason: why they were not read, as a sentence; "" for what was.
    """

    kind: str
    state: PartState = PartState.READ
    count: int = 1
    place: str = ""
    reason: str = ""

    @property
    def is_gap(self) -> bool:
        """True of what can be seen in the file and was not read."""
        return self.state is PartState.UNREAD

    @property
    def is_read(self) -> bool:
        """True where no words that can be seen in the file are missing for it."""
        return not self.is_gap


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """Content of a file as a parser gives it, before chunking."""

    title: str
    media_type: str
    pages: tuple[Page, ...]
    language: str = ""  # ISO 639-1, "" where unknown
    links: tuple[Link, ...] = ()
    doc_type: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    unreadable_reason: str = ""  # set when no page has text: says why, and what to do
    parts: tuple[FilePart, ...] = ()

    @property
    def gaps(self) -> int:
        """Number of parts that can be seen in the file and were not read."""
        return sum(part.is_gap for part in self.parts)

    @property
    def text_hash(self) -> str:
        """SHA-256 of the letters and digits of all pages, whatever their case, spacing and file format.

        Files of equal words are copies of each other. "" where there are none.
        """
        digest, is_blank = hashlib.sha256(), True
        for page in self.pages:
            if page.label != PAGE_DETAILS and (words := _words(page.text)):
                is_blank = False
                digest.update(words.encode("utf-8", "surrogatepass"))
        return "" if is_blank else digest.hexdigest()


def _words(text: str) -> str:
    return _NO_WORD.sub("", unicodedata.normalize("NFKC", text).casefold())


NOT_IN_FOLDER = "It is no longer in its folder."
"""Reason of a document whose file has left its folder."""


def gone_since(at: datetime, reason: str) -> str:
    """`Gone from the site since 25 Nov 2026: 404`, `No longer in its folder since 25 Nov 2026.`"""
    day = f"{at.day} {at:%b %Y}"
    if reason == NOT_IN_FOLDER:
        return f"No longer in its folder since {day}."
    return f"Gone from the site since {day}" + (f": {reason}" if reason else ".")


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """A row of the documents table. title: as the file states it; name: as people see it (title for "")."""

    id: DocumentId
    bucket: str
    source: str
    title: str
    status: DocumentStatus
    reason: str
    version: int
    doc_type: str
    media_type: str
    language: str
    acl: tuple[str, ...]
    pages: int
    passages: int
    size_bytes: int
    content_hash: ContentHash
    updated_at: datetime
    name: str = ""
    gaps: int = 0  # parts of the file that can be seen and were not read
    text_hash: str = ""  # of its words whatever the file's format; "" where it has none

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.title or PurePath(self.source).name or self.source)

    @property
    def is_gone(self) -> bool:
        """True of a document that was withdrawn; `updated_at` is when, in every version."""
        return self.status is DocumentStatus.GONE

    @property
    def note(self) -> str:
        """What is to be said of the state: the reason, of what is gone since when; "" where all is well.

        "Gone from the site since 25 Nov 2026: 404"; "Ready with gaps: 2 kinds of parts were not read."
        """
        if not self.is_gone:
            return self.reason or self._gaps_note
        return gone_since(self.updated_at, self.reason)

    @property
    def _gaps_note(self) -> str:
        if not self.gaps:
            return ""
        kinds = "1 kind of part was" if self.gaps == 1 else f"{self.gaps:,} kinds of parts were"
        return f"Ready with gaps: {kinds} not read."

    @property
    def is_table(self) -> bool:
        """True of a spreadsheet or a file of rows."""
        return "csv" in self.media_type or "sheet" in self.media_type

    def version_key(self, version: int) -> str:
        """A name under which what is drawn of a version may be kept. The summary is that of the version."""
        return f"{self.content_hash[:12]}-{version}"


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """One version of a document with all its pages; older versions stay readable for older citations."""

    summary: DocumentSummary
    version: int
    pages: tuple[Page, ...]
    links: tuple[Link, ...]
    metadata: dict[str, str] = field(default_factory=dict)
    parts: tuple[FilePart, ...] = ()


@dataclass(frozen=True, slots=True)
class OriginalFile:
    """A document's file as it was ingested; `name` is what it was called, `path` where it is kept."""

    path: Path
    name: str
    media_type: str


def file_stem(source: str) -> str:
    """The name of the file that a source ends with, without its ending: `lease` of `contracts/lease.pdf`."""
    name = source.replace("\\", "/").rsplit("/", 1)[-1]
    return name.rpartition(".")[0] or name


@dataclass(frozen=True, slots=True)
class OpeningNames:
    """Names that the opening of a document gives: best guesses, by which it is found.

    heading: what it calls itself. names: organisations and people, each followed by its short names. days:
    ISO 8601, also months and years. capitals, words: keys of other telling words, names apart from the rest.
    """

    heading: str = ""
    names: tuple[tuple[str, ...], ...] = ()
    days: tuple[str, ...] = ()
    capitals: str = ""
    words: str = ""


MAX_BUCKET_NAME = 80
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})  # control, format (bidi too), half a sign, line breaks


def bucket_at(source: str, folders: Mapping[str, str], bucket: str) -> str:
    """The bucket of a source: of the innermost of the folders in which it lies, else `bucket`."""
    parts = source.split("/")
    places = ("/".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))
    return next((folders[place] for place in places if place in folders), bucket)


def valid_bucket(name: str) -> str:
    """The name without blanks around it. Raises UsageError where no bucket may be called that."""
    shown = name.strip()
    if not shown:
        raise UsageError("The bucket has no name.", next_step="Name a bucket, such as 'contracts'.")
    if len(shown) > MAX_BUCKET_NAME:
        raise UsageError(
            f"The bucket's name has {len(shown):,} characters, more than {MAX_BUCKET_NAME}.",
            next_step="Choose a shorter name, such as 'contracts'.",
        )
    if any(unicodedata.category(sign) in _UNSEEN for sign in shown):
        raise UsageError(
            "The bucket's name has line breaks or characters that cannot be seen.",
            next_step="Name it with letters, digits, spaces, dots or dashes, such as 'contracts'.",
        )
    if "/" in shown or "\\" in shown or not shown.strip("."):
        raise UsageError(
            f"The bucket's name {shown!r} is a path.",
            next_step="Name it with letters, digits, spaces, dots or dashes, such as 'contracts'.",
        )
    return shown


READ_BY, CONFIDENCE = "read_by", "ocr_confidence"
"""Keys of a version's metadata: "ocr", and the mean confidence of its lines (0 to 1, two decimals)."""


@dataclass(frozen=True, slots=True)
class ReadLine:
    """Characters [start, end) of the page's text, the rectangle that they were read from, how sure it is."""

    start: int
    end: int
    box: Box
    confidence: float


@dataclass(frozen=True, slots=True)
class PageReading:
    """A page as it was read; without lines it was looked at, and nothing was found."""

    page_no: int
    text: str
    lines: tuple[ReadLine, ...] = ()

    def boxes(self, start: int, end: int) -> list[Box]:
        """A box for each line that the span runs over, from top to bottom, cut to its characters."""
        found = []
        for line in self.lines:
            first, last = max(start, line.start), min(end, line.end)
            if first < last:
                found.append(_part(line, first, last))
        return found

    def words(self) -> list[tuple[str, Box]]:
        """The words in reading order, each with its part of the line's box."""
        found = []
        for line in self.lines:
            at = line.start
            for word in self.text[line.start : line.end].split():
                at = self.text.index(word, at, line.end)
                found.append((word, _part(line, at, at + len(word))))
                at += len(word)
        return found


def confidence_of(readings: Sequence[PageReading]) -> float:
    """The mean confidence of all characters that were read; 0 where there are none."""
    weighted = [(line.end - line.start, line.confidence) for each in readings for line in each.lines]
    total = sum(length for length, _ in weighted)
    return sum(length * confidence for length, confidence in weighted) / total if total else 0.0


def confidence_in(metadata: Mapping[str, str]) -> float | None:
    """Confidence of the readings of a version's text; None for text that its file holds itself."""
    return float(metadata.get(CONFIDENCE, 0)) if READ_BY in metadata else None


def _part(line: ReadLine, first: int, last: int) -> Box:
    """Characters of a line are taken to be of one width: a word is off by a letter or two at most."""
    length = max(1, line.end - line.start)
    width = line.box.x1 - line.box.x0
    return Box(
        line.box.x0 + width * (first - line.start) / length,
        line.box.y0,
        line.box.x0 + width * (last - line.start) / length,
        line.box.y1,
    )
