"""Documents, their versions and pages: published, listed, read, withdrawn and removed."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.document import (
    DocumentStatus,
    DocumentSummary,
    DocumentVersion,
    FilePart,
    IngestOutcome,
    Page,
    PageSize,
)
from core.domain.fields import Family, Identity, PromiseLevel
from core.domain.ids import ContentHash, DocumentId
from core.errors import NotFoundError
from core.store.base import (
    BucketSummary,
    CollectionTotals,
    DocumentQuery,
    NewVersion,
    Published,
)
from core.store.database.among import among
from core.store.database.blobs import Blobs
from core.store.database.changes import append_changes
from core.store.database.db import Database, insert_or_ignore, slices
from core.store.database.schema import Text, buckets, document_versions, documents, pages, storable
from core.store.database.visibility import GONE_ACCESS, Visibility
from core.store.database.work_tables import written_summaries
from core.store.documents import family, names, sources
from core.store.documents.access import acl_values, drop_entries, withdraw
from core.store.documents.names import name_values
from core.store.documents.page_readings import remove_unused
from core.store.documents.publish import publish, put_document, wanted_acl
from core.store.documents.rows import (
    SUMMARY_COLUMNS,
    is_current,
    links_of,
    page_of,
    page_size_of,
    parts_of,
    summary_as_of,
    summary_of,
)

_LONGEST_FILTER = 1_000  # characters; SQLite refuses patterns beyond 50,000 bytes
_ALL = DocumentQuery()


class DocumentRecords:
    """The collection. Thread-safe; what a caller may not see is not found, not listed, not counted."""

    def __init__(self, database: Database, blobs: Blobs, vector_set: int = 0, profile: str = "") -> None:
        self._database = database
        self._blobs = blobs
        self._vector_set, self._profile = vector_set, profile

    def publish(self, new: NewVersion, now: datetime | None = None) -> Published:
        """Make a version current: its pages, passages and vectors appear at once, or not at all.

        The same content hash again changes nothing but the acl (unless `force`). The passages of the
        version before go, its pages stay. An unreadable version is published too: it is what the file
        now is. Raises EncoderError where the vectors do not fit those stored, RecordsError.
        """
        with self._database.write() as connection:
            return publish(connection, new, now or datetime.now(UTC), self._vector_set, self._profile)

    def record_failure(
        self,
        bucket: str,
        source: str,
        reason: str,
        *,
        content_hash: ContentHash | None = None,
        size_bytes: int = 0,
        acl: Sequence[str] | None = None,
        now: datetime | None = None,
    ) -> Published:
        """Note that a file could not be processed; it is listed with its reason until a retry works.

        A version that was published before stays as it is, with the reason beside it; what was withdrawn
        stays gone, for its own reason. acl: as for `publish`.
        """
        now = now or datetime.now(UTC)
        with self._database.write() as connection:
            document = sources.id_at(connection, bucket, source)
            row = connection.execute(sa.select(*SUMMARY_COLUMNS).where(documents.c.id == document)).first()
            groups = wanted_acl(connection, document, bucket, row, acl, now)
            if row is not None and row.version > 0:
                is_gone = row.status == DocumentStatus.GONE
                changed = {
                    "failed_hash": content_hash or "",
                    **acl_values(connection, groups, mark=GONE_ACCESS if is_gone else ""),
                }
                if not is_gone:
                    changed |= {"reason": reason, "updated_at": now}
                connection.execute(sa.update(documents).where(documents.c.id == document).values(**changed))
            else:
                values = _failed_row(document, bucket, source, reason)
                values |= {"title": source, "content_hash": content_hash or ""}
                values |= name_values(connection, None, values)
                values["failed_hash"] = content_hash or ""
                values |= {"size_bytes": size_bytes, "media_type": ""}
                put_document(connection, values, groups, now)
            append_changes(connection, (document,), "failed", now)
            kept = connection.execute(sa.select(*SUMMARY_COLUMNS).where(documents.c.id == document)).one()
        return Published(
            document, kept.version, IngestOutcome.FAILED, kept.name, reason, kept.pages, kept.passages
        )

    def list(self, visible: Visibility, query: DocumentQuery = _ALL) -> list[DocumentSummary]:
        """The documents that match, in the order asked for."""
        column: sa.ColumnElement[Any] = documents.c[query.order.value]
        if query.text:
            # A filter in the middle of a text has to look at every row: in the table's order, which an
            # expression leaves free, 52 ms over 50,000; in an index's order, row by row, 386.
            column = column + ("" if isinstance(column.type, Text) else 0)
        primary = column.desc() if query.descending else column.asc()
        order = [primary, documents.c.id.desc() if query.descending else documents.c.id.asc()]
        statement = sa.select(*SUMMARY_COLUMNS).where(*_conditions(visible, query)).order_by(*order)
        if query.limit is not None:
            statement = statement.limit(query.limit)
        if query.offset:
            statement = statement.offset(query.offset)
        return [summary_of(row) for row in self._database.rows(statement)]

    def count(self, visible: Visibility, query: DocumentQuery = _ALL) -> int:
        """Number of documents that match; limit and offset do not matter."""
        statement = sa.select(sa.func.count()).select_from(documents).where(*_conditions(visible, query))
        return int(self._database.scalar(statement))

    def ids(self, visible: Visibility, query: DocumentQuery) -> frozenset[DocumentId]:
        """The documents that match, whatever limit and order."""
        statement = sa.select(documents.c.id).where(*_conditions(visible, query))
        return frozenset(map(DocumentId, self._database.scalars(statement)))

    def totals(self, visible: Visibility) -> CollectionTotals:
        """Documents and passages in all."""
        statement = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(documents.c.passages), 0)).where(
            visible.condition()
        )
        found = self._database.one(statement)
        return CollectionTotals(int(found[0]), int(found[1]))

    def get(self, document: DocumentId, visible: Visibility) -> DocumentSummary:
        """One document. Raises NotFoundError."""
        with self._database.read() as connection:
            return _summary(connection, document, visible)

    def get_many(
        self, wanted: Collection[DocumentId], visible: Visibility
    ) -> dict[DocumentId, DocumentSummary]:
        """Those of the documents that are there and may be seen."""
        statement = sa.select(*SUMMARY_COLUMNS).where(visible.to_open().condition())
        rows = self._database.rows_among(statement, documents.c.id, wanted)
        return {DocumentId(row.id): summary_of(row) for row in rows}

    def parts(
        self, wanted: Collection[DocumentId], visible: Visibility
    ) -> dict[DocumentId, tuple[FilePart, ...]]:
        """Parts of the files of those documents that may be seen and of whose file not all was read."""
        statement = (
            sa.select(documents.c.id, document_versions.c.parts)
            .join(document_versions, is_current())
            .where(visible.condition(), documents.c.gaps > 0)
        )
        rows = self._database.rows_among(statement, documents.c.id, wanted)
        return {DocumentId(row.id): parts_of(row.parts) for row in rows}

    def with_gaps(self, visible: Visibility) -> frozenset[DocumentId]:
        """The documents that may be seen and of whose file something was not read."""
        statement = sa.select(documents.c.id).where(documents.c.gaps > 0, visible.condition())
        return frozenset(map(DocumentId, self._database.scalars(statement)))

    def created_at(self, wanted: Collection[DocumentId], visible: Visibility) -> dict[DocumentId, datetime]:
        """Times of arrival in the collection, of those documents that are there and may be seen."""
        statement = sa.select(documents.c.id, documents.c.created_at).where(visible.condition())
        rows = self._database.rows_among(statement, documents.c.id, wanted)
        return {DocumentId(row.id): row.created_at for row in rows}

    def find(self, bucket: str, source: str) -> DocumentSummary | None:
        """The document that `source` names in a bucket, for ingest: whoever may see it."""
        with self._database.read() as connection:
            known = sources.id_at(connection, bucket, source)
            row = connection.execute(sa.select(*SUMMARY_COLUMNS).where(documents.c.id == known)).first()
        return None if row is None else summary_of(row)

    def move(self, document: DocumentId, source: str, now: datetime | None = None) -> None:
        """Give a document the source at which its file lies now; nothing else of it changes."""
        with self._database.write() as connection:
            sources.move(connection, document, source, now or datetime.now(UTC))

    def below(self, bucket: str, root: str, before: datetime) -> builtins.list[DocumentSummary]:
        """The documents that were there by then whose sources lie in a folder or archive, for ingest."""
        return [summary_of(row) for row in self._database.rows(sources.below(bucket, root, before))]

    def of_file_name(self, bucket: str, source: str, visible: Visibility) -> builtins.list[DocumentSummary]:
        """The documents that are called as the file at a source, wherever they lie, the newest first."""
        statement = sources.of_file_name(bucket, source, visible)
        named = [summary_of(row) for row in self._database.rows(statement)]
        return [each for each in named if each.source.rpartition("/")[2] == source.rpartition("/")[2]]

    def numbered(self, bucket: str, source: str) -> builtins.list[DocumentSummary]:
        """The other documents at a source, which bear a number, for ingest: `minutes.txt (2)`."""
        return [summary_of(row) for row in self._database.rows(sources.numbered(bucket, source))]

    def of_bytes(self, bucket: str, content_hash: ContentHash) -> builtins.list[DocumentSummary]:
        """The documents of a bucket whose current version has these bytes, the oldest first, for ingest."""
        return [summary_of(row) for row in self._database.rows(sources.of_bytes(bucket, content_hash))]

    def version(
        self, document: DocumentId, version: int | None, visible: Visibility, *, with_pages: bool = True
    ) -> DocumentVersion:
        """A version with all its pages, the current one for None. Raises NotFoundError.

        The summary of an older version has that version's title, type, size, hash, counts and status.
        with_pages=False leaves `pages` empty, for those who only ask what the version is.
        """
        with self._database.read() as connection:
            summary = _summary(connection, document, visible)
            wanted = summary.version if version is None else _within_range(version)
            if wanted == 0 and version is None:
                return DocumentVersion(summary, 0, (), ())
            row = connection.execute(
                sa.select(document_versions).where(
                    document_versions.c.document == document, document_versions.c.version == wanted
                )
            ).first()
            if row is None:
                raise NotFoundError(
                    f"Document {document!r} has no version {wanted}.",
                    next_step=f"Open its current version, {summary.version}.",
                )
            texts = _pages(connection, document, wanted) if with_pages else ()
        if wanted != summary.version:
            summary = summary_as_of(summary, row)
        links, parts = links_of(row.links), parts_of(row.parts)
        return DocumentVersion(summary, wanted, texts, links, dict(row.metadata or {}), parts)

    def page(self, document: DocumentId, version: int | None, page_no: int, visible: Visibility) -> Page:
        """One page of a version, of the current one for None. Raises NotFoundError."""
        wanted = documents.c.version if version is None else _within_range(version)
        statement = (
            sa.select(pages)
            .join(documents, documents.c.id == pages.c.document)
            .where(
                documents.c.id == document,
                pages.c.version == wanted,
                pages.c.page_no == _within_range(page_no),
            )
            .where(visible.to_open().condition())
        )
        row = self._database.first(statement)
        if row is None:
            raise NotFoundError(
                f"There is no page {page_no} of document {document!r} that you may see.",
                next_step="Look at the list of documents, and at the page count there.",
            )
        return page_of(row)

    def page_size(self, document: DocumentId, version: int, page_no: int) -> PageSize | None:
        """The size of a page, whoever may see it; None where there is no such page or it has none."""
        statement = sa.select(pages.c.width_pt, pages.c.height_pt).where(
            pages.c.document == document,
            pages.c.version == version,
            pages.c.page_no == _within_range(page_no),
        )
        row = self._database.first(statement)
        return None if row is None else page_size_of(row)

    def failed_hash(self, document: DocumentId, visible: Visibility) -> ContentHash | None:
        """The original that failed last, for a retry; None where the last ingest went well."""
        statement = sa.select(documents.c.failed_hash).where(documents.c.id == document, visible.condition())
        found = self._database.scalar(statement)
        return ContentHash(found) if found else None

    def metadata(self, document: DocumentId, visible: Visibility) -> dict[str, str]:
        """Properties that the current version's file states: author, dates, sender. Raises NotFoundError."""
        with self._database.read() as connection:
            summary = _summary(connection, document, visible)
            found = connection.execute(
                sa.select(document_versions.c["metadata"]).where(
                    document_versions.c.document == document,
                    document_versions.c.version == summary.version,
                )
            ).scalar()
        return dict(found or {})

    def rename(
        self, document: DocumentId, name: str, visible: Visibility, now: datetime | None = None
    ) -> str:
        """Give a document a name by hand, the one that its text says for ""; gives the name it has then.

        Raises NotFoundError, UsageError for a name that is too long.
        """
        with self._database.write() as connection:
            return names.rename(connection, document, name, visible, now or datetime.now(UTC))

    def identity(self, document: DocumentId, visible: Visibility) -> Identity | None:
        """What a document is, between whom and when, by its text; None where that was not read.

        Raises NotFoundError.
        """
        with self._database.read() as connection:
            return names.identity(connection, document, visible)

    def family(self, document: DocumentId, visible: Visibility) -> Family:
        """The documents over one and under it, of those that may be seen. Raises NotFoundError."""
        with self._database.read() as connection:
            return family.family(connection, document, visible)

    def withdraw(
        self, wanted: Collection[DocumentId], reason: str, now: datetime | None = None
    ) -> builtins.list[DocumentId]:
        """Take documents out of the collection whose source gives them no more; give those it took out.

        They leave the index, the fields and every count and list, but for that of what is gone; pages and
        versions stay for older citations, and verdicts for when they come back: publishing the source again
        does that. reason: in words or as a status, such as "404". Unknown and withdrawn ids are passed over.
        """
        now = now or datetime.now(UTC)
        with self._database.write() as connection:
            withdrawn = [
                each
                for some in slices(sorted(set(wanted)))
                for each in withdraw(connection, some, reason, now)
            ]
            append_changes(connection, withdrawn, "withdrawn", now)
        return withdrawn

    def remove(
        self, wanted: Collection[DocumentId], now: datetime | None = None
    ) -> builtins.list[DocumentId]:
        """Remove documents with all versions, pages, passages and originals; give those that were there.

        Unknown ids are passed over. An original that another document has too is kept.
        """
        with self._database.write() as connection:
            removed: builtins.list[DocumentId] = []
            released: dict[ContentHash, datetime] = {}
            for some in slices(wanted):
                removed += _remove(connection, some, released, now or datetime.now(UTC))
            remove_unused(connection, released)
            append_changes(connection, removed, "removed", now or datetime.now(UTC))
        self._blobs.remove_released(released)
        return removed

    def buckets(self, visible: Visibility) -> builtins.list[BucketSummary]:
        """The buckets by name; those without a document that may be seen only for who sees everything."""
        statement = (
            sa.select(
                documents.c.bucket, sa.func.count(), sa.func.coalesce(sa.func.sum(documents.c.passages), 0)
            )
            .where(visible.condition())
            .group_by(documents.c.bucket)
        )
        with self._database.read() as connection:
            found = {
                row[0]: BucketSummary(row[0], int(row[1]), int(row[2]))
                for row in connection.execute(statement)
            }
            if visible.groups is None:
                for name in connection.execute(sa.select(buckets.c.name)).scalars():
                    if visible.has(name):
                        found.setdefault(name, BucketSummary(name, 0, 0))
        return [found[name] for name in sorted(found)]

    def add_bucket(self, name: str, now: datetime | None = None) -> None:
        """Make an empty bucket; nothing happens where it is there already."""
        with self._database.write() as connection:
            row = {"name": name, "created_at": now or datetime.now(UTC)}
            insert_or_ignore(connection, buckets, [row])

    def promise_levels(self) -> dict[str, PromiseLevel]:
        """The promise level of every bucket."""
        found = self._database.rows(sa.select(buckets.c.name, buckets.c.promise))
        return {row.name: PromiseLevel(row.promise) for row in found}

    def set_promise(self, bucket: str, level: PromiseLevel) -> None:
        """Choose the promise level of a bucket. Raises NotFoundError where there is no such bucket."""
        self._change_bucket(bucket, promise=level.value)

    def read_by_model(self) -> frozenset[str]:
        """The buckets whose new documents a language model reads, too."""
        found = self._database.rows(sa.select(buckets.c.name).where(buckets.c.read_by_model))
        return frozenset(row.name for row in found)

    def set_read_by_model(self, bucket: str, is_on: bool) -> None:
        """Switch that on or off. Raises NotFoundError where there is no such bucket."""
        self._change_bucket(bucket, read_by_model=is_on)

    def _change_bucket(self, bucket: str, **values: object) -> None:
        with self._database.write_rows() as connection:
            change = sa.update(buckets).where(buckets.c.name == bucket).values(**values)
            if not connection.execute(change).rowcount:
                raise NotFoundError(
                    f"There is no bucket {bucket!r}.", next_step="Choose one that `groundwork status` lists."
                )


