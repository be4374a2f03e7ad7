"""Runs of crawls: queued on demand, and by a schedule once their time has come."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime

from core.domain.crawl.request import next_time
from core.domain.ids import JobId
from core.domain.job import JobState
from core.errors import NotFoundError, UsageError
from core.jobs import queue
from core.jobs.base import LEASE_TTL_S, new_owner
from core.jobs.kinds import CRAWL
from core.store.crawl.crawls import CrawlRecord
from core.store.store import Records

_log = logging.getLogger(__name__)
SCHEDULE_LEASE = "crawl-schedules"


def queue_run(records: Records, crawl: CrawlRecord, user: str) -> JobId:
    """Queue a run of a crawl in somebody's name, and make it the current one.

    Raises NotFoundError where it was removed meanwhile; nothing is queued then.
    """
    verb = "Dry run of" if crawl.is_dry_run else "Crawl of"
    job = queue.submit(records, CRAWL, f"{verb} {crawl.title}", {"crawl": crawl.id}, user=user)
    try:
        records.crawls.begin_run(crawl.id, job)
    except NotFoundError:
        queue.cancel(records, job)
        raise
    return job


class CrawlSchedules:
    """Queues runs of crawls that are due; for the worker with the lead.

    One that is overdue for long (no worker was there) runs once, not once for each time that was missed; one
    that is at work, or that somebody paused, is passed over until its next time. Of several that look at once
    one queues.
    """

    def __init__(
        self,
        records: Records,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._records = records
        self._clock = clock
        self._now = now
        self._owner = new_owner()
        self._look_at = 0.0

    def look(self) -> list[JobId]:
        """Queue what is due; gives the jobs. Cheap: call it often."""
        if self._clock() < self._look_at:
            return []
        self._look_at = self._clock() + queue.LOOK_EVERY_S
        now = self._now()
        self._bring_forward(now)
        crawls, leases = self._records.crawls, self._records.leases
        if not crawls.due(now) or not leases.acquire(SCHEDULE_LEASE, self._owner, LEASE_TTL_S):
            return []
        try:  # read again, since whoever had the lease before may have queued what was due
            jobs = [self._run(crawl, now) for crawl in crawls.due(now)]
        finally:
            leases.release(SCHEDULE_LEASE, self._owner)
        return [job for job in jobs if job is not None]

    def _run(self, crawl: CrawlRecord, now: datetime) -> JobId | None:
        assert crawl.next_at is not None
        try:
            # The job first: a kill in between is made up for, since a crawl that is at work is passed over.
            job = None if self._is_taken(crawl) else queue_run(self._records, crawl, crawl.user)
        except NotFoundError:
            return None  # somebody removed it just now
        self._records.crawls.postpone(crawl.id, crawl.next_at, _next_time(crawl, now))
        return job

    def _bring_forward(self, now: datetime) -> None:
        """Correct times of a clock that was ahead: no run lies further off than the one after the next.

        Not the next itself: after a step back of seconds it would be the one that ran a moment ago.
        """
        for crawl in self._records.crawls.list():
            if crawl.next_at is None or (following := _next_time(crawl, now)) is None:
                continue
            latest = _next_time(crawl, following)
            if latest is not None and crawl.next_at > latest:
                self._records.crawls.postpone(crawl.id, crawl.next_at, following)

    def _is_taken(self, crawl: CrawlRecord) -> bool:
        if crawl.job is None:
            return False
        try:
            state = self._records.jobs.get(crawl.job).state
        except NotFoundError:
            return False
        if state is JobState.CANCELLED:
            last = next(iter(self._records.crawls.runs(crawl.id)), None)
            return last is not None and last.ended_at is None
        return not state.is_ended


def _next_time(crawl: CrawlRecord, now: datetime) -> datetime | None:
    try:
        return next_time(crawl.schedule, now)
    except UsageError as error:  # of another version, or written by hand
        _log.warning("%s", error.explanation)
        return None
