"""Crawls of sites: started, watched, paused, run again, and read afterwards."""

from __future__ import annotations

import builtins
import io
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import urlsplit

from core.domain.crawl.ledger import (
    CrawlProgress,
    CrawlRun,
    CrawlState,
    CrawlSummary,
    HostShare,
    LedgerGroup,
    LedgerQuery,
    UrlRow,
)
from core.domain.crawl.request import CrawlPace, CrawlRequest, checked_schedule, next_time
from core.domain.crawl.withdrawal import MassWithdrawal
from core.domain.crawl.words import CHANGE_WORDS, REASON_WORDS, STATE_WORDS
from core.domain.ids import CrawlId, JobId
from core.domain.job import Job, JobState
from core.domain.trust.permission import Action
from core.errors import JobError, NotFoundError, UsageError
from core.jobs import queue
from core.spreadsheet import replaced, write_csv
from core.store.crawl.crawls import CrawlRecord
from core.workbench.recorded import recorded
from core.workbench.services.base import Service
from core.workbench.work.crawl_runs import queue_run

COLUMNS = (
    "Address",
    "Depth",
    "State",
    "Reason",
    "Detail",
    "HTTP status",
    "Media type",
    "Bytes",
    "Title",
    "Found on",
    "Leads to",
    "Change",
    "Document id",
    "Content hash",
    "Fetched at",
    "Requests",
    "Repeats",
)

_LINES_AT_ONCE = 500  # lines of a piece


def write_ledger(path: Path, rows: Iterable[UrlRow]) -> int:
    """Write the file as a whole or not at all; gives how many addresses it holds.

    Raises UsageError for another ending than .csv, or a bad place.
    """
    if path.suffix.lower() != ".csv":
        raise UsageError(f"{str(path)!r} is of an unknown kind.", next_step="Give a file that ends in .csv.")
    with replaced(path) as part, part.open("w", encoding="utf-8-sig", newline="") as file:
        return write_rows(file, rows)


def ledger_csv(rows: Iterable[UrlRow]) -> Iterator[str]:
    """The same file in pieces, for an answer of any length that is sent as the rows are read."""
    yield "\ufeff"
    lines = iter(chain([None], rows))
    while some := list(islice(lines, _LINES_AT_ONCE)):
        piece = io.StringIO(newline="")
        write_csv(piece, (COLUMNS if row is None else _line(row) for row in some))
        yield piece.getvalue()


def write_rows(file: TextIO, rows: Iterable[UrlRow]) -> int:
    """Write to a file that is open as text without newline translation; gives the number of addresses."""
    count = 0

    def lines() -> Iterator[Sequence[Any]]:
        nonlocal count
        yield COLUMNS
        for row in rows:
            count += 1
            yield _line(row)

    write_csv(file, lines())
    return count


def _line(row: UrlRow) -> Sequence[Any]:
    return (
        row.url,
        row.depth,
        STATE_WORDS[row.state],
        REASON_WORDS[row.reason],
        row.detail,
        row.status,
        row.media_type,
        row.size_bytes or None,
        row.title,
        row.found_on,
        row.leads_to,
        CHANGE_WORDS[row.change],
        row.document,
        row.content_hash,
        None if row.fetched_at is None else row.fetched_at.isoformat(timespec="seconds"),
        row.requests,
        row.repeats,
    )


_OVER = (JobState.DONE, JobState.PARTIAL)  # nothing of the run is open once the job ended so
_AT_ONCE = 2_000  # rows of an export that are read at a time
_REST_WITHIN_S = 5.0  # a paused run comes to rest within about two seconds


@dataclass(frozen=True, slots=True)
class CrawlView:
    """A crawl with all that its page shows. job: of the current run; None before the first."""

    summary: CrawlSummary
    request: CrawlRequest
    pace: CrawlPace
    progress: CrawlProgress
    runs: tuple[CrawlRun, ...]
    job: Job | None


@dataclass(frozen=True, slots=True)
class CrawlOfJob:
    """The run of a crawl that a job does. is_last: the ledger of the crawl is that of this run."""

    crawl: CrawlId
    run: CrawlRun
    is_last: bool


