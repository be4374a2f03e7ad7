"""The tables of crawls: what was asked for, each run, and a row for every address that was ever seen."""

from __future__ import annotations

import sqlalchemy as sa

from core.records.database.schema import Moment, Text, metadata

crawls = sa.Table(
    "crawls",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("title", Text, nullable=False),
    sa.Column("user", Text, nullable=False),
    sa.Column("request", sa.JSON, nullable=False),  # a CrawlRequest
    sa.Column("pace", sa.JSON, nullable=False),  # a CrawlPace; may change while it runs
    sa.Column("bucket", Text, nullable=False),
    sa.Column("is_dry_run", sa.Boolean, nullable=False),
    sa.Column("run", sa.Integer, nullable=False),  # the current one; 0 before the first
    sa.Column("level", sa.Integer, nullable=False),  # depth whose addresses are released; -1 before the first
    sa.Column("job", Text),  # of the current run
    sa.Column("runner", Text, nullable=False),  # who alone may write to the ledger; "" for nobody
    sa.Column("is_stopping", sa.Boolean, nullable=False),
    sa.Column("bases", sa.JSON, nullable=False),  # start addresses, and where those redirect to
    sa.Column("schedule", Text, nullable=False),  # hourly, daily, weekly or five fields of cron; "" for none
    sa.Column("next_at", Moment),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("updated_at", Moment, nullable=False),
    sa.Index("crawls_by_creation", "created_at"),
    sa.Index("crawls_by_next", "next_at"),
)

crawl_runs = sa.Table(
    "crawl_runs",
    metadata,
    sa.Column("crawl", Text, sa.ForeignKey("crawls.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("run", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("job", Text, nullable=False),
    sa.Column("started_at", Moment, nullable=False),
    sa.Column("ended_at", Moment),
    sa.Column("counts", sa.JSON, nullable=False),
    sa.Column("samples", sa.JSON, nullable=False),  # [microseconds, fetched, queued, failed, bytes] each
    sa.Column("spells", sa.JSON, nullable=False, server_default="[]"),  # [begin, last sign, ended] each
)

crawl_urls = sa.Table(
    "crawl_urls",
    metadata,
    sa.Column("crawl", Text, sa.ForeignKey("crawls.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("key", Text, primary_key=True),  # of the address, which may be longer than an index takes
    sa.Column("url", Text, nullable=False),
    sa.Column("host", Text, nullable=False),
    sa.Column("pattern", Text, nullable=False),  # addresses that differ only in what varies; "" for none
    sa.Column("run", sa.Integer, nullable=False),
    sa.Column("depth", sa.Integer, nullable=False),
    sa.Column("state", Text, nullable=False),
    sa.Column("reason", Text, nullable=False),
    sa.Column("detail", Text, nullable=False),
    sa.Column("found_on", Text, nullable=False),
    sa.Column("leads_to", Text, nullable=False),
    sa.Column("hops", sa.Integer, nullable=False),
    sa.Column("status", sa.Integer),
    sa.Column("media_type", Text, nullable=False),
    sa.Column("title", Text, nullable=False),
    sa.Column("size_bytes", sa.BigInteger, nullable=False),
    sa.Column("content_hash", Text, nullable=False),
    sa.Column("text_hash", Text, nullable=False),
    sa.Column("etag", Text, nullable=False),
    sa.Column("last_modified", Text, nullable=False),
    sa.Column("change", Text, nullable=False),
    sa.Column("document", Text),
    sa.Column("indexed_hash", Text, nullable=False),  # content that the document holds; "" for none
    sa.Column("requests", sa.Integer, nullable=False),
    sa.Column("repeats", sa.Integer, nullable=False),
    sa.Column("not_before", Moment),  # a queued address that the site asked to wait with
    sa.Column("fetched_at", Moment),
    sa.Index("crawl_urls_by_state", "crawl", "run", "state", "depth", "reason"),
    sa.Index("crawl_urls_by_content", "crawl", "content_hash"),
    sa.Index("crawl_urls_by_text", "crawl", "text_hash"),
    sa.Index("crawl_urls_by_pattern", "crawl", "pattern"),
    sa.Index("crawl_urls_by_hash", "content_hash"),
    sa.Index("crawl_urls_by_document", "document"),
)
