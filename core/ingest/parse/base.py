"""Protocol of a parser, its limits, and the builders of what it gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from core.config.models import IngestSettings
from core.domain.document import FilePart, Heading, Link, LinkKind, Page, ParsedDocument, PartState
from core.errors import InputError
from core.ingest.clean import normalise
from core.text.headings import MAX_CHARS, clean_title

_MOST_INDENT = 20  # lists in lists: of a thousand of them the indents would be a megabyte
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """Limits of one file's costs, and what of it is read; picklable, since parsers run in child processes.

    reads_hidden: rows, columns and sheets that a workbook does not show are read like all others.
    """

    max_file_bytes: int = 500 * _MEGABYTE
    max_pages: int = 20_000
    max_text_chars: int = 100 * _MEGABYTE
    zip_max_files: int = 20_000
    zip_max_ratio: int = 200
    zip_max_bytes: int = 4_000 * _MEGABYTE
    timeout_s: float = 300.0
    memory_mb: int = 4096
    reads_hidden: bool = False

    @classmethod
    def of(cls, settings: IngestSettings) -> ParseLimits:
        """The limits that the settings name."""
        return cls(
            max_file_bytes=settings.max_file_mb * _MEGABYTE,
            max_pages=settings.max_pages,
            max_text_chars=settings.max_text_mb * _MEGABYTE,
            zip_max_files=settings.zip_max_files,
            zip_max_ratio=settings.zip_max_ratio,
            zip_max_bytes=settings.zip_max_mb * _MEGABYTE,
            timeout_s=settings.parse_timeout_s,
            memory_mb=settings.parse_memory_mb,
            reads_hidden=settings.hidden_cells == "read",
        )


class Parser(Protocol):
    """Makes a document of one kind of file."""

    def __call__(self, path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
        """The document in `path`, which the user knows as `source`.

        Raises InputError where nothing can be made of it. A file that is understood but holds no text comes
        back with `unreadable_reason`.
        """
        ...


class Budget:
    """Counts pages and characters as a parser makes them, so that a small file cannot become a huge text."""

    def __init__(self, source: str, limits: ParseLimits) -> None:
        self._source = source
        self._limits = limits
        self._chars = 0
        self._pages = 0

    def spend(self, chars: int, *, pages: int = 0) -> None:
        """Raises InputError when the document has grown past its limits."""
        self._chars += chars
        self._pages += pages
        if self._pages > self._limits.max_pages:
            raise InputError(
                f"It has more than {self._limits.max_pages:,} pages.",
                source=self._source,
                next_step="Split it, or raise ingest.max_pages.",
            )
        if self._chars > self._limits.max_text_chars:
            raise InputError(
                f"It holds more than {self._limits.max_text_chars // _MEGABYTE:,} MB of text.",
                source=self._source,
                next_step="Split it, or raise ingest.max_text_mb.",
            )


def title_from_source(source: str) -> str:
    """A readable title out of a file's name: no folder, no extension, no underscores."""
    name = PurePosixPath(source.replace("\\", "/")).name
    stem, dot, extension = name.rpartition(".")
    if not dot or not stem or not 1 <= len(extension) <= 8 or " " in extension:
        stem = name
    return clean_title(stem.replace("_", " ").replace("%20", " ")) or name


class PageBuilder:
    """Collects the blocks of one page; every offset it gives out points into the page's final text."""

    def __init__(self, page_no: int, label: str = "") -> None:
        self._page_no = page_no
        self._label = label
        self._pieces: list[str] = []
        self._length = 0
        self._headings: list[Heading] = []
        self.links: list[Link] = []

    @property
    def headings(self) -> tuple[Heading, ...]:
        """The headings so far."""
        return tuple(self._headings)

    @property
    def is_empty(self) -> bool:
        """True where nothing was added yet."""
        return not self._length

    def add_block(self, text: str, *, level: int = 0, gap: int = 2, indent: int = 0) -> None:
        """Add a paragraph, `gap` line breaks after the one before; level > 0 makes it a heading.

        indent: how many lists the item of a list stands in beside its own.
        """
        clean = normalise(text).strip()
        if not clean:
            return
        if self._length:
            self._append("\n" * gap + "  " * min(indent, _MOST_INDENT))
        start = self._length
        self._append(clean)
        if level and len(clean) <= 2 * MAX_CHARS:
            self._headings.append(Heading(level, start, self._length, " ".join(clean.split())))

    def add_link(self, kind: LinkKind, target: str) -> None:
        """Note a link that stands in the block which comes next."""
        clean = normalise(target).strip()
        if clean and len(clean) <= 2_000:
            self.links.append(Link(kind, clean, self._page_no, self._length + (2 if self._length else 0)))

    def build(self) -> Page:
        """The page as it is stored."""
        return Page(self._page_no, "".join(self._pieces), tuple(self._headings), self._label)

    def _append(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += len(piece)


def first_of(names: Iterable[object], most: int) -> str:
    """`a, b and 3 more` of names of which that many are told."""
    told = [str(each) for each in names]
    more = f" and {len(told) - most:,} more" if len(told) > most else ""
    return ", ".join(told[:most]) + more


class PartTally:
    """Counts parts of a file as a parser meets them; the same kind, state and reason is one part.

    unit: what its places are, of each of which the number is given: "page".
    """

    def __init__(self, most_places: int = 5, unit: str = "") -> None:
        self._most_places = most_places
        self._unit = unit
        self._counts: Counter[tuple[str, PartState, str]] = Counter()
        self._places: dict[tuple[str, PartState, str], dict[str, None]] = {}

    def read(self, kind: str, count: int = 1) -> None:
        """Its words stand in the text."""
        self.add(kind, PartState.READ, "", count)

    def left_out(self, kind: str, reason: str, count: int = 1) -> None:
        """A reader of the file does not see it either."""
        self.add(kind, PartState.LEFT_OUT, reason, count)

    def unread(self, kind: str, reason: str, place: str = "") -> None:
        """A reader of the file sees it, and it is a gap here."""
        self.add(kind, PartState.UNREAD, reason, 1, place)

    def add(self, kind: str, state: PartState, reason: str, count: int, place: str = "") -> None:
        """Count some of a kind; none of them is no part."""
        if count:
            self._counts[kind, state, reason] += count
            places = self._places.setdefault((kind, state, reason), {})
            places |= {place[:80]: None} if place else {}

    def parts(self) -> tuple[FilePart, ...]:
        """All of it, in the order in which it was met."""
        return tuple(
            FilePart(kind, state, count, self._place(self._places[kind, state, reason]), reason)
            for (kind, state, reason), count in self._counts.items()
        )

    def _place(self, places: dict[str, None]) -> str:
        unit = f"{self._unit}{'s' if len(places) > 1 else ''} " if self._unit and places else ""
        return unit + first_of(places, self._most_places)