def _summary(connection: Connection, document: DocumentId, visible: Visibility) -> DocumentSummary:
    row = connection.execute(
        sa.select(*SUMMARY_COLUMNS).where(documents.c.id == document, visible.to_open().condition())
    ).first()
    if row is None:
        raise NotFoundError(
            f"There is no document {document!r} that you may see.",
            next_step="Look at the list of documents for its id.",
        )
    return summary_of(row)


def _within_range(number: int) -> int:
    """The number, or 0, which names nothing, where no database column could hold it."""
    return number if 0 < number < 2**31 else 0


def _remove(
    connection: Connection,
    some: builtins.list[DocumentId],
    released: dict[ContentHash, datetime],
    now: datetime,
) -> builtins.list[DocumentId]:
    """Delete those of the documents that are there; notes their originals, and when they were last used."""
    rows = connection.execute(
        sa.select(documents.c.id, documents.c.failed_hash, documents.c.updated_at)
        .where(documents.c.id.in_(some))
        .order_by(documents.c.id)
    ).all()
    seen = connection.execute(
        sa.select(document_versions.c.content_hash, document_versions.c.seen_at).where(
            document_versions.c.document.in_(some)
        )
    ).all()
    for name, at in [*seen, *((row.failed_hash, row.updated_at) for row in rows if row.failed_hash)]:
        released[ContentHash(name)] = max(at, released.get(ContentHash(name), at))
    drop_entries(connection, some, now)
    told, gone = sa.select(written_summaries.c.scope, written_summaries.c.documents), set(some)
    for scope, named in connection.execute(told).all():
        if not gone.isdisjoint(named):
            connection.execute(sa.delete(written_summaries).where(written_summaries.c.scope == scope))
    connection.execute(sa.delete(documents).where(documents.c.id.in_(some)))
    return [DocumentId(row.id) for row in rows]


