"""A handful of documents in memory: two PDFs with text, a long Markdown file, and a scan without text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.domain.document import DocumentStatus, DocumentSummary, DocumentVersion, Page
from core.domain.ids import ContentHash, document_id

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
SAMPLES = (
    (
        "contracts",
        "acme-master-services.pdf",
        "ACME Master Services Agreement",
        "application/pdf",
        [
            "MASTER SERVICES AGREEMENT\n\n"
            "This agreement is made between ACME Corporation and Nordwind Logistics.\n"
            "The term begins on 1 October 2024 and runs for three years.",
            "9. Termination\n\n"
            "Either party may terminate this agreement for convenience on ninety days written notice.\n"
            "The total liability of ACME under this agreement shall not exceed $750,000 per incident.\n"
            "11. Governing law\n\nThis agreement is governed by the laws of Delaware.",
        ],
    ),
    (
        "datasheets",
        "alphasolar-as-410.md",
        "AlphaSolar AS-410 datasheet",
        "text/markdown",
        [
            "# AlphaSolar AS-410\n\nRated power 410 W.\nThe minimum panel width is 1,038 mm.\n"
            + "Filler line of the datasheet.\n" * 900
            + "The warranty runs for 25 years.\n"
        ],
    ),
    (
        "manuals",
        "battery-b-120.pdf",
        "Battery cabinet B-120 manual",
        "application/pdf",
        [
            "Battery cabinet B-120\n\n"
            "Maintenance steps: disconnect the load, check the terminals, clean the filter.",
            "Page two of the manual speaks of storage.",
        ],
    ),
    ("contracts", "old-scan.pdf", "old-scan", "application/pdf", [""]),
)


def make_document(
    bucket: str, source: str, title: str, media_type: str, pages: list[str], number: int
) -> DocumentVersion:
    """A stored document; `number` (from 1) tells its content and its age from those of the others."""
    readable = any(pages)
    summary = DocumentSummary(
        id=document_id(bucket, source),
        bucket=bucket,
        source=source,
        title=title,
        status=DocumentStatus.READY if readable else DocumentStatus.UNREADABLE,
        reason=""
        if readable
        else "The pages are pictures without text: run text recognition and add it again.",
        version=1,
        doc_type="",
        media_type=media_type,
        language="en" if readable else "",
        acl=(),
        pages=len(pages),
        passages=len(pages) if readable else 0,
        size_bytes=sum(map(len, pages)) + 900,
        content_hash=ContentHash(f"{number:064x}"),
        updated_at=NOW - timedelta(days=number),
    )
    return DocumentVersion(summary, 1, tuple(Page(at, text) for at, text in enumerate(pages, 1)), ())
