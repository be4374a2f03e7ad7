"""Crawls: what was asked for, each run, and a row for every address that was ever seen."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_MOMENT = sa.BigInteger()


def upgrade() -> None:
    """Three tables, empty at first."""
    op.create_table(
        "crawls",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("title", _TEXT, nullable=False),
        sa.Column("user", _TEXT, nullable=False),
        sa.Column("request", sa.JSON(), nullable=False),
        sa.Column("pace", sa.JSON(), nullable=False),
        sa.Column("bucket", _TEXT, nullable=False),
        sa.Column("is_dry_run", sa.Boolean(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("job", _TEXT),
        sa.Column("runner", _TEXT, nullable=False),
        sa.Column("is_stopping", sa.Boolean(), nullable=False),
        sa.Column("bases", sa.JSON(), nullable=False),
        sa.Column("schedule", _TEXT, nullable=False),
        sa.Column("next_at", _MOMENT),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
    )
    op.create_index("crawls_by_creation", "crawls", ["created_at"])
    op.create_index("crawls_by_next", "crawls", ["next_at"])
    op.create_table(
        "crawl_runs",
        sa.Column("crawl", _TEXT, sa.ForeignKey("crawls.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("run", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("job", _TEXT, nullable=False),
        sa.Column("started_at", _MOMENT, nullable=False),
        sa.Column("ended_at", _MOMENT),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.Column("samples", sa.JSON(), nullable=False),
    )
    op.create_table(
        "crawl_urls",
        sa.Column("crawl", _TEXT, sa.ForeignKey("crawls.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("key", _TEXT, primary_key=True),
        sa.Column("url", _TEXT, nullable=False),
        sa.Column("host", _TEXT, nullable=False),
        sa.Column("pattern", _TEXT, nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("state", _TEXT, nullable=False),
        sa.Column("reason", _TEXT, nullable=False),
        sa.Column("detail", _TEXT, nullable=False),
        sa.Column("found_on", _TEXT, nullable=False),
        sa.Column("leads_to", _TEXT, nullable=False),
        sa.Column("hops", sa.Integer(), nullable=False),
        sa.Column("status", sa.Integer()),
        sa.Column("media_type", _TEXT, nullable=False),
        sa.Column("title", _TEXT, nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("content_hash", _TEXT, nullable=False),
        sa.Column("text_hash", _TEXT, nullable=False),
        sa.Column("etag", _TEXT, nullable=False),
        sa.Column("last_modified", _TEXT, nullable=False),
        sa.Column("change", _TEXT, nullable=False),
        sa.Column("document", _TEXT),
        sa.Column("indexed_hash", _TEXT, nullable=False),
        sa.Column("requests", sa.Integer(), nullable=False),
        sa.Column("repeats", sa.Integer(), nullable=False),
        sa.Column("not_before", _MOMENT),
        sa.Column("fetched_at", _MOMENT),
    )
    op.create_index("crawl_urls_by_state", "crawl_urls", ["crawl", "run", "state", "depth", "reason"])
    op.create_index("crawl_urls_by_content", "crawl_urls", ["crawl", "content_hash"])
    op.create_index("crawl_urls_by_text", "crawl_urls", ["crawl", "text_hash"])
    op.create_index("crawl_urls_by_pattern", "crawl_urls", ["crawl", "pattern"])
    op.create_index("crawl_urls_by_hash", "crawl_urls", ["content_hash"])
    op.create_index("crawl_urls_by_document", "crawl_urls", ["document"])


def downgrade() -> None:
    """Take them away again."""
    for table in ("crawl_urls", "crawl_runs", "crawls"):
        op.drop_table(table)
