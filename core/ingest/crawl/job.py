"""A run of a crawl as a durable job: the crawler goes on beside it, the slices index what it keeps."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.domain.crawl.ledger import LedgerQuery, UrlReason, UrlRow, UrlState
from core.domain.crawl.words import REASON_WORDS, STATE_WORDS
from core.domain.ids import CrawlId, JobId
from core.errors import JobError
from core.ingest.crawl.intake import PageIntake
from core.ingest.crawl.process import CrawlerSupervisor, StartCrawler
from core.jobs.base import JobContext
from core.store.crawl.crawls import CrawlRecord
from core.store.store import Records

_AWAY = (UrlReason.UNREACHABLE, UrlReason.TIMEOUT, UrlReason.UNKNOWN_HOST, UrlReason.CERTIFICATE)
_SHOWN = 3
_IDLE_S = 0.3  # while nothing waits to be indexed; then others have their turn
_ENOUGH = 32  # pages that are worth a run of the pipeline
_WAIT_S = 3.0  # fewer are indexed after so long
_TELL_EVERY_S = 1.0
_TELL_SHARE = 20  # counting takes a twentieth of the time at most
_STARTS = LedgerQuery(depth=0, limit=100)


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


@dataclass(slots=True)
class _Run:
    """A run that this process is at."""

    crawl: CrawlRecord
    number: int
    supervisor: CrawlerSupervisor
    progress: CrawlJobProgress
    waiting_since: float | None = field(default=None)


class CrawlJob:
    """The handler of the job kind `crawl`. One slice of each job at a time.

    The crawler itself goes on while others have their turn. intake: made when the first page is to be
    indexed; a dry run needs none.
    """

    def __init__(
        self,
        records: Records,
        start: StartCrawler,
        intake: Callable[[], PageIntake],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._records = records
        self._start = start
        self._intake = intake
        self._clock = clock
        self._lock = threading.Lock()  # guards _runs
        self._runs: dict[JobId, _Run] = {}

    def prepare(self, context: JobContext) -> None:
        """Begin the run, or go on with the open one; a run that ended before its job did is not repeated.

        Raises NotFoundError where the crawl was removed, JobError where a later run took its place.
        """
        job = context.order.id
        self._let_go(job)
        crawl = CrawlId(str(context.order.payload["crawl"]))
        runs = self._records.crawls.runs(crawl)
        mine = next((run for run in runs if run.job == job), None)
        if mine is not None and mine.run < runs[0].run:
            raise JobError(
                "A later run of this crawl took the place of this one.", next_step="Run the crawl again."
            )
        if mine is not None and mine.ended_at is not None and _has_pages(self._records, crawl):
            return
        number = self._records.crawls.begin_run(crawl, job)
        record = self._records.crawls.get(crawl)
        progress = CrawlJobProgress(self._records, record, job, self._clock)
        supervisor = CrawlerSupervisor(self._records, crawl, context, self._start, progress.tell)
        with self._lock:
            self._runs[job] = _Run(record, number, supervisor, progress)

    def work(self, context: JobContext) -> bool:
        """Index what was kept meanwhile; at the end withdraw what is gone, and close the run."""
        job = context.order.id
        with self._lock:
            run = self._runs.get(job)
        if run is None:
            return False
        is_more = False
        try:
            is_more = self._slice(run, context)
            return is_more
        finally:
            if not is_more:
                self._let_go(job)

    def close(self) -> None:
        """End every crawler that is at work; safe to call twice."""
        with self._lock:
            jobs = list(self._runs)
        for job in jobs:
            self._let_go(job)

    def _slice(self, run: _Run, context: JobContext) -> bool:
        run.supervisor.begin()
        is_over = run.supervisor.is_finished  # before the look: whatever was kept by then is seen
        if self._is_worth_a_run(run, is_over=is_over):
            run.waiting_since = None
            self._intake().take(run.crawl, context, run.progress.tell)
            return True
        if not is_over:
            run.supervisor.wait(_IDLE_S)
            return True
        return self._conclude(run, context)

    def _is_worth_a_run(self, run: _Run, *, is_over: bool) -> bool:
        if run.crawl.is_dry_run:
            return False
        waiting = len(self._records.crawl_ledger.to_index(run.crawl.id, _ENOUGH))
        if not waiting:
            run.waiting_since = None
            return False
        if run.waiting_since is None:
            run.waiting_since = self._clock()
        return is_over or waiting >= _ENOUGH or self._clock() - run.waiting_since >= _WAIT_S

    def _conclude(self, run: _Run, context: JobContext) -> bool:
        """Close the run; gives whether fields are to be filled before. Raises where nothing was kept."""
        crawl = run.crawl.id
        if not run.crawl.is_dry_run:
            if self._intake().fill(crawl, context):
                return True
            self._intake().settle(crawl, run.number)
        self._records.crawls.end_run(crawl, run.number)
        run.progress.tell(is_last=True)
        if not _has_pages(self._records, crawl):
            raise nothing_kept(self._records.crawl_ledger.rows(crawl, _STARTS))
        return False

    def _let_go(self, job: JobId) -> None:
        with self._lock:
            run = self._runs.pop(job, None)
        if run is not None:
            run.supervisor.close()


class CrawlJobProgress:
    """Progress of a run in its job's row: addresses settled and, where kept, indexed. Thread-safe."""

    def __init__(
        self, records: Records, crawl: CrawlRecord, job: JobId, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._records = records
        self._crawl = crawl
        self._job = job
        self._clock = clock
        self._lock = threading.Lock()  # guards what follows: one counts at a time
        self._next_at = 0.0
        self._last_url = ""

    def tell(self, url: str = "", *, is_last: bool = False) -> None:
        """Write how far the run is, now and then; url: what was done last."""
        with self._lock:
            self._last_url = url or self._last_url
            began = self._clock()
            if began < self._next_at and not is_last:
                return
            ledger = self._records.crawl_ledger
            progress = ledger.progress(self._crawl.id)
            waiting = 0 if self._crawl.is_dry_run else ledger.count_to_index(self._crawl.id)
            # What is left out costs nothing, and would make a rate of nothing.
            total = sum(progress.counts.values()) - progress.counts.get(UrlState.SKIPPED, 0)
            done = max(0, total - progress.queued - waiting)
            self._records.jobs.progress(self._job, done, total, self._last_url or self._in_flight())
            took = self._clock() - began
            self._next_at = self._clock() + max(_TELL_EVERY_S, _TELL_SHARE * took)

    def _in_flight(self) -> str:
        """An address that is being fetched, "" for none."""
        rows = self._records.crawl_ledger.rows(
            self._crawl.id, LedgerQuery(states=(UrlState.FETCHING,), limit=1)
        )
        return rows[0].url if rows else ""


def _has_pages(records: Records, crawl: CrawlId) -> bool:
    """True where a run kept pages, or found that those of an earlier one are gone."""
    counts = records.crawl_ledger.progress(crawl).counts
    return bool(counts.get(UrlState.KEPT) or counts.get(UrlState.GONE))
