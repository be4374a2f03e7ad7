"""The JSON of crawls and their ledgers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.domain.crawl.ledger import CrawlRun, CrawlSummary, UrlRow
from core.domain.wire.shapes import envelope


def url_json(row: UrlRow) -> dict[str, Any]:
    """One address. status: its state; http_status: null before an answer."""
    return {
        "url": row.url,
        "depth": row.depth,
        "status": row.state.value,
        "reason": row.reason.value,
        "detail": row.detail,
        "document": row.document,
        "http_status": row.status,
        "media_type": row.media_type,
        "title": row.title,
        "size_bytes": row.size_bytes,
        "content_hash": row.content_hash or None,
        "found_on": row.found_on or None,
        "leads_to": row.leads_to or None,
        "change": row.change.value or None,
        "requests": row.requests,
        "repeats": row.repeats,
        "fetched_at": None if row.fetched_at is None else row.fetched_at.isoformat(),
    }


def run_json(run: CrawlRun) -> dict[str, Any]:
    """One run of a crawl."""
    return {
        "run": run.run,
        "job": run.job,
        "started_at": run.started_at.isoformat(),
        "ended_at": None if run.ended_at is None else run.ended_at.isoformat(),
        "counts": dict(run.counts),
    }


def crawl_json(crawl: CrawlSummary) -> dict[str, Any]:
    """A crawl as a list has it."""
    return {
        "id": crawl.id,
        "title": crawl.title,
        "bucket": crawl.bucket,
        "dry_run": crawl.is_dry_run,
        "state": crawl.state.value,
        "run": crawl.run,
        "job": crawl.job,
        "counts": dict(crawl.counts),
        "schedule": crawl.schedule or None,
        "next_at": None if crawl.next_at is None else crawl.next_at.isoformat(),
        "created_at": crawl.created_at.isoformat(),
        "user": crawl.user,
    }


def ledger_json(
    crawl: CrawlSummary,
    rows: Iterable[UrlRow],
    runs: Iterable[CrawlRun] = (),
    error: str | None = None,
    in_doubt: Iterable[UrlRow] = (),
) -> dict[str, Any]:
    """A crawl with its ledger. counts: addresses of its last run by state and change; error: of its job.

    in_doubt: addresses whose documents the last run did not withdraw by itself.
    """
    return envelope(
        crawl=crawl.id,
        title=crawl.title,
        bucket=crawl.bucket,
        dry_run=crawl.is_dry_run,
        state=crawl.state.value,
        error=error,
        urls=[url_json(row) for row in rows],
        counts=dict(crawl.counts),
        runs=[run_json(run) for run in runs],
        in_doubt=[row.url for row in in_doubt],
    )
