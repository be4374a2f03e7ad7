"""Versions of documents to publish, with small vectors that are equal for equal arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from core.domain.document import DocumentSummary, Heading, Link, Page, ParsedDocument
from core.domain.ids import DocumentId, content_hash
from core.domain.passage import EncodedPassage, Passage
from core.domain.span import PageSpan
from core.store.base import NewVersion
from core.store.database.visibility import Visibility
from core.store.store import Records

DIMENSION = 8


def encoded(count: int, *, start: int = 0) -> Iterator[EncodedPassage]:
    """Passages of two sentences each, with unit vectors."""
    for ordinal in range(start, start + count):
        text = f"First sentence {ordinal}. Second sentence."
        cut = text.index(".") + 1
        vectors = np.random.default_rng(ordinal).standard_normal((3, DIMENSION)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        passage = Passage(
            document=DocumentId(""),
            version=0,
            ordinal=ordinal,
            parts=(PageSpan(1, 0, len(text)),),
            text=text,
            section=("Chapter", "Section"),
            tokens=6,
            sentences=((0, cut), (cut + 1, len(text))),
            images=("image.png",),
        )
        yield EncodedPassage(passage, vectors[0], vectors[1:])


def new_version(
    source: str = "a.txt", text: str = "First text.", *, passages: int = 2, bucket: str = "b", **changes: Any
) -> NewVersion:
    """A version of one page, whose content hash is that of its text."""
    page = Page(1, text, (Heading(1, 0, 5, text[:5]),), "label")
    parsed = ParsedDocument(
        title=f"Title of {source}",
        media_type="text/plain",
        pages=(page,),
        language="en",
        links=(Link("pdf", "other.pdf", 1),),
        doc_type="contract",
        metadata={"author": "A"},
    )
    values: dict[str, Any] = {
        "bucket": bucket,
        "source": source,
        "parsed": parsed,
        "content_hash": content_hash(text.encode("utf-8", "replace")),
        "size_bytes": len(text),
        "passages": encoded(passages),
    }
    return NewVersion(**(values | changes))


def summary_of(records: Records, document: DocumentId) -> DocumentSummary:
    """A document that was published, whoever may see it."""
    return records.documents.version(document, None, Visibility.everything(), with_pages=False).summary
