"""Writing a version of a document: one transaction, all or nothing, the same result when repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.document import DocumentStatus, IngestOutcome
from core.domain.ids import DocumentId
from core.domain.passage import EncodedPassage
from core.errors import RecordsError
from core.store.base import NewVersion, Published
from core.store.database.changes import append_changes
from core.store.database.db import insert_or_ignore
from core.store.database.field_tables import TABLES_OF_ROWS, field_guesses, field_values
from core.store.database.schema import (
    buckets,
    document_versions,
    documents,
    pages,
    passages,
)
from core.store.documents.access import INGEST, acl_of_new, acl_values, bring_back, put_entries
from core.store.documents.names import name_values
from core.store.documents.rows import page_row, passage_row
from core.store.documents.sources import id_at
from core.store.documents.vectors import check_encoder, insert_vectors

_BATCH = 500


def publish(
    connection: Connection, new: NewVersion, now: datetime, vector_set: int = 0, profile: str = ""
) -> Published:
    """Write a version within the caller's transaction; see `Documents.publish`.

    vector_set, profile: that its vectors and passages are of; those of others are filled in after it.
    """
    document = id_at(connection, new.bucket, new.source)
    row = connection.execute(sa.select(documents).where(documents.c.id == document)).first()
    acl = wanted_acl(connection, document, new.bucket, row, new.acl, now)
    is_gone = row is not None and row.status == DocumentStatus.GONE
    is_stored = row is not None and row.version > 0 and row.content_hash == new.content_hash and not is_gone
    if row is not None and is_stored and not new.force:
        return _keep(connection, row, acl, now)
    check_encoder(connection, new.encoder, vector_set)
    version = 1 if row is None else row.version + 1
    is_unreadable = bool(new.parsed.unreadable_reason)
    values = {
        "id": document,
        "bucket": new.bucket,
        "source": new.source,
        "title": new.parsed.title or new.source,
        "status": (DocumentStatus.UNREADABLE if is_unreadable else DocumentStatus.READY).value,
        "reason": new.parsed.unreadable_reason,
        "version": version,
        "doc_type": new.parsed.doc_type,
        "media_type": new.parsed.media_type,
        "language": new.parsed.language,
        "pages": len(new.parsed.pages),
        "passages": 0,
        "size_bytes": new.size_bytes,
        "content_hash": new.content_hash,
        "failed_hash": "",
        "gaps": new.parsed.gaps,
        "text_hash": new.parsed.text_hash,
    }
    values |= name_values(connection, row, values)
    put_document(connection, values, acl, now)
    if row is not None:
        for table in (passages, field_values, field_guesses, *TABLES_OF_ROWS):
            connection.execute(sa.delete(table).where(table.c.document == document))
    if is_gone:
        bring_back(connection, document, new.bucket, now)
    _insert_version(connection, new, values, now)
    count = _insert_passages(connection, document, version, iter(new.passages), vector_set, profile)
    for table, key in ((documents, documents.c.id), (document_versions, document_versions.c.document)):
        connection.execute(
            sa.update(table).where(key == document, table.c.version == version).values(passages=count)
        )
    append_changes(connection, (document,), "published", now)
    outcome = IngestOutcome.READY if version == 1 else IngestOutcome.UPDATED
    if is_unreadable:
        outcome = IngestOutcome.UNREADABLE
    return Published(
        document,
        version,
        outcome,
        str(values["name"]),
        new.parsed.unreadable_reason,
        len(new.parsed.pages),
        count,
    )


def wanted_acl(
    connection: Connection,
    document: DocumentId,
    bucket: str,
    row: sa.Row[Any] | None,
    acl: Sequence[str] | None,
    now: datetime,
) -> tuple[str, ...]:
    """The acl that a document is to have, sorted; where none is given what it has, or what its bucket says.

    One that is given becomes its own, which changes of the bucket's access leave alone.
    """
    if acl is not None:
        wanted = tuple(sorted(set(acl)))
        put_entries(connection, "document", document, wanted, INGEST, now)
        return wanted
    return acl_of_new(connection, bucket) if row is None else tuple(row.acl)


def put_document(connection: Connection, values: dict[str, Any], acl: tuple[str, ...], now: datetime) -> None:
    """Insert or update a document's row, its bucket and its access."""
    insert_or_ignore(connection, buckets, [{"name": values["bucket"], "created_at": now}])
    row = {
        **values,
        **acl_values(connection, acl),
        "updated_at": now,
    }
    known = connection.execute(sa.update(documents).where(documents.c.id == row["id"]).values(**row)).rowcount
    if not known:
        connection.execute(sa.insert(documents).values(**row, created_at=now))


