"""Originals and page images: the documents as people know them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from core.cache import Cache
from core.domain.document import HTML, MARKDOWN, READ_BY, DocumentVersion, OriginalFile, PageReading, PageSize
from core.domain.ids import DocumentId
from core.domain.principal import Principal
from core.domain.span import Box, PageSpan
from core.errors import NotFoundError
from core.ingest.markdown_page import render_markdown
from core.ingest.page_images import drawn_format
from core.ingest.parse.html.document import decode_html
from core.ingest.stored_page import render_stored_page
from core.store.database.visibility import Visibility
from core.store.store import Records

if TYPE_CHECKING:
    from core.ingest.render import PageRenderer

CACHED_IMAGES = 64  # about 200 KB each
MOST_BYTES = 5_000_000  # of a web page: larger ones take seconds to make harmless


class Pages:
    """Page images, places on them, and originals. Thread-safe."""

    def __init__(self, records: Records, renderer: Callable[[], PageRenderer]) -> None:
        """renderer: made when the first page is drawn."""
        self._records = records
        self._renderer = renderer
        self._images: Cache[tuple[str, int, int, int], bytes] = Cache(CACHED_IMAGES)

    def image(
        self, document: DocumentId, principal: Principal, version: int | None, page_no: int, width_px: int
    ) -> bytes | None:
        """The page as a JPEG of this width; None where the format has no pages of its own."""
        found = self._version(document, principal, version)
        drawn = self._drawn(found)
        if drawn is None:
            return None
        path, of = drawn
        key = (document, found.version, page_no, width_px)
        return self._images.get_or_make(key, lambda: self._renderer().jpeg(path, page_no, width_px, of=of))

    def size(
        self, document: DocumentId, principal: Principal, version: int | None, page_no: int
    ) -> PageSize | None:
        """Size of the page; None where the format has no pages of its own."""
        found = self._version(document, principal, version)
        drawn = self._drawn(found)
        if drawn is None:
            return None
        path, of = drawn
        stored = self._records.documents.page_size(document, found.version, page_no)
        return stored or PageSize(*self._renderer().size(path, page_no, of=of))

    def boxes(
        self,
        document: DocumentId,
        principal: Principal,
        version: int | None,
        page_no: int,
        spans: Sequence[tuple[int, int]],
    ) -> list[list[Box]]:
        """A box for each line of each span; [] for each where there is no image to lay them on."""
        found = self._version(document, principal, version)
        drawn = self._drawn(found)
        if drawn is None or not spans:
            return [[] for _ in spans]
        path, of = drawn
        visible = Visibility.of(principal).including_gone()
        page = self._records.documents.page(document, found.version, page_no, visible)
        reading = self._reading(found, page_no)
        if reading is not None and reading.text == page.text:
            return [reading.boxes(start, end) for start, end in spans]
        return self._renderer().boxes(path, page_no, spans, page.text, of=of)

    def words(
        self, document: DocumentId, principal: Principal, version: int | None, page_no: int
    ) -> list[tuple[str, Box]]:
        """The words of the page; [] where there is no image to lay them on."""
        found = self._version(document, principal, version)
        drawn = self._drawn(found)
        if drawn is None:
            return []
        path, of = drawn
        reading = self._reading(found, page_no)
        return reading.words() if reading is not None else self._renderer().words(path, page_no, of=of)

    def original(self, document: DocumentId, principal: Principal, version: int | None) -> OriginalFile:
        """The file of a version. Raises NotFoundError where it was never read or is gone."""
        summary = self._version(document, principal, version).summary
        name = PurePosixPath(summary.source.replace("\\", "/")).name or "document"
        path = self._records.blobs.path(summary.content_hash)
        return OriginalFile(path, name, summary.media_type)

    def stored_page(
        self,
        document: DocumentId,
        principal: Principal,
        version: int | None,
        quote: PageSpan | None = None,
        theme: str = "",
    ) -> str | None:
        """A web page as it was, or Markdown as it reads, harmless, with the quoted words marked where it can.

        None where the document is neither, is too large to be shown, or its file is gone.
        """
        found = self._version(document, principal, version)
        if found.summary.media_type == MARKDOWN:
            visible = Visibility.of(principal).including_gone()
            pages = self._records.documents.version(document, found.version, visible).pages
            return render_markdown(pages, quote, theme)
        if found.summary.media_type != HTML:
            return None
        try:
            path = self._records.blobs.path(found.summary.content_hash)
            if path.stat().st_size > MOST_BYTES:
                return None
            markup = decode_html(path.read_bytes())
        except (NotFoundError, OSError):
            return None  # the text is still there, and is shown instead
        words = ""
        if quote is not None:
            visible = Visibility.of(principal)
            page = self._records.documents.page(document, found.version, quote.page_no, visible)
            words = page.text[quote.start : quote.end]
        return render_stored_page(markup, found.summary.source, words, theme)

    def _version(self, document: DocumentId, principal: Principal, version: int | None) -> DocumentVersion:
        visible = Visibility.of(principal).including_gone()
        return self._records.documents.version(document, version, visible, with_pages=False)

    def _reading(self, found: DocumentVersion, page_no: int) -> PageReading | None:
        """Text read off the image of the page, in a version that is made of such readings."""
        if READ_BY not in found.metadata:
            return None
        reading = self._records.page_readings.page(found.summary.content_hash, page_no)
        return reading if reading is not None and reading.text else None

    def _drawn(self, found: DocumentVersion) -> tuple[Path, str] | None:
        """The original with the name of its format, where pages of that have images."""
        of = drawn_format(found.summary.media_type)
        if not of:
            return None
        try:
            return self._records.blobs.path(found.summary.content_hash), of
        except NotFoundError:
            return None  # the text is still there, and is shown instead