def _conditions(visible: Visibility, query: DocumentQuery) -> list[sa.ColumnElement[bool]]:
    if query.with_gone or query.status is DocumentStatus.GONE:
        visible = visible.including_gone()
    conditions = [visible.condition()]
    if query.bucket is not None:
        conditions.append(documents.c.bucket == query.bucket)
    if query.status is not None:
        conditions.append(documents.c.status == query.status.value)
    if query.has_gaps:
        conditions.append(documents.c.gaps > 0)
    if query.among is not None:
        conditions.append(among(documents.c.id, query.among))
    if text := storable(query.text.strip().casefold()[:_LONGEST_FILTER]):
        conditions.append(documents.c.search_text.contains(text, autoescape=True))
    return conditions


def _failed_row(document: DocumentId, bucket: str, source: str, reason: str) -> dict[str, Any]:
    return {
        "id": document,
        "bucket": bucket,
        "source": source,
        "status": DocumentStatus.FAILED.value,
        "reason": reason,
        "version": 0,
        "doc_type": "",
        "language": "",
        "pages": 0,
        "passages": 0,
    }


def _pages(connection: Connection, document: DocumentId, version: int) -> tuple[Page, ...]:
    found = connection.execute(
        sa.select(pages)
        .where(pages.c.document == document, pages.c.version == version)
        .order_by(pages.c.page_no)
    )
    return tuple(page_of(page) for page in found)