class CrawlService(Service):
    """Crawls of the home, for admins: for others all raises RefusedError. NotFoundError for no crawl."""

    @recorded("crawl.start", "is_dry_run", "schedule")
    def start(
        self, request: CrawlRequest, *, title: str = "", is_dry_run: bool = False, schedule: str = ""
    ) -> CrawlId:
        """Make a crawl and queue its first run. Raises UsageError for a schedule that cannot be read."""
        self._permit(Action.CRAWL, "crawl sites")
        every = "" if is_dry_run else checked_schedule(schedule)
        records, user = self._parts.records, self._principal.user
        now = datetime.now(UTC)
        crawl = records.crawls.create(
            request,
            title or _title(request),
            user=user,
            is_dry_run=is_dry_run,
            schedule=every,
            next_at=next_time(every, now),
        )
        self._queue(records.crawls.get(crawl))
        return crawl

    def list(self) -> builtins.list[CrawlSummary]:
        """All crawls, the newest first."""
        self._permit(Action.CRAWL, "see crawls")
        jobs = {job.id: job for job in self._parts.records.jobs.list()}
        return [
            self._summary(record, jobs.get(record.job) if record.job else None)
            for record in self._parts.records.crawls.list()
        ]

    def get(self, crawl: CrawlId) -> CrawlView:
        """One crawl as it stands now."""
        self._permit(Action.CRAWL, "see crawls")
        records = self._parts.records
        record = records.crawls.get(crawl)
        job = self._job(record)
        return CrawlView(
            self._summary(record, job),
            record.request,
            record.pace,
            records.crawl_ledger.progress(crawl),
            tuple(records.crawls.runs(crawl)),
            job,
        )

    def rows(self, crawl: CrawlId, query: LedgerQuery | None = None) -> builtins.list[UrlRow]:
        """Rows of its ledger, in the order that the query names."""
        self._permit(Action.CRAWL, "see crawls")
        return self._parts.records.crawl_ledger.rows(crawl, query)

    def count(self, crawl: CrawlId, query: LedgerQuery | None = None) -> int:
        """Number of rows that fulfil the conditions."""
        self._permit(Action.CRAWL, "see crawls")
        return self._parts.records.crawl_ledger.count(crawl, query)

    def every_row(self, crawl: CrawlId, query: LedgerQuery | None = None) -> Iterator[UrlRow]:
        """The same rows, a few thousand at a time, for an export of any length."""
        self._permit(Action.CRAWL, "see crawls")
        return self._portions(crawl, query or LedgerQuery())

    def groups(self, crawl: CrawlId) -> builtins.list[LedgerGroup]:
        """Counts of its ledger by depth, host, state, reason and media type."""
        self._permit(Action.CRAWL, "see crawls")
        return self._parts.records.crawl_ledger.groups(crawl)

    def shares(self, crawl: CrawlId) -> builtins.list[HostShare]:
        """Counts of its ledger by host, folder and state, for a map of the site."""
        self._permit(Action.CRAWL, "see crawls")
        return self._parts.records.crawl_ledger.shares(crawl)

    def runs_of(self, jobs: Collection[JobId]) -> dict[JobId, CrawlOfJob]:
        """The runs behind jobs, by job; jobs of other kinds are left out."""
        self._permit(Action.CRAWL, "see crawls")
        crawls = self._parts.records.crawls
        last = {each.id: each.run for each in crawls.list()}
        return {
            run.job: CrawlOfJob(crawl, run, run.run == last.get(crawl)) for crawl, run in crawls.runs_of(jobs)
        }

    def dry_run_of(self, request: CrawlRequest) -> CrawlId | None:
        """The latest dry run that saw what this request would find; None where there is none yet."""
        self._permit(Action.CRAWL, "see crawls")
        asked = _what_it_finds(request)
        for record in self._parts.records.crawls.list():
            if record.is_dry_run and _what_it_finds(record.request) == asked:
                return record.id
        return None

    def at_work_beside(self, request: CrawlRequest) -> builtins.list[CrawlSummary]:
        """Crawls at work that fetch one of its hosts into its bucket."""
        self._permit(Action.CRAWL, "see crawls")
        hosts = _hosts(request)
        found = []
        for record in self._parts.records.crawls.list():
            if record.is_dry_run or record.bucket != request.bucket or not hosts & _hosts(record.request):
                continue
            job = self._job(record)
            if job is not None and not job.state.is_ended:
                found.append(self._summary(record, job))
        return found

    @recorded("crawl.pause", "crawl")
    def pause(self, crawl: CrawlId) -> None:
        """Let go of the run until `resume`; what is fetched stays. Raises JobError where none is at work."""
        record = self._at_work(crawl, "pause crawls")
        assert record.job is not None
        queue.cancel(self._parts.records, record.job)

    @recorded("crawl.resume", "crawl")
    def resume(self, crawl: CrawlId) -> None:
        """Go on with a run that was paused or failed; one that is being paused is waited for.

        Raises JobError where there is none.
        """
        self._permit(Action.CRAWL, "resume crawls")
        record = self._parts.records.crawls.get(crawl)
        job = self._rested(record)
        if job is None:
            self._queue(record)
            return
        if job.state.is_ended or not queue.is_worker_alive(self._parts.records):
            self._parts.records.crawls.go_on(crawl)
        queue.resume(self._parts.records, job.id)

    def follow(self, crawl: CrawlId, on_progress: Callable[[Job], None] | None = None) -> CrawlView:
        """Wait for the end of the current run; the worker does it where one runs, else it is done here.

        An interrupt from the keyboard pauses it. Raises JobError where there is no run.
        """
        self._permit(Action.CRAWL, "crawl sites")
        record = self._parts.records.crawls.get(crawl)
        if record.job is None:
            raise JobError(f"The crawl {record.title!r} has no run.", next_step="Run it first.")
        self._writing.complete(record.job, on_progress)
        return self.get(crawl)

    @recorded("crawl.export", "crawl")
    def write_ledger(self, crawl: CrawlId, path: Path, query: LedgerQuery | None = None) -> int:
        """Write rows of its ledger to a .csv file, as a whole or not at all; gives their number.

        Raises UsageError for another ending or a bad place.
        """
        self._permit(Action.CRAWL, "see crawls")
        self._parts.records.crawls.get(crawl)
        return write_ledger(path, self.every_row(crawl, query))

    @recorded("crawl.stop", "crawl")
    def stop(self, crawl: CrawlId) -> None:
        """End the run with what it has: what is still queued is left out, what is fetched is indexed.

        Raises JobError where no run is open.
        """
        self._permit(Action.CRAWL, "stop crawls")
        records = self._parts.records
        record = records.crawls.get(crawl)
        job = self._job(record)
        run = records.crawls.runs(crawl)[:1]
        if job is None or (run and run[0].ended_at is not None):
            raise JobError(
                f"The crawl {record.title!r} is not at work.", next_step="There is nothing to stop."
            )
        records.crawls.stop(crawl)
        if job.state in (JobState.CANCELLED, JobState.FAILED):
            queue.resume(records, job.id)  # paused before: the job ends the run in order

    @recorded("crawl.set_pace", "crawl")
    def set_pace(self, crawl: CrawlId, pace: CrawlPace) -> None:
        """Change how fast it goes; a run at work follows within about a second."""
        self._permit(Action.CRAWL, "change crawls")
        self._parts.records.crawls.set_pace(crawl, pace)

    @recorded("crawl.retry", "crawl")
    def retry_failed(self, crawl: CrawlId) -> int:
        """Fetch the failed addresses of the last run again; gives their number.

        A run that is being paused is waited for. Raises JobError while the crawl is at work, or where nothing
        failed.
        """
        record, records = self._at_rest(crawl, "retry crawls"), self._parts.records
        count = records.crawls.retry_failed(crawl)
        job = self._job(record)
        # A retry that was cut short before the job was resumed left the run open: this one finishes it.
        if not count and job is not None and job.state in _OVER and self._is_open(record):
            count = records.crawl_ledger.progress(crawl).queued
        if not count or job is None:
            raise JobError("No address of this crawl failed.", next_step="Run it again to look for changes.")
        if job.state.is_ended:
            records.jobs.resume(job.id)
        return count

    @recorded("crawl.run_again", "crawl")
    def run_again(self, crawl: CrawlId) -> JobId:
        """Queue a new run: only what changed is fetched and indexed. Raises JobError while it is at work."""
        return self._queue(self._at_rest(crawl, "run crawls"))

    @recorded("crawl.set_schedule", "crawl", "schedule")
    def set_schedule(self, crawl: CrawlId, schedule: str) -> None:
        """When it runs again by itself; "" for never. Raises UsageError."""
        self._permit(Action.CRAWL, "schedule crawls")
        every = checked_schedule(schedule)
        self._parts.records.crawls.set_schedule(crawl, every, next_time(every, datetime.now(UTC)))

    def mass_withdrawal(self, crawl: CrawlId) -> MassWithdrawal | None:
        """The documents that the last run did not withdraw by itself, since they were most of the crawl's.

        None where there are none, and while the run is open.
        """
        self._permit(Action.CRAWL, "see crawls")
        record = self._parts.records.crawls.get(crawl)
        if record.is_dry_run or not record.run or self._is_open(record):
            return None
        from core.ingest.crawl.intake import DocumentWithdrawal  # a page needs no parsers

        return DocumentWithdrawal(self._parts.records).mass(crawl, record.run)

    def in_doubt(self) -> dict[CrawlId, int]:
        """Number of documents in doubt, by crawl, of those at rest that have any: see `mass_withdrawal`."""
        found = {each.id: self.mass_withdrawal(each.id) for each in self.list() if not each.state.is_at_work}
        return {crawl: len(mass.rows) for crawl, mass in found.items() if mass is not None}

    @recorded("crawl.withdraw", "crawl")
    def withdraw(self, crawl: CrawlId) -> int:
        """Withdraw those documents; gives their number. Raises JobError while it is at work, or for none."""
        record = self._at_rest(crawl, "withdraw documents")
        if self.mass_withdrawal(crawl) is None:
            raise JobError(
                f"The last run of {record.title!r} left no documents to withdraw.",
                next_step="Run it again to look for changes.",
            )
        from core.ingest.crawl.intake import DocumentWithdrawal

        count = DocumentWithdrawal(self._parts.records).confirm(crawl, record.run)
        self._parts.engines.catch_up_if_unattended()
        return count

    @recorded("crawl.remove", "crawl")
    def remove(self, crawl: CrawlId) -> None:
        """Forget a crawl with its ledger; its documents stay. Raises JobError while it is at work."""
        self._at_rest(crawl, "remove crawls")
        self._parts.records.crawls.remove(crawl)

    def _portions(self, crawl: CrawlId, wanted: LedgerQuery) -> Iterator[UrlRow]:
        offset = 0
        while rows := self.rows(crawl, replace(wanted, limit=_AT_ONCE, offset=offset)):
            yield from rows
            offset += len(rows)

    def _queue(self, record: CrawlRecord) -> JobId:
        return queue_run(self._parts.records, record, self._principal.user)

    def _job(self, record: CrawlRecord) -> Job | None:
        if record.job is None:
            return None
        try:
            return self._parts.records.jobs.get(record.job)
        except NotFoundError:
            return None

    def _is_open(self, record: CrawlRecord) -> bool:
        runs = self._parts.records.crawls.runs(record.id)
        return bool(runs) and runs[0].ended_at is None

    def _at_rest(self, crawl: CrawlId, deed: str) -> CrawlRecord:
        self._permit(Action.CRAWL, deed)
        record = self._parts.records.crawls.get(crawl)
        job = self._rested(record)
        if job is not None and not job.state.is_ended:
            raise JobError(
                f"The crawl {record.title!r} is at work.", next_step="Wait for its end, or stop it first."
            )
        return record

    def _rested(self, record: CrawlRecord) -> Job | None:
        """The job of the current run; of one that is being paused once that is done.

        Raises JobError where that takes longer than it should.
        """
        until = time.monotonic() + _REST_WITHIN_S
        while (job := self._job(record)) is not None and job.is_cancelling:
            if not queue.is_worker_alive(self._parts.records):
                return job  # nobody will end it: who resumes takes it over
            if time.monotonic() >= until:
                raise JobError(
                    f"The crawl {record.title!r} is still being paused.",
                    next_step="Ask again in a few seconds.",
                )
            time.sleep(queue.POLL_S)
        return job

    def _at_work(self, crawl: CrawlId, deed: str) -> CrawlRecord:
        self._permit(Action.CRAWL, deed)
        record = self._parts.records.crawls.get(crawl)
        job = self._job(record)
        if job is None or job.state.is_ended:
            raise JobError(
                f"The crawl {record.title!r} is not at work.", next_step="Run it again, or resume it."
            )
        return record

    def _summary(self, record: CrawlRecord, job: Job | None) -> CrawlSummary:
        runs = self._parts.records.crawls.runs(record.id)
        last = runs[0] if runs else None
        state = CrawlState.NOT_RUN if job is None else CrawlState(job.state.value)
        if job is not None and job.state is JobState.CANCELLED and last is not None and last.ended_at is None:
            state = CrawlState.PAUSED
        counts = dict(last.counts) if last is not None else {}
        if last is not None and last.ended_at is None:
            progress = self._parts.records.crawl_ledger.progress(record.id)
            counts = {str(name): number for name, number in progress.counts.items()}
        return CrawlSummary(
            record.id,
            record.title,
            record.bucket,
            record.is_dry_run,
            state,
            record.run,
            record.job,
            counts,
            record.schedule,
            record.next_at,
            record.created_at,
            record.user,
            record.is_stopping,
        )


def _hosts(request: CrawlRequest) -> set[str]:
    return {(urlsplit(url).hostname or "").lower() for url in request.urls}


def _what_it_finds(request: CrawlRequest) -> CrawlRequest:
    """The request without its pace and the place of its documents, which change nothing that is found."""
    return request.model_copy(update={"pace": CrawlPace(), "bucket": "", "acl": None})


def _title(request: CrawlRequest) -> str:
    first = urlsplit(request.urls[0])
    shown = f"{first.netloc}{first.path.rstrip('/')}"
    return shown if len(request.urls) == 1 else f"{shown} and {len(request.urls) - 1} more"
