"""Documents for extraction, made of plain text."""

from __future__ import annotations

from core.domain.document import Page
from core.domain.ids import DocumentId
from core.extract.base import DocumentText
from core.text.headings import find_headings


def document_text(
    *pages: str,
    title: str = "",
    source: str = "doc.txt",
    media_type: str = "text/plain",
    language: str = "en",
    bucket: str = "",
) -> DocumentText:
    """Pages of text as a document, with the headings that plain text shows."""
    return DocumentText(
        document=DocumentId("d1"),
        version=1,
        bucket=bucket,
        title=title,
        source=source,
        doc_type="",
        media_type=media_type,
        language=language,
        pages=tuple(Page(number, text, find_headings(text)) for number, text in enumerate(pages, 1)),
    )
