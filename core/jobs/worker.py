"""The worker of a home: takes queued jobs one after the other until it is told to stop."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from core.domain.ids import JobId
from core.domain.job import Job, JobState
from core.errors import GroundworkError, HomeBusyError, RecordsUnavailableError
from core.jobs import queue
from core.jobs.base import JobHandler, SliceLimits
from core.jobs.kinds import SHORT
from core.jobs.ownership import Ownership
from core.jobs.runner import JobRunner
from core.store.store import Records

_log = logging.getLogger(__name__)
POLL_S = 0.25
UPKEEP_S = 10.0  # while jobs run, which see to the index themselves; else at every poll
SHARED_UPKEEP_S = 1.0  # other workers wait for the one that writes the index
LEFT_TO_OTHERS_S = 1.0
AFTER_AN_OUTAGE_S = 1.0
RETRY_S = 5.0  # after a job was let go of: what hindered it (a full disk) may pass
MAX_RUNNING = 4
SHORT_BESIDE = 3  # of the kinds that do not wait until one of these ends
DEFAULT_LIMITS = SliceLimits()

MakeHandlers = Callable[[], Mapping[str, JobHandler]]


def run(
    records: Records,
    home: Path,
    make_handlers: MakeHandlers,
    stop: threading.Event,
    *,
    background: Callable[[], None] | None = None,
    withheld: Callable[[], Collection[str]] = lambda: (),
    is_wanted: Callable[[], bool] = lambda: True,
    on_poll: Callable[[], None] | None = None,
    gives_up: bool = False,
    max_running: int = MAX_RUNNING,
    limits: SliceLimits = DEFAULT_LIMITS,
) -> None:
    """Run the jobs of this home until `stop` is set or `is_wanted` turns false; blocks.

    Whatever a dead worker left is adopted first. make_handlers: called once this process owns the home, so
    that a refused worker loads nothing. background: called between polls, for upkeep of the index; what it
    raises is logged. withheld: kinds of jobs to leave to another worker. Jobs that run when it ends are let
    go of, for the next worker. gives_up: raise what keeps a job's row from being written (a full disk, a
    server that is away) instead of trying again for ever. Raises HomeBusyError where another worker owns the
    home, or has taken it over; on a shared database any number of workers run side by side.
    """
    with Ownership(records, home) as ownership:
        may_run = lambda: ownership.is_held and not stop.is_set()  # noqa: E731
        runner = JobRunner(records, make_handlers(), may_run, limits, ownership.owner)
        worker = _Worker(records, ownership, runner, withheld, max_running)
        try:
            while not stop.is_set() and is_wanted():
                if worker.may_work():
                    try:
                        worker.poll(background)
                        if gives_up and runner.hindrance is not None:
                            raise runner.hindrance
                        if on_poll is not None:
                            on_poll()
                    except RecordsUnavailableError as error:
                        if gives_up:
                            raise
                        _log.warning("%s", error.explanation)
                        stop.wait(AFTER_AN_OUTAGE_S)
                stop.wait(POLL_S)
        finally:
            worker.close()


class _Worker:
    """One worker, between the moments at which it is asked to do something."""

    def __init__(
        self,
        records: Records,
        ownership: Ownership,
        runner: JobRunner,
        withheld: Callable[[], Collection[str]],
        max_running: int,
    ) -> None:
        self._others = runner.kinds - SHORT
        self._records = records
        self._ownership = ownership
        self._runner = runner
        self._withheld = withheld
        self._max_running = max_running
        self._adopt_at = self._upkeep_at = 0.0

    def may_work(self) -> bool:
        """True where this worker's lease lasts. Raises HomeBusyError where it is gone for good."""
        if not self._ownership.is_held and not self._records.is_shared:
            raise HomeBusyError("The right to run this home's jobs was lost.", next_step="Start again.")
        return self._ownership.is_held

    def poll(self, background: Callable[[], None] | None) -> None:
        """Adopt what dead workers left, begin what is queued, and look after the index."""
        if time.monotonic() >= self._adopt_at:
            self._adopt_at = time.monotonic() + RETRY_S
            adopt(self._records, self._runner.running(), self._ownership.owner)
        self._start_queued()
        if not self._runner.running() or time.monotonic() >= self._upkeep_at:
            wait = SHARED_UPKEEP_S if self._records.is_shared else UPKEEP_S
            self._upkeep_at = time.monotonic() + wait
            _upkeep(background)

    def close(self) -> None:
        """Let go of every job, so that another worker can go on at once."""
        self._runner.close()
        if self._ownership.is_held:
            try:
                for order in self._records.jobs.running():
                    if order.owner == self._ownership.owner or not self._records.is_shared:
                        self._records.jobs.give_back(order.id, order.owner)
            except RecordsUnavailableError as error:
                _log.warning("%s", error.explanation)

    def _start_queued(self) -> None:
        beside = SHORT_BESIDE if self._max_running > 1 else 0
        while (count := len(self._runner.running())) < self._max_running + beside:
            # A second job is begun only when no other worker was free to take it.
            waiting_s = LEFT_TO_OTHERS_S if count and self._records.is_shared else 0.0
            withheld = {*self._withheld(), *(self._others if count >= self._max_running else ())}
            order = self._records.jobs.claim(self._ownership.owner, withheld=withheld, waiting_s=waiting_s)
            if order is None:
                return
            self._runner.start(order.id)


