"""Outcomes of fetching one address, as the crawler reports it to the ledger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from core.domain.crawl.ledger import UrlReason, UrlState
from core.domain.ids import ContentHash

_NO_CONTENT = ContentHash("")


@dataclass(frozen=True, slots=True)
class FoundUrl:
    """An address that a page, a redirect or a sitemap leads to, in its normal form.

    state: QUEUED where it is to be fetched, else SKIPPED with the reason. pattern: the address with what
    varies taken out, where it looks like one of endlessly many; "" otherwise. is_same_depth: a redirect or a
    canonical address, which is no step deeper. hops: redirects so far. is_base: the site of a start address
    lives there, so its host or folder belongs to the crawl from now on.
    """

    url: str
    host: str
    state: UrlState = UrlState.QUEUED
    reason: UrlReason = UrlReason.NONE
    detail: str = ""
    pattern: str = ""
    is_same_depth: bool = False
    hops: int = 0
    is_base: bool = False


@dataclass(frozen=True, slots=True)
class UrlOutcome:
    """Settlement of one address: see UrlRow for the fields. KEPT with is_not_modified keeps what it had.

    found: addresses on it, to be added one level deeper (or at its own, see FoundUrl). was_requested: False
    where no request left this machine for it (robots.txt, a private address). wait_until: the site asked to
    wait, so the address stays queued; state is then QUEUED.
    """

    state: UrlState
    reason: UrlReason = UrlReason.NONE
    detail: str = ""
    status: int | None = None
    media_type: str = ""
    title: str = ""
    size_bytes: int = 0
    content_hash: ContentHash = _NO_CONTENT
    text_hash: str = ""
    etag: str = ""
    last_modified: str = ""
    leads_to: str = ""
    is_not_modified: bool = False
    found: tuple[FoundUrl, ...] = ()
    was_requested: bool = True
    wait_until: datetime | None = None


def distinct(found: Iterable[FoundUrl]) -> tuple[FoundUrl, ...]:
    """Each address once; one that is to be fetched goes before one that is left out."""
    best: dict[str, FoundUrl] = {}
    for each in found:
        known = best.get(each.url)
        if known is None or (known.state is UrlState.SKIPPED and each.state is UrlState.QUEUED):
            best[each.url] = each
    return tuple(best.values())
