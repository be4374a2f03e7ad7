"""Scans: documents whose pages hold no text, which text recognition may make readable."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.document import PDF, DocumentStatus, DocumentSummary
from core.domain.ids import JobId
from core.jobs import queue
from core.jobs.kinds import OCR
from core.records.base import DocumentQuery
from core.records.database.visibility import Visibility
from core.records.store import Records


def scans(records: Records, *, again: bool = False) -> list[DocumentSummary]:
    """The PDFs whose pages hold no text; without those that were read before, in vain, unless `again`."""
    unreadable = DocumentQuery(status=DocumentStatus.UNREADABLE)
    found = [
        each
        for each in records.documents.list(Visibility.everything(), unreadable)
        if each.media_type == PDF and each.pages
    ]
    if again or not found:
        return found
    read = records.page_readings.originals()
    return [each for each in found if each.content_hash not in read]


def submit(records: Records, documents: Sequence[DocumentSummary], user: str = "") -> JobId:
    """Queue the reading of these documents."""
    title = f"Reading {len(documents):,} scan{'' if len(documents) == 1 else 's'}"
    return queue.submit(records, OCR, title, {"documents": [each.id for each in documents]}, user=user)
