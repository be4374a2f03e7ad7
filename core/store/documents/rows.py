"""From rows to the domain's value types, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sqlalchemy as sa

from core.domain.document import (
    DocumentStatus,
    DocumentSummary,
    FilePart,
    Heading,
    Link,
    Page,
    PageSize,
    PartState,
)
from core.domain.ids import DocumentId, PassageId
from core.domain.passage import Matrix, Passage, StoredPassage, Vector
from core.domain.span import PageSpan
from core.store.database.db import from_row
from core.store.database.schema import document_versions, documents, passages

SUMMARY_COLUMNS = tuple(each for each in documents.c if each.name not in ("search_text", "identity"))
"""All that `summary_of` reads."""

VERSION_COLUMNS = tuple(
    each for each in document_versions.c if each.name not in ("metadata", "links", "parts")
)
"""All that `summary_as_of` reads, and when the version was made."""

PASSAGE_COLUMNS = (
    passages.c.id,
    passages.c.document,
    passages.c.version,
    passages.c.ordinal,
    passages.c.tokens,
    passages.c.layout,
    passages.c.text,
    documents.c.bucket,
    documents.c.title,
    documents.c.source,
    documents.c.doc_type,
    documents.c.acl,
    documents.c.name,
)

_FLOAT_OF_CODE = np.arange(65536, dtype="<u2").view("<f2").astype(np.float32)


def summary_of(row: sa.Row[*tuple[Any, ...]]) -> DocumentSummary:
    """A row of the documents table."""
    return from_row(DocumentSummary, row, status=DocumentStatus(row.status), acl=tuple(row.acl))


def summary_as_of(summary: DocumentSummary, row: sa.Row[*tuple[Any, ...]]) -> DocumentSummary:
    """The summary of a document as it was in the version of a row of document_versions.

    A document that is gone is so in every version, since the same day.
    """
    of_version = (
        "title",
        "doc_type",
        "media_type",
        "language",
        "pages",
        "passages",
        "size_bytes",
        "content_hash",
    )
    found = {name: getattr(row, name) for name in (*of_version, "gaps", "text_hash")}
    if not summary.is_gone:
        found |= {"status": DocumentStatus(row.status), "reason": row.reason, "updated_at": row.created_at}
    return replace(summary, **found)


def is_current() -> sa.ColumnElement[bool]:
    """Condition of the version of a document that is its newest."""
    return sa.and_(
        document_versions.c.document == documents.c.id, document_versions.c.version == documents.c.version
    )


def parts_of(stored: Iterable[list[Any]]) -> tuple[FilePart, ...]:
    """What was read of a file, as it is stored."""
    return tuple(
        FilePart(kind, PartState(state), count, place, reason) for kind, state, count, place, reason in stored
    )


def page_of(row: sa.Row[Any]) -> Page:
    """A row of the pages table."""
    headings = tuple(Heading(level, start, end, text) for level, start, end, text in row.headings)
    return Page(row.page_no, row.text, headings, row.label, page_size_of(row))


def page_size_of(row: sa.Row[*tuple[Any, ...]]) -> PageSize | None:
    """The size in a row of the pages table; None where the page was never measured."""
    return None if row.width_pt is None else PageSize(row.width_pt, row.height_pt)


def page_row(document: DocumentId, version: int, page: Page) -> dict[str, Any]:
    """Columns of a page."""
    return {
        "document": document,
        "version": version,
        "page_no": page.page_no,
        "label": page.label,
        "headings": [[h.level, h.start, h.end, h.text] for h in page.headings],
        "text": page.text,
        "width_pt": page.size and page.size.width_pt,
        "height_pt": page.size and page.size.height_pt,
    }


def links_of(stored: Iterable[list[Any]]) -> tuple[Link, ...]:
    """Links as they are stored."""
    return tuple(Link(*each) for each in stored)  # without an offset in homes of before 0035


def passage_row(document: DocumentId, version: int, passage: Passage, profile: str) -> dict[str, Any]:
    """Columns of a passage of a chunk profile, "" for that of the home.

    layout: its spans as flat lists of numbers and what is not empty of the rest. As one value of
    plain lists it is decoded in a third of the time of five columns of pairs.
    """
    layout: dict[str, Any] = {
        "parts": [n for part in passage.parts for n in (part.page_no, part.start, part.end)],
        "sentences": [offset for span in passage.sentences for offset in span],
    }
    for name in ("section", "images", "pdfs"):
        if value := getattr(passage, name):
            layout[name] = list(value)
    return {
        "document": document,
        "version": version,
        "ordinal": passage.ordinal,
        "tokens": passage.tokens,
        "layout": layout,
        "text": passage.text,
        "profile": profile,
    }


def stored_passage_of(row: sa.Row[*tuple[Any, ...]]) -> StoredPassage:
    """A row of PASSAGE_COLUMNS, which may have more columns behind them."""
    key, document, version, ordinal, tokens, layout, text, bucket, title, source, doc_type, acl = row[:12]
    parts, offsets = iter(layout["parts"]), iter(layout["sentences"])
    passage = Passage(
        document=DocumentId(document),
        version=version,
        ordinal=ordinal,
        parts=tuple(map(PageSpan, parts, parts, parts)),
        text=text,
        section=tuple(layout.get("section", ())),
        tokens=tokens,
        sentences=tuple(zip(offsets, offsets, strict=True)),
        images=tuple(layout.get("images", ())),
        pdfs=tuple(layout.get("pdfs", ())),
    )
    return StoredPassage(PassageId(key), passage, bucket, title, source, doc_type, tuple(acl), row[12])


def vector_bytes(vector: Vector) -> bytes:
    """A passage vector as it is stored: float32, little endian."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()


def vector_of(stored: bytes) -> Vector:
    """A passage vector from its bytes; read-only."""
    return np.frombuffer(stored, dtype="<f4")


def matrix_bytes(matrix: Matrix) -> bytes:
    """Sentence vectors as they are stored: float16, little endian; 5e-4 of a unit vector is lost."""
    return np.ascontiguousarray(matrix, dtype="<f2").tobytes()


def matrices_of(stored: Sequence[bytes], dimension: int) -> list[Matrix]:
    """Sentence vectors from their bytes, (n, dimension) float32 each; views of one array."""
    codes = np.frombuffer(b"".join(stored), dtype="<u2")
    # Every float16 is one of 65,536 codes: looking them up takes 0.6 of the time of astype.
    joined = _FLOAT_OF_CODE.take(codes).reshape(-1, dimension)
    ends = np.cumsum([len(item) // (2 * dimension) for item in stored])[:-1]
    return np.split(joined, ends)
