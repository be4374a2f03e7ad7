"""Reason why a run of a crawl kept nothing, for a person: of its start addresses, in two sentences."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.crawl.ledger import UrlReason, UrlRow, UrlState
from core.domain.crawl.words import REASON_WORDS, STATE_WORDS
from core.errors import JobError

_AWAY = (UrlReason.UNREACHABLE, UrlReason.TIMEOUT, UrlReason.UNKNOWN_HOST, UrlReason.CERTIFICATE)
_SHOWN = 3


def nothing_kept(starts: Sequence[UrlRow]) -> JobError:
    """The error of such a run. starts: rows of its start addresses, and of what they lead to."""
    ends = [row for row in starts if row.state is not UrlState.REDIRECTED] or list(starts)
    if not ends:
        return JobError("Nothing was fetched.", next_step="Resume the job, or run the crawl again.")
    sentences = list(dict.fromkeys(_sentence(row) for row in ends))
    more = len(sentences) - _SHOWN
    shown = " ".join(sentences[:_SHOWN]) + (f" {more} more start addresses gave nothing." if more > 0 else "")
    return JobError(f"No page was kept. {shown}", next_step=_next_step(ends[0]))


def _sentence(row: UrlRow) -> str:
    detail = row.detail.strip().rstrip(".")
    if row.reason is UrlReason.ROBOTS:
        return f"robots.txt of {row.host} forbids {row.url}."
    if row.reason is UrlReason.UNKNOWN_HOST:
        return f"There is no host {row.host!r}."
    if row.reason in _AWAY:
        return f"{row.host} cannot be reached: {detail or REASON_WORDS[row.reason]}."
    if row.reason is UrlReason.HTTP_ERROR and row.status:
        return f"{row.url} answers with status {row.status}."
    words = REASON_WORDS[row.reason] or STATE_WORDS[row.state]
    return f"{row.url}: {words}{f' ({detail})' if detail else ''}."


def _next_step(row: UrlRow) -> str:
    if row.reason is UrlReason.ROBOTS:
        return "Ask the site's owner, or give a reason for not heeding robots.txt."
    if row.reason is UrlReason.PRIVATE_ADDRESS:
        return "Name the host in crawl.allowed_hosts of groundwork.toml if this crawl may reach it."
    if row.reason in _AWAY:
        return "Check the address in a browser, then run the crawl again."
    return "Check the start addresses, then run the crawl again."
