"""The ledger of a crawl: one row for every address that it ever saw, with its state and the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.domain.ids import ContentHash, CrawlId, DocumentId, JobId

_NO_CONTENT = ContentHash("")


class UrlState(StrEnum):
    """State of an address. Only `kept` ones are documents; `queued` and `fetching` are still to come."""

    QUEUED = "queued"
    FETCHING = "fetching"  # handed to the downloader, and not settled yet
    KEPT = "kept"
    DUPLICATE = "duplicate"  # another address gives the same page
    REDIRECTED = "redirected"
    SKIPPED = "skipped"  # left out by a rule of the crawl or of the site
    FAILED = "failed"
    GONE = "gone"  # was kept in an earlier run; the site says 404 or 410 now

    @property
    def is_open(self) -> bool:
        """True where the address is still to be fetched or settled."""
        return self in (UrlState.QUEUED, UrlState.FETCHING)


class UrlReason(StrEnum):
    """Reason of a state; "" where the state says all."""

    NONE = ""
    # skipped
    OTHER_HOST = "other_host"
    EXCLUDED = "excluded"
    NOT_INCLUDED = "not_included"
    TOO_DEEP = "too_deep"
    ROBOTS = "robots"
    NOFOLLOW = "nofollow"
    NOINDEX = "noindex"
    PAGE_LIMIT = "page_limit"
    MEDIA_TYPE = "media_type"
    SCHEME = "scheme"
    TRAP = "trap"  # more addresses of one pattern than a crawl takes: a calendar, a search form
    TOO_LONG = "too_long"
    SITEMAP = "sitemap"  # read for the addresses in it
    STOPPED = "stopped"  # somebody ended the run before its turn came
    # duplicate
    SAME_CONTENT = "same_content"
    CANONICAL = "canonical"
    # failed
    HTTP_ERROR = "http_error"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    UNKNOWN_HOST = "unknown_host"
    CERTIFICATE = "certificate"
    PRIVATE_ADDRESS = "private_address"
    TOO_LARGE = "too_large"
    DAMAGED = "damaged"  # cut short, or packed in a way that cannot be unpacked
    REDIRECT_LOOP = "redirect_loop"
    SOFT_404 = "soft_404"
    LOGIN_WALL = "login_wall"
    CONSENT_WALL = "consent_wall"
    NEEDS_SCRIPTS = "needs_scripts"
    PARKED = "parked"
    EMPTY = "empty"
    UNREADABLE = "unreadable"  # fetched, and no text could be made of it


class Change(StrEnum):
    """Difference of a page between a run and the one before; "" before the run has come to it."""

    NONE = ""
    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class UrlRow:
    """One address of a crawl.

    depth: links from a start address, the fewest. found_on: a page at the depth above that links to it; of
    several the first by alphabet, so that the order of arrival decides nothing. leads_to: where a redirect
    or a duplicate points. status: of HTTP, None before an answer. media_type: as found in the bytes.
    content_hash: of the bytes that are kept; text_hash: of the main text. requests, repeats: sent in this
    run, and those of them that a killed run had sent before. run: the last run that saw it.
    """

    url: str
    host: str
    depth: int
    state: UrlState
    reason: UrlReason = UrlReason.NONE
    detail: str = ""
    found_on: str = ""
    leads_to: str = ""
    hops: int = 0
    status: int | None = None
    media_type: str = ""
    title: str = ""
    size_bytes: int = 0
    content_hash: ContentHash = _NO_CONTENT
    text_hash: str = ""
    etag: str = ""
    last_modified: str = ""
    change: Change = Change.NONE
    document: DocumentId | None = None
    indexed_hash: ContentHash = _NO_CONTENT
    requests: int = 0
    repeats: int = 0
    run: int = 1
    fetched_at: datetime | None = None


class LedgerOrder(StrEnum):
    """Column by which rows are put in order; ties go by address."""

    DEPTH = "depth"
    URL = "url"
    STATE = "state"
    REASON = "reason"
    STATUS = "status"
    TITLE = "title"
    SIZE = "size_bytes"
    MEDIA_TYPE = "media_type"
    CHANGE = "change"
    FETCHED = "fetched_at"


@dataclass(frozen=True, slots=True)
class LedgerQuery:
    """Conditions on rows of a ledger: all must hold; empty ones ask for nothing.

    text: stands in the address. limit None: all.
    """

    states: tuple[UrlState, ...] = ()
    reasons: tuple[UrlReason, ...] = ()
    changes: tuple[Change, ...] = ()
    depth: int | None = None
    host: str = ""
    text: str = ""
    limit: int | None = None
    offset: int = 0
    order: LedgerOrder = LedgerOrder.DEPTH
    descending: bool = False


@dataclass(frozen=True, slots=True)
class LedgerGroup:
    """Number of addresses, and their bytes, that share depth, host, state, reason and media type."""

    depth: int
    host: str
    state: UrlState
    reason: UrlReason
    media_type: str
    urls: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Sample:
    """One point of the chart over time: counts of the run at a moment."""

    at: datetime
    fetched: int
    queued: int
    failed: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class WorkSpell:
    """A stretch in which a run was at work, up to its last sign of life.

    is_end: the run ended with it; a later spell tries its failed addresses again, any other one resumes it.
    """

    started_at: datetime
    seen_at: datetime
    is_end: bool


@dataclass(frozen=True, slots=True)
class CrawlRun:
    """One run of a crawl. counts: by state, then changes by name; empty until it ended.

    spells: in which it was at work, oldest first; () of runs before these were written down.
    """

    run: int
    job: JobId
    started_at: datetime
    ended_at: datetime | None
    counts: Mapping[str, int] = field(default_factory=dict)
    samples: tuple[Sample, ...] = ()
    spells: tuple[WorkSpell, ...] = ()

    @property
    def seconds_at_work(self) -> float | None:
        """Time that it worked, without the idle time between spells; None where that is not known yet."""
        if self.spells:
            return sum((each.seen_at - each.started_at).total_seconds() for each in self.spells)
        return None if self.ended_at is None else (self.ended_at - self.started_at).total_seconds()

    @property
    def was_resumed(self) -> bool:
        """True where it went on after a pause or a failure."""
        return any(not each.is_end for each in self.spells[:-1])

    @property
    def was_retried(self) -> bool:
        """True where its failed addresses were tried again after its end."""
        return any(each.is_end for each in self.spells[:-1])


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """Counts of the current run: fetched are settled by an answer or a failure; repeats as in UrlRow.

    earlier: addresses of the ledger that only earlier runs met, which no other count holds."""

    counts: Mapping[UrlState, int]
    reasons: Mapping[tuple[UrlState, UrlReason], int]
    fetched: int
    size_bytes: int
    repeats: int
    changes: Mapping[Change, int]
    earlier: int = 0

    @property
    def queued(self) -> int:
        """Number of addresses that are still to be settled."""
        return self.counts.get(UrlState.QUEUED, 0) + self.counts.get(UrlState.FETCHING, 0)


@dataclass(frozen=True, slots=True)
class HostShare:
    """Addresses of a crawl below one folder of one host, for a map of the site.

    folder: "/docs/library/", the first in which addresses of the host part; "" for those that lie in none.
    """

    host: str
    folder: str
    state: UrlState
    urls: int


class CrawlState(StrEnum):
    """State of a crawl: that of the job of its current run, and two that no job has."""

    NOT_RUN = "not run"
    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"  # its job was cancelled, and the run waits for somebody to go on
    DONE = "done"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_at_work(self) -> bool:
        """True while a job fetches for the crawl, or waits to."""
        return self in (CrawlState.QUEUED, CrawlState.RUNNING)


@dataclass(frozen=True, slots=True)
class CrawlSummary:
    """A crawl as a list shows it.

    is_stopping: somebody asked the run to end with what it has.
    """

    id: CrawlId
    title: str
    bucket: str
    is_dry_run: bool
    state: CrawlState
    run: int
    job: JobId | None
    counts: Mapping[str, int]
    schedule: str
    next_at: datetime | None
    created_at: datetime
    user: str
    is_stopping: bool = False
