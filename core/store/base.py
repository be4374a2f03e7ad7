"""Values that go into the store and come out of it, beyond the domain's own types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from core.domain.document import DocumentStatus, IngestOutcome, ParsedDocument
from core.domain.ids import ContentHash, DocumentId, JobId
from core.domain.passage import EncodedPassage, StoredPassage, Vector
from core.encode.base import EncoderSignature


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A parsed, chunked and encoded file, ready to be published.

    passages: consumed once, inside the write transaction, so they must not be computed lazily; an
    iterator over a spool file keeps memory bounded. Their `document` and `version` are ignored: the
    store assigns both. encoder: checked against the vectors already stored; None skips the check.
    force: make a new version even where the content hash is the stored one (a re-ingest).
    acl: () for everybody; None keeps what the document has, which is () for a new one.
    """

    bucket: str
    source: str
    parsed: ParsedDocument
    content_hash: ContentHash
    size_bytes: int
    passages: Iterable[EncodedPassage] = ()
    acl: tuple[str, ...] | None = None
    encoder: EncoderSignature | None = None
    force: bool = False


@dataclass(frozen=True, slots=True)
class Published:
    """Outcome of publishing: READY (new), UPDATED (new version or new acl), UNCHANGED, UNREADABLE."""

    document: DocumentId
    version: int
    outcome: IngestOutcome
    title: str
    reason: str
    pages: int
    passages: int


class DocumentOrder(StrEnum):
    """Order of a list of documents; ties by id."""

    TITLE = "title"
    NAME = "search_text"  # title and source whatever the case: as a person sorts
    SOURCE = "source"
    BUCKET = "bucket"
    STATUS = "status"
    UPDATED = "updated_at"
    PAGES = "pages"
    PASSAGES = "passages"
    SIZE = "size_bytes"


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """Conditions on documents to list: all must hold.

    text: stands in title or source, whatever its case; wildcards have no meaning. limit None: all.
    with_gone: what its source gives no more is listed too. has_gaps: only files of which not all was read.
    among: only these; None for any.
    """

    bucket: str | None = None
    status: DocumentStatus | None = None
    text: str = ""
    order: DocumentOrder = DocumentOrder.TITLE
    descending: bool = False
    limit: int | None = None
    offset: int = 0
    with_gone: bool = False
    has_gaps: bool = False
    among: frozenset[DocumentId] | None = None


@dataclass(frozen=True, slots=True)
class BucketSummary:
    """A bucket with what the caller may see of it."""

    name: str
    documents: int
    passages: int


@dataclass(frozen=True, slots=True)
class CollectionTotals:
    """Documents and passages that the caller may see."""

    documents: int
    passages: int


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """A stored passage and its (d,) float32 vector: what an engine is given to index.

    columns: what else is known of it, for engines that other programs look into; no search needs them.
    """

    stored: StoredPassage
    vector: Vector
    columns: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChangesUpTo:
    """The documents that changed after a sequence number, and the number they are complete up to."""

    sequence: int
    documents: frozenset[DocumentId]


@dataclass(frozen=True, slots=True)
class AccessChanges:
    """Documents that changed of late: those that somebody may see now, and those that are hidden."""

    shown: frozenset[DocumentId] = frozenset()
    hidden: frozenset[DocumentId] = frozenset()


DECISION = "decision"
"""In the payload of an input that is done: what it was taken for, and why."""


@dataclass(frozen=True, slots=True)
class JobItem:
    """An input of a job; `payload` is the job's own business.

    ordinal: names it within the job, from 0; given to it when it is added.
    """

    source: str
    bucket: str = "default"
    payload: dict[str, Any] = field(default_factory=dict)
    ordinal: int = 0


@dataclass(frozen=True, slots=True)
class JobOrder:
    """Job as a worker needs it, beyond its progress."""

    id: JobId
    kind: str
    user: str
    payload: dict[str, Any]
    owner: str
    attempts: int
    cancel_requested: bool


@dataclass(frozen=True, slots=True)
class Lease:
    """Holder of a lease, and the time until which it lasts unless it is renewed."""

    name: str
    owner: str
    acquired_at: datetime
    expires_at: datetime
