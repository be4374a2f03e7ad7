"""Page text put together piece by piece, with the places of its headings and links."""

from __future__ import annotations

from core.domain.document import Heading, Link, LinkKind, Page
from core.ingest.clean import normalise
from core.text.headings import MAX_CHARS


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
            self._append("\n" * gap + "  " * indent)
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