def complete(
    records: Records,
    home: Path,
    job: JobId,
    make_handlers: MakeHandlers,
    *,
    on_progress: Callable[[Job], None] | None = None,
    background: Callable[[], None] | None = None,
) -> Job:
    """The job once it has ended: followed where a worker is at work, else run here; blocks.

    Run here, older jobs that were interrupted are finished first, and show their progress too. An interrupt
    from the keyboard cancels the job.
    """
    try:
        while True:
            found = queue.follow(records, job, on_progress, is_wanted=lambda: queue.is_worker_alive(records))
            if found.state.is_ended:
                return found
            try:
                run(
                    records,
                    home,
                    make_handlers,
                    threading.Event(),
                    background=background,
                    is_wanted=lambda: not records.jobs.get(job).state.is_ended,
                    on_poll=lambda: _show_running(records, on_progress),
                    gives_up=True,
                    max_running=1,
                )
            except HomeBusyError:
                time.sleep(queue.POLL_S)  # another worker began between the look and the attempt: follow it
    except KeyboardInterrupt:
        if not records.jobs.get(job).state.is_ended:
            queue.cancel(records, job)
        raise


def adopt(records: Records, mine: frozenset[JobId] = frozenset(), owner: str = "") -> list[JobId]:
    """Queue running jobs again that nobody works on; gives them, the oldest first.

    Those among `mine` are being worked on. On SQLite only the owner of the home may call this: no other
    process can be at work. On a shared database a job stays with the worker that claimed it for as long as
    that one's lease lasts; `owner` is the caller, who knows what it runs itself. Of many callers at once one
    adopts. A job that was asked to stop before its worker died ends as cancelled.
    """
    running = [order for order in records.jobs.running() if order.id not in mine]
    if not running:
        return []
    working = {lease.owner for lease in queue.live_workers(records)} - {owner} if records.is_shared else set()
    left = [order for order in running if order.owner not in working]
    return [order.id for order in left if records.jobs.give_back(order.id, order.owner) is JobState.QUEUED]


def _upkeep(background: Callable[[], None] | None) -> None:
    if background is None:
        return
    try:
        background()
    except GroundworkError as error:
        _log.warning("%s", error.explanation)


def _show_running(records: Records, on_progress: Callable[[Job], None] | None) -> None:
    if on_progress is not None:
        for job in records.jobs.list(states=(JobState.RUNNING,), limit=1):
            on_progress(job)