def _keep(connection: Connection, row: sa.Row[Any], acl: tuple[str, ...], now: datetime) -> Published:
    """The same bytes again: nothing changes but the acl, and a note of a failure that is now over."""
    is_unreadable = row.status == DocumentStatus.UNREADABLE
    outcome = IngestOutcome.UNREADABLE if is_unreadable else IngestOutcome.UNCHANGED
    reason = row.reason if is_unreadable else ""
    changed: dict[str, Any] = {}
    if row.failed_hash:
        changed["failed_hash"] = ""
    connection.execute(
        sa.update(document_versions)
        .where(document_versions.c.document == row.id, document_versions.c.version == row.version)
        .values(seen_at=now)
    )
    if reason != row.reason:
        changed["reason"] = reason
    if acl != tuple(row.acl):
        changed |= acl_values(connection, acl)
        outcome = outcome if is_unreadable else IngestOutcome.UPDATED
    if changed:
        connection.execute(
            sa.update(documents).where(documents.c.id == row.id).values(**changed, updated_at=now)
        )
        append_changes(connection, (DocumentId(row.id),), "noted", now)
    return Published(DocumentId(row.id), row.version, outcome, row.name, reason, row.pages, row.passages)


def _insert_version(connection: Connection, new: NewVersion, values: dict[str, Any], now: datetime) -> None:
    document, version = DocumentId(values["id"]), int(values["version"])
    shared = {key: value for key, value in values.items() if key in document_versions.c}
    connection.execute(
        sa.insert(document_versions).values(
            **shared,
            document=document,
            metadata=new.parsed.metadata,
            links=[[link.kind, link.target, link.page_no, link.offset] for link in new.parsed.links],
            parts=[[part.kind, part.state, part.count, part.place, part.reason] for part in new.parsed.parts],
            created_at=now,
            seen_at=now,
        )
    )
    rows = (page_row(document, version, page) for page in new.parsed.pages)
    while batch := list(islice(rows, _BATCH)):
        connection.execute(sa.insert(pages), batch)


def _insert_passages(
    connection: Connection,
    document: DocumentId,
    version: int,
    encoded: Iterator[EncodedPassage],
    vector_set: int,
    profile: str,
) -> int:
    count = 0
    while batch := list(islice(encoded, _BATCH)):
        for item in batch:
            _check_shapes(item)
        connection.execute(
            sa.insert(passages), [passage_row(document, version, item.passage, profile) for item in batch]
        )
        # One query for the ids of a batch: RETURNING would insert row by row on some databases.
        ordinals = [item.passage.ordinal for item in batch]
        ids = dict(
            connection.execute(
                sa.select(passages.c.ordinal, passages.c.id).where(
                    passages.c.document == document,
                    passages.c.ordinal.between(min(ordinals), max(ordinals)),
                )
            ).all()
        )
        keyed = [(ids[ordinal], item) for ordinal, item in zip(ordinals, batch, strict=True)]
        insert_vectors(
            connection, vector_set, [(key, item.vector, item.sentence_vectors) for key, item in keyed]
        )
        count += len(batch)
    return count


def _check_shapes(item: EncodedPassage) -> None:
    expected = (len(item.passage.sentences), len(item.vector))
    if item.vector.ndim != 1 or item.sentence_vectors.shape != expected:
        raise RecordsError(
            f"Passage {item.passage.ordinal} has sentence vectors of shape "
            f"{item.sentence_vectors.shape}, not {expected}.",
            next_step="This is a fault in the encoder: report it with the file that caused it.",
        )
