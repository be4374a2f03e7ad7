"""The worker of a home: takes queued jobs one after the other until it is told to stop."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from core.domain.ids import JobId
from core.domain.job import Job, JobState
from core.errors import GroundworkError, HomeBusyError
from core.jobs import queue
from core.jobs.base import JobHandler, JobRunner, SliceLimits
from core.jobs.ownership import Ownership
from core.jobs.reaper import adopt
from core.jobs.slices import Abandoned, SliceRunner
from core.records.store import Records

_log = logging.getLogger(__name__)
POLL_S = 0.25
UPKEEP_S = 10.0  # while jobs run, which see to the index themselves; else at every poll
RETRY_S = 5.0  # after an abandoned job: what hindered it (a full disk) may pass
STOP_WITHIN_S = 60.0
MAX_RUNNING = 4
DEFAULT_LIMITS = SliceLimits()

MakeHandlers = Callable[[], Mapping[str, JobHandler]]
MakeRunner = Callable[[Path, str, SliceRunner], JobRunner]


def run(
    records: Records,
    home: Path,
    make_handlers: MakeHandlers,
    stop: threading.Event,
    *,
    background: Callable[[], None] | None = None,
    is_wanted: Callable[[], bool] = lambda: True,
    on_poll: Callable[[], None] | None = None,
    gives_up: bool = False,
    max_running: int = MAX_RUNNING,
    limits: SliceLimits = DEFAULT_LIMITS,
    make_runner: MakeRunner | None = None,
) -> None:
    """Run the jobs of this home until `stop` is set or `is_wanted` turns false; blocks.

    Whatever a dead worker left is adopted first. make_handlers: called once this process owns the home, so
    that a refused worker loads nothing. background: called between polls, for upkeep of the index; what it
    raises is logged. Jobs that run when it ends are let go of, for the next worker. gives_up: raise what
    keeps a job's row from being written (a full disk) instead of trying again for ever. Raises HomeBusyError
    where another worker owns the home, or has taken it over.
    """
    with Ownership(records, home) as ownership:
        may_run = lambda: ownership.is_held and not stop.is_set()  # noqa: E731
        slices = SliceRunner(records, make_handlers(), may_run, limits)
        runner = (make_runner or durable_runner)(home, ownership.owner, slices)
        try:
            retry_at = upkeep_at = 0.0
            while not stop.is_set() and is_wanted():
                if not ownership.is_held:
                    raise HomeBusyError(
                        "The right to run this home's jobs was lost.", next_step="Start again."
                    )
                if time.monotonic() >= retry_at:
                    retry_at = time.monotonic() + RETRY_S
                    adopt(records, runner.running())
                if gives_up and slices.hindrance is not None:
                    raise slices.hindrance
                _start_queued(records, runner, ownership.owner, max_running)
                if not runner.running() or time.monotonic() >= upkeep_at:
                    upkeep_at = time.monotonic() + UPKEEP_S
                    _upkeep(background)
                if on_poll is not None:
                    on_poll()
                stop.wait(POLL_S)
        finally:
            slices.stop()
            _wait_until_idle(runner)
            runner.close()
            if ownership.is_held:
                adopt(records)


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


def durable_runner(home: Path, owner: str, slices: SliceRunner) -> JobRunner:
    """The runner over DBOS, which is imported here and nowhere else."""
    from core.jobs.durable import DbosRunner, Released, Steps

    def released(step: Callable[[JobId], bool]) -> Callable[[JobId], bool]:
        def attempt(job: JobId) -> bool:
            try:
                return step(job)
            except Abandoned:
                raise Released from None

        return attempt

    steps = Steps(released(slices.prepare), released(slices.work), released(slices.conclude))
    return DbosRunner(home, owner, steps)


def _start_queued(records: Records, runner: JobRunner, owner: str, max_running: int) -> None:
    while len(runner.running()) < max_running:
        order = records.jobs.claim(owner)
        if order is None:
            return
        runner.start(order.id)


def _upkeep(background: Callable[[], None] | None) -> None:
    if background is None:
        return
    try:
        background()
    except GroundworkError as error:
        _log.warning("%s %s", error.message, error.next_step)


def _show_running(records: Records, on_progress: Callable[[Job], None] | None) -> None:
    if on_progress is not None:
        for job in records.jobs.list(states=(JobState.RUNNING,), limit=1):
            on_progress(job)


def _wait_until_idle(runner: JobRunner) -> None:
    deadline = time.monotonic() + STOP_WITHIN_S
    while runner.running() and time.monotonic() < deadline:
        time.sleep(0.02)
