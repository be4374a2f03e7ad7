"""First light: documents, passages, conversations, traces, jobs and leases."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # ordered as SQLite orders

_SORTED_BY = {
    "title": "title",
    "source": "source",
    "update": "updated_at",
    "status": "status",
    "pages": "pages",
    "passages": "passages",
    "size": "size_bytes",
}


def upgrade() -> None:
    """Make every table."""
    _create_documents()
    _create_versions()
    _create_passages()
    _create_conversations()
    _create_jobs()


def downgrade() -> None:
    """Drop every table."""
    tables = (
        "leases",
        "job_items",
        "jobs",
        "traces",
        "turns",
        "conversations",
        "changes",
        "sentence_vectors",
        "passage_vectors",
        "passages",
        "pages",
        "document_versions",
        "acl_groups",
        "documents",
        "buckets",
        "meta",
    )
    for table in tables:
        op.drop_table(table)


def _create_documents() -> None:
    op.create_table(
        "meta",
        sa.Column("key", _TEXT, nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "buckets",
        sa.Column("name", _TEXT, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "documents",
        sa.Column("id", _TEXT, nullable=False),
        sa.Column("bucket", _TEXT, nullable=False),
        sa.Column("source", _TEXT, nullable=False),
        sa.Column("title", _TEXT, nullable=False),
        sa.Column("status", _TEXT, nullable=False),
        sa.Column("reason", _TEXT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("doc_type", _TEXT, nullable=False),
        sa.Column("media_type", _TEXT, nullable=False),
        sa.Column("language", _TEXT, nullable=False),
        sa.Column("acl", sa.JSON(), nullable=False),
        sa.Column("access", _TEXT, nullable=False),
        sa.Column("pages", sa.Integer(), nullable=False),
        sa.Column("passages", sa.Integer(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("content_hash", _TEXT, nullable=False),
        sa.Column("failed_hash", _TEXT, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("search_text", _TEXT, nullable=False),
        sa.ForeignKeyConstraint(
            ["bucket"],
            ["buckets.name"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "acl_groups",
        sa.Column("group_name", _TEXT, nullable=False),
        sa.Column("access", _TEXT, nullable=False),
        sa.PrimaryKeyConstraint("group_name", "access"),
    )
    op.create_index("documents_by_bucket", "documents", ["bucket", "access", "passages"])
    is_bounded = op.get_bind().dialect.name == "postgresql"  # its index entries end at 2,700 bytes
    if not is_bounded:
        op.create_index("documents_by_bucket_title", "documents", ["bucket", "title", "id", "access"])
    for name, column in _SORTED_BY.items():
        if not is_bounded or column not in ("title", "source"):
            op.create_index(f"documents_by_{name}", "documents", [column, "id", "access"])
    op.create_index("documents_by_failed_hash", "documents", ["failed_hash"])


def _create_versions() -> None:
    op.create_table(
        "document_versions",
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("content_hash", _TEXT, nullable=False),
        sa.Column("title", _TEXT, nullable=False),
        sa.Column("status", _TEXT, nullable=False),
        sa.Column("reason", _TEXT, nullable=False),
        sa.Column("doc_type", _TEXT, nullable=False),
        sa.Column("media_type", _TEXT, nullable=False),
        sa.Column("language", _TEXT, nullable=False),
        sa.Column("pages", sa.Integer(), nullable=False),
        sa.Column("passages", sa.Integer(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("metadata", sa.JSON(), nullable=False),
        sa.Column("links", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["document"], ["documents.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("document", "version"),
    )
    op.create_index("document_versions_by_hash", "document_versions", ["content_hash"], unique=False)
    op.create_table(
        "pages",
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("page_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("label", _TEXT, nullable=False),
        sa.Column("headings", sa.JSON(), nullable=False),
        sa.Column("text", _TEXT, nullable=False),
        sa.ForeignKeyConstraint(
            ["document", "version"],
            ["document_versions.document", "document_versions.version"],
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("document", "version", "page_no"),
    )


def _create_passages() -> None:
    op.create_table(
        "passages",
        sa.Column("id", _BIG_ID, nullable=False),
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("layout", sa.JSON(), nullable=False),
        sa.Column("text", _TEXT, nullable=False),
        sa.ForeignKeyConstraint(["document"], ["documents.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("passages_by_document", "passages", ["document", "ordinal"], unique=True)
    op.create_table(
        "passage_vectors",
        sa.Column("passage", _BIG_ID, autoincrement=False, nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["passage"], ["passages.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("passage"),
    )
    op.create_table(
        "sentence_vectors",
        sa.Column("passage", _BIG_ID, autoincrement=False, nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("vectors", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["passage"], ["passages.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("passage"),
    )
    op.create_table(
        "changes",
        sa.Column("seq", _BIG_ID, nullable=False),
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("kind", _TEXT, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("seq"),
        sqlite_autoincrement=True,
    )
    op.create_index("changes_by_document", "changes", ["document"], unique=False)


def _create_conversations() -> None:
    op.create_table(
        "conversations",
        sa.Column("id", _TEXT, nullable=False),
        sa.Column("user", _TEXT, nullable=False),
        sa.Column("title", _TEXT, nullable=False),
        sa.Column("buckets", sa.JSON(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("conversations_by_user", "conversations", ["user", "updated_at"], unique=False)
    op.create_table(
        "turns",
        sa.Column("id", _TEXT, nullable=False),
        sa.Column("conversation", _TEXT, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("question", _TEXT, nullable=False),
        sa.Column("state", _TEXT, nullable=False),
        sa.Column("answer", _TEXT, nullable=True),
        sa.Column("trace", _TEXT, nullable=True),
        sa.Column("feedback", _TEXT, nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["conversation"], ["conversations.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("turns_by_conversation", "turns", ["conversation", "ordinal"], unique=True)
    op.create_index("turns_by_state", "turns", ["state", "asked_at"], unique=False)
    op.create_table(
        "traces",
        sa.Column("id", _TEXT, nullable=False),
        sa.Column("user", _TEXT, nullable=False),
        sa.Column("saved_at", sa.BigInteger(), nullable=False),
        sa.Column("trace", _TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("traces_by_user", "traces", ["user", "saved_at"], unique=False)


def _create_jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", _TEXT, nullable=False),
        sa.Column("user", _TEXT, nullable=False),
        sa.Column("kind", _TEXT, nullable=False),
        sa.Column("title", _TEXT, nullable=False),
        sa.Column("state", _TEXT, nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("rate", sa.Float(), nullable=True),
        sa.Column("last_item", _TEXT, nullable=False),
        sa.Column("error", _TEXT, nullable=True),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("owner", _TEXT, nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("progress_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("jobs_by_creation", "jobs", ["created_at"], unique=False)
    op.create_index("jobs_by_state", "jobs", ["state", "created_at"], unique=False)
    op.create_table(
        "job_items",
        sa.Column("job", _TEXT, nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("source", _TEXT, nullable=False),
        sa.Column("bucket", _TEXT, nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("document", _TEXT, nullable=True),
        sa.Column("title", _TEXT, nullable=False),
        sa.Column("outcome", _TEXT, nullable=True),
        sa.Column("reason", _TEXT, nullable=False),
        sa.Column("pages", sa.Integer(), nullable=False),
        sa.Column("passages", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("job", "ordinal"),
    )
    op.create_table(
        "leases",
        sa.Column("name", _TEXT, nullable=False),
        sa.Column("owner", _TEXT, nullable=False),
        sa.Column("acquired_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
