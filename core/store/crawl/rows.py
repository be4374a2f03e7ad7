"""Rows of the ledger as values, and back."""

from __future__ import annotations

from typing import Any

from core.domain.crawl.ledger import Change, UrlReason, UrlRow, UrlState
from core.domain.crawl.outcome import FoundUrl
from core.store.database.db import from_row, to_row
from core.store.database.work_tables import crawl_urls

COMPARED = (UrlState.KEPT.value, UrlState.GONE.value)
"""States of which the change counts: a page that became a duplicate is not new."""


def row_of(row: Any) -> UrlRow:
    """The value of a row of the table."""
    change = Change(row.change) if row.state in COMPARED else Change.NONE
    return from_row(UrlRow, row, state=UrlState(row.state), reason=UrlReason(row.reason), change=change)


def values_of_found(found: FoundUrl, run: int, depth: int, found_on: str) -> dict[str, Any]:
    """Columns of an address that was just met; nothing of it is known yet."""
    return to_row(crawl_urls, found) | {
        "run": run,
        "depth": depth,
        "state": found.state.value,
        "reason": found.reason.value,
        "found_on": found_on,
        "leads_to": "",
        "status": None,
        "media_type": "",
        "title": "",
        "size_bytes": 0,
        "content_hash": "",
        "text_hash": "",
        "etag": "",
        "last_modified": "",
        "change": "",
        "document": None,
        "indexed_hash": "",
        "requests": 0,
        "repeats": 0,
        "not_before": None,
        "fetched_at": None,
    }
