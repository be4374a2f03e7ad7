"""The tables, in SQLAlchemy Core; every type here means the same on SQLite and on Postgres.

Counts (pages, passages) are columns, kept by the write that changes them: a list of 50,000 documents
never counts rows. Passages belong to the current version of their document; pages of every version stay.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from core.domain.fields import DEFAULT_LEVEL

REVISIONS = ("0035",)
"""Every Alembic revision that this code knows, oldest first; the last one is the schema of these tables."""

OLDEST = "0026"
"""The oldest schema whose homes are opened: up to the first revision, tables, columns and indices only came.

With the next revision it becomes the first one: to complete an older home would run ahead of migrations.
"""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Text(sa.types.TypeDecorator[str]):
    """Text that any database takes and orders alike: by code point, whatever the database's language.

    NUL and lone surrogates become U+FFFD, one for one: file names can hold both, and replacing one character
    by one keeps every offset where it was.
    """

    impl = sa.Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> sa.types.TypeEngine[Any]:
        """The database's own type."""
        return sa.Text(collation="C" if dialect.name == "postgresql" else None)

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The value as it is stored."""
        return None if value is None else storable(value)


class Moment(sa.types.TypeDecorator[datetime]):
    """An aware UTC datetime, stored as microseconds since 1970: exact, ordered, equal everywhere."""

    impl = sa.BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """The value as it is stored; a naive datetime is refused."""
        return None if value is None else (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """The value as Python has it."""
        return None if value is None else _EPOCH + timedelta(microseconds=value)


def storable(text: str) -> str:
    """The text with NUL and lone surrogates replaced by U+FFFD; its length does not change."""
    if text.isascii() and "\0" not in text:
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        text = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    return text.replace("\0", "\ufffd")


BigId = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

metadata = sa.MetaData()

meta = sa.Table(
    "meta",
    metadata,
    sa.Column("key", Text, primary_key=True),
    sa.Column("value", sa.JSON, nullable=False),
)

buckets = sa.Table(
    "buckets",
    metadata,
    sa.Column("name", Text, primary_key=True),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("promise", Text, nullable=False, server_default=DEFAULT_LEVEL.value),  # a promise level
    sa.Column("read_by_model", sa.Boolean, nullable=False, server_default=sa.false()),  # its new documents
)

documents = sa.Table(
    "documents",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("bucket", Text, sa.ForeignKey("buckets.name"), nullable=False),
    sa.Column("source", Text, nullable=False),
    sa.Column("title", Text, nullable=False),  # as the file states it
    sa.Column("status", Text, nullable=False),
    sa.Column("reason", Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),  # 0: no version yet, only a failure
    sa.Column("doc_type", Text, nullable=False),
    sa.Column("media_type", Text, nullable=False),
    sa.Column("language", Text, nullable=False),
    sa.Column("acl", sa.JSON, nullable=False),
    sa.Column("access", Text, nullable=False),  # key of the acl in acl_groups; "": everybody
    sa.Column("pages", sa.Integer, nullable=False),
    sa.Column("passages", sa.Integer, nullable=False),
    sa.Column("size_bytes", sa.BigInteger, nullable=False),
    sa.Column("content_hash", Text, nullable=False),
    sa.Column("failed_hash", Text, nullable=False),  # of the bytes that failed last; "" once all is well
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("updated_at", Moment, nullable=False),
    sa.Column("search_text", Text, nullable=False),  # name, title and source, case-folded, for the filter box
    sa.Column("name", Text, nullable=False, server_default=""),  # as people see it
    sa.Column("is_named_by_hand", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("identity", sa.JSON),  # of the name's parts; NULL until they were read
    sa.Column("gaps", sa.Integer, nullable=False, server_default="0"),  # parts of the file that were not read
    sa.Column("text_hash", Text, nullable=False, server_default=""),  # of its words, equal for copies
    # With `access` at its end an index decides who may see a row without reading the row.
    sa.Index("documents_by_bucket", "bucket", "access", "passages"),
    # Not on Postgres, whose index entries end at 2,700 bytes, which a title or path may exceed.
    sa.Index("documents_by_bucket_title", "bucket", "title", "id", "access").ddl_if(dialect="sqlite"),
    sa.Index("documents_by_title", "title", "id", "access").ddl_if(dialect="sqlite"),
    sa.Index("documents_by_source", "source", "id", "access").ddl_if(dialect="sqlite"),
    sa.Index("documents_by_update", "updated_at", "id", "access"),
    sa.Index("documents_by_status", "status", "id", "access"),
    sa.Index("documents_by_pages", "pages", "id", "access"),
    sa.Index("documents_by_passages", "passages", "id", "access"),
    sa.Index("documents_by_size", "size_bytes", "id", "access"),
    sa.Index("documents_by_failed_hash", "failed_hash"),
    sa.Index("documents_by_text", "text_hash", "id", "access"),
    # A hash on Postgres, see `migrate`.
    sa.Index("documents_by_name", "name"),
)

# A collection has few distinct acls, so the access filter is a handful of keys, not a list of documents:
# a page of 50,000 documents took 8 ms instead of 57, a count 25 instead of 102 (on a busy machine).
acl_groups = sa.Table(
    "acl_groups",
    metadata,
    sa.Column("group_name", Text, primary_key=True),
    sa.Column("access", Text, primary_key=True),
)

document_versions = sa.Table(
    "document_versions",
    metadata,
    sa.Column("document", Text, sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("content_hash", Text, nullable=False),
    sa.Column("title", Text, nullable=False),
    sa.Column("status", Text, nullable=False),
    sa.Column("reason", Text, nullable=False),
    sa.Column("doc_type", Text, nullable=False),
    sa.Column("media_type", Text, nullable=False),
    sa.Column("language", Text, nullable=False),
    sa.Column("pages", sa.Integer, nullable=False),
    sa.Column("passages", sa.Integer, nullable=False),
    sa.Column("size_bytes", sa.BigInteger, nullable=False),
    sa.Column("metadata", sa.JSON, nullable=False),
    sa.Column("links", sa.JSON, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("seen_at", Moment, nullable=False),  # when these bytes were last given to publish
    sa.Column("gaps", sa.Integer, nullable=False, server_default="0"),
    sa.Column("text_hash", Text, nullable=False, server_default=""),
    sa.Column("parts", sa.JSON, nullable=False, server_default="[]"),  # [kind, state, count, place, reason]
    sa.Index("document_versions_by_hash", "content_hash"),
)

pages = sa.Table(
    "pages",
    metadata,
    sa.Column("document", Text, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("page_no", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("label", Text, nullable=False),
    sa.Column("headings", sa.JSON, nullable=False),
    sa.Column("text", Text, nullable=False),
    sa.Column("width_pt", sa.Float),  # as the page is shown; none where it was not measured
    sa.Column("height_pt", sa.Float),
    sa.ForeignKeyConstraint(
        ["document", "version"],
        ["document_versions.document", "document_versions.version"],
        ondelete="CASCADE",
    ),
)

page_readings = sa.Table(  # what was read off the images of an original's pages
    "page_readings",
    metadata,
    sa.Column("content_hash", Text, primary_key=True),
    sa.Column("page_no", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("text", Text, nullable=False),
    sa.Column("lines", sa.JSON, nullable=False),  # flat: start, end, x0, y0, x1, y1, confidence
)

passages = sa.Table(
    "passages",
    metadata,
    sa.Column("id", BigId, primary_key=True),
    sa.Column("document", Text, sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("ordinal", sa.Integer, nullable=False),
    sa.Column("tokens", sa.Integer, nullable=False),
    sa.Column("layout", sa.JSON, nullable=False),  # see rows.py: one column, for it is read in one piece
    sa.Column("text", Text, nullable=False),
    sa.Column(
        "profile", Text, nullable=False, server_default=""
    ),  # of a variant that cuts anew; "": the home's
    sa.Index("passages_by_document", "document", "profile", "ordinal", unique=True),
    sqlite_autoincrement=True,  # ids are never used again: an index may still name a removed one
)


def of_passage() -> sa.Column[int]:
    """The key column of a table with a row for each passage."""
    owner = sa.ForeignKey("passages.id", ondelete="CASCADE")
    return sa.Column("passage", BigId, owner, primary_key=True, autoincrement=False)


# Two tables: a rebuild of the index reads every passage vector (1.5 KB) and no sentence vectors (7 KB).
passage_vectors = sa.Table(
    "passage_vectors",
    metadata,
    of_passage(),
    sa.Column("vector", sa.LargeBinary, nullable=False),  # (d,) float32, little endian
)

sentence_vectors = sa.Table(
    "sentence_vectors",
    metadata,
    of_passage(),
    sa.Column("dimension", sa.Integer, nullable=False),
    sa.Column("vectors", sa.LargeBinary, nullable=False),  # (n, dimension) float16, little endian
)

changes = sa.Table(
    "changes",
    metadata,
    sa.Column("seq", BigId, primary_key=True),
    sa.Column("document", Text, nullable=False),
    sa.Column("kind", Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Index("changes_by_document", "document"),
    sqlite_autoincrement=True,
)

conversations = sa.Table(
    "conversations",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("user", Text, nullable=False),
    sa.Column("title", Text, nullable=False),
    sa.Column("buckets", sa.JSON, nullable=False),
    sa.Column("turns", sa.Integer, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("updated_at", Moment, nullable=False),
    # The ordinal of the last turn when the set in hand was cleared: later questions refer to none up to it.
    sa.Column("cleared", sa.Integer, nullable=False, server_default="0"),
    sa.Index("conversations_by_user", "user", "updated_at"),
)

turns = sa.Table(
    "turns",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("conversation", Text, sa.ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    sa.Column("ordinal", sa.Integer, nullable=False),
    sa.Column("question", Text, nullable=False),
    sa.Column("state", Text, nullable=False),
    sa.Column("answer", Text),  # an Answer as JSON, where its trace does not hold it
    sa.Column("trace", Text),
    sa.Column("feedback", Text, nullable=False),
    sa.Column("asked_at", Moment, nullable=False),
    sa.Column("first_answer", Text),  # an Answer as JSON, to the question as it was first read
    sa.Column("first_trace", Text),
    sa.Index("turns_by_conversation", "conversation", "ordinal", unique=True),
    sa.Index("turns_by_state", "state", "asked_at"),
)

traces = sa.Table(
    "traces",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("user", Text, nullable=False),
    sa.Column("saved_at", Moment, nullable=False),
    sa.Column("trace", Text, nullable=False),  # a Trace as JSON, without the answer where `answer` holds it
    sa.Column("answer", Text),  # an Answer as JSON
    sa.Column("follow_ups", sa.JSON(none_as_null=True)),  # of the answer, where they were planned after it
    sa.Column("other_readings", sa.JSON(none_as_null=True)),  # of the answer, counted after it
    sa.Index("traces_by_user", "user", "saved_at"),
)

jobs = sa.Table(
    "jobs",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("user", Text, nullable=False),
    sa.Column("kind", Text, nullable=False),
    sa.Column("title", Text, nullable=False),
    sa.Column("state", Text, nullable=False),
    sa.Column("payload", sa.JSON, nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("rate", sa.Float),
    sa.Column("last_item", Text, nullable=False),
    sa.Column("error", Text),
    sa.Column("cancel_requested", sa.Boolean, nullable=False),
    sa.Column("owner", Text, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("updated_at", Moment, nullable=False),
    sa.Column("progress_at", Moment),
    sa.Column("current", sa.JSON(none_as_null=True)),
    sa.Index("jobs_by_state", "state", "created_at"),
    sa.Index("jobs_by_creation", "created_at"),
)

job_items = sa.Table(
    "job_items",
    metadata,
    sa.Column("job", Text, sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("ordinal", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("source", Text, nullable=False),
    sa.Column("bucket", Text, nullable=False),
    sa.Column("payload", sa.JSON, nullable=False),
    sa.Column("document", Text),
    sa.Column("title", Text, nullable=False),
    sa.Column("outcome", Text),  # NULL: not done yet
    sa.Column("reason", Text, nullable=False),
    sa.Column("pages", sa.Integer, nullable=False),
    sa.Column("passages", sa.Integer, nullable=False),
)

leases = sa.Table(
    "leases",
    metadata,
    sa.Column("name", Text, primary_key=True),
    sa.Column("owner", Text, nullable=False),
    sa.Column("acquired_at", Moment, nullable=False),
    sa.Column("expires_at", Moment, nullable=False),
)
