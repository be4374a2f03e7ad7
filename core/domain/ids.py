"""Ids with types of their own, so that a bare string never crosses a package border."""

from __future__ import annotations

import hashlib
from typing import NewType

DocumentId = NewType("DocumentId", str)
PassageId = NewType("PassageId", int)
ConversationId = NewType("ConversationId", str)
TurnId = NewType("TurnId", str)
TraceId = NewType("TraceId", str)
JobId = NewType("JobId", str)
CrawlId = NewType("CrawlId", str)
ContentHash = NewType("ContentHash", str)


def document_id(bucket: str, source: str) -> DocumentId:
    """The id of the document that `source` names in `bucket`: equal inputs give equal ids on any machine.

    This is what makes ingest idempotent: a second run, or a resumed one, meets the same row.
    """
    digest = hashlib.sha256(f"{bucket}\0{source}".encode("utf-8", "surrogatepass")).hexdigest()
    return DocumentId(f"d{digest[:20]}")


def content_hash(data: bytes) -> ContentHash:
    """SHA-256 of an original file's bytes, in hexadecimal."""
    return ContentHash(hashlib.sha256(data).hexdigest())
