"""Speed of a crawl, and the time that it still takes, from the points of its chart."""

from __future__ import annotations

from core.domain.crawl.ledger import CrawlProgress, CrawlRun, UrlState

WINDOW_S = 30.0
"""Seconds by which the speed is measured: long enough for a slow site, short enough to follow a change."""


def pages_a_second(run: CrawlRun | None) -> float | None:
    """Addresses settled a second lately; None before two points tell it."""
    samples = run.samples if run is not None else ()
    if len(samples) < 2:
        return None
    last = samples[-1]
    first = next(each for each in samples if (last.at - each.at).total_seconds() <= WINDOW_S)
    if first is last:
        first = samples[-2]
    seconds = (last.at - first.at).total_seconds()
    return max(0.0, (last.fetched - first.fetched) / seconds) if seconds > 0 else None


def seconds_left(progress: CrawlProgress, rate: float | None, max_pages: int) -> float | None:
    """Seconds for the addresses that are known and still fit the page limit; None where nothing moves."""
    if not rate:
        return None
    room = max(0, max_pages - progress.counts.get(UrlState.KEPT, 0))
    return min(progress.queued, room) / rate
