"""Runs jobs, each in a thread, and turns whatever happens into a state that people can read.

The rows of a job are its only log. Items are noted as they are done, so a job goes on where a dead process
left it by being claimed again: docs/decisions/0013-jobs-on-our-rows.md.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from core.domain.document import IngestOutcome
from core.domain.ids import JobId
from core.domain.job import JobState
from core.errors import GroundworkError, JobError, RecordsUnavailableError
from core.jobs.base import JobHandler, JobInterrupted, JobWaits, SliceLimits
from core.jobs.kinds import SHORT
from core.store.base import JobOrder
from core.store.store import Records
from core.telemetry import tracing
from core.telemetry.measures import JOBS, OTHER, TALLY

_ASK_EVERY_S = 0.3  # how often a job looks whether it was cancelled


class Turns:
    """A fair lock that tells its holder whether others wait. Thread-safe, not reentrant.

    Two lines of the order of asking; where both wait, the turn goes from one to the other.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()  # guards all below
        self._lines: tuple[deque[object], deque[object]] = (deque(), deque())  # others, and the short ones
        self._holder: object | None = None
        self._was_short = False

    @contextmanager
    def taken(self, *, is_short: bool = False, check: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Wait for the turn, and hold it until the end of the block.

        check: called now and then while it waits; what it raises ends the waiting.
        """
        ticket = object()
        with self._changed:
            self._lines[is_short].append(ticket)
            try:
                while not self._changed.wait_for(
                    lambda: self._holder is None and self._next() is ticket, _ASK_EVERY_S
                ):
                    check()
            except BaseException:
                self._changed.notify_all()  # whoever stood behind may be the next
                raise
            finally:
                self._lines[is_short].remove(ticket)
            self._holder, self._was_short = ticket, is_short
        try:
            yield
        finally:
            with self._changed:
                self._holder = None
                self._changed.notify_all()

    @property
    def is_awaited(self) -> bool:
        """True where anyone waits for the turn that is taken now."""
        with self._changed:
            return any(self._lines)

    def _next(self) -> object:
        first = self._lines[not self._was_short]
        return first[0] if first else self._lines[self._was_short][0]


_log = logging.getLogger(__name__)
_STOP_WITHIN_S = 60.0


class JobCancelled(JobInterrupted):
    """The job's user asked it to stop, so it ends here; of any other interruption another worker goes on."""


class Slice:
    """The JobContext of one step."""

    def __init__(
        self,
        records: Records,
        order: JobOrder,
        may_go_on: Callable[[], bool],
        turns: Turns,
        limits: SliceLimits,
        owner: str,
    ) -> None:
        self._records = records
        self._order = order
        self._owner = owner
        self._may_go_on = may_go_on
        self._turns = turns
        self._limits = limits
        self._began = time.monotonic()
        self._asked = -_ASK_EVERY_S

    @property
    def order(self) -> JobOrder:
        """The job: its payload, and how often it was begun."""
        return self._order

    @property
    def created_at(self) -> datetime:
        """Time at which the job was submitted."""
        return self._records.jobs.get(self._order.id).created_at

    def check(self) -> None:
        """Raises JobInterrupted once the worker is to stop or the job is another's, JobCancelled."""
        if not self._may_go_on():
            raise JobInterrupted
        now = time.monotonic()
        if now - self._asked >= _ASK_EVERY_S:
            self._asked = now
            order = self._records.jobs.order(self._order.id)
            if order.owner != self._owner:  # this worker's lease ran out, and the job was adopted
                raise JobInterrupted
            if order.cancel_requested:
                raise JobCancelled

    def should_yield(self) -> bool:
        """True where this slice has lasted long enough."""
        lasted = time.monotonic() - self._began
        return lasted >= (self._limits.shared_s if self._turns.is_awaited else self._limits.alone_s)


class JobRunner:
    """Carries jobs that were claimed in the name of `owner` to their end, or lets go of them.

    A job that is let go of stays as it is in its row: whoever adopts it goes on with the items that are left.
    `start`, `running` and `close` are for one thread.
    """

    def __init__(
        self,
        records: Records,
        handlers: Mapping[str, JobHandler],
        may_run: Callable[[], bool],
        limits: SliceLimits,
        owner: str,
    ) -> None:
        self._records = records
        self._owner = owner
        self._handlers = handlers
        self._may_run = may_run
        self._limits = limits
        self._turns = Turns()
        self._stopping = threading.Event()
        self._threads: dict[JobId, threading.Thread] = {}
        self.hindrance: GroundworkError | None = None  # why the last job that was let go of could not go on

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of jobs that there are handlers for."""
        return frozenset(self._handlers)

    def start(self, job: JobId) -> None:
        """Begin the job, or go on where a dead process left it; returns at once."""
        # One that was lost and claimed again may still be ending here: never two threads of one job. Daemons,
        # since a slice that does not end is worth no more than a kill would leave of it.
        arguments = (job, self._threads.get(job))
        self._threads[job] = threading.Thread(target=self._carry, args=arguments, name=job, daemon=True)
        self._threads[job].start()

    def running(self) -> frozenset[JobId]:
        """The jobs that this process works on."""
        self._threads = {job: thread for job, thread in self._threads.items() if thread.is_alive()}
        return frozenset(self._threads)

    def close(self) -> None:
        """Make every slice end soon, and wait for that; safe to call twice."""
        self._stopping.set()
        deadline = time.monotonic() + _STOP_WITHIN_S
        for thread in self._threads.values():
            thread.join(max(0.0, deadline - time.monotonic()))

    def _carry(self, job: JobId, before: threading.Thread | None) -> None:
        """Slice after slice until the job has ended, as its row then says, or must be let go of."""
        if before is not None:
            before.join()
        span = tracing.begin("job")
        kind, state = self._carried(job)
        if state is not None:
            TALLY.count(JOBS, kind, state.value)
        span.end(kind=kind, state=state.value if state is not None else "let go")

    def _carried(self, job: JobId) -> tuple[str, JobState | None]:
        """The kind of the job, and how it ended; None where it was let go of."""
        kind = OTHER
        try:
            context = self._slice(job)
            handler = self._handler(context.order)
            kind = context.order.kind
            handler.prepare(context)
            is_short = kind in SHORT
            while self._work(job, handler, is_short=is_short) or self._records.jobs.pending(job):
                continue
            return kind, self._conclude(job)
        except JobCancelled:
            return kind, self._end(job, JobState.CANCELLED, None)
        except JobInterrupted:
            return kind, None
        except RecordsUnavailableError as error:
            # No fault of the job's: it goes on where it was once the server is back.
            self.hindrance = error
            return kind, None
        except GroundworkError as error:
            return kind, self._end(job, JobState.FAILED, error.explanation)
        except Exception as error:
            # The last line of defence: the worker lives on, and the job's row says what happened.
            _log.exception("Job %s failed unexpectedly", job)
            return kind, self._end(job, JobState.FAILED, f"Unexpected {type(error).__name__}: {error}")

    def _slice(self, job: JobId) -> Slice:
        order = self._records.jobs.order(job)
        context = Slice(self._records, order, self._may_go_on, self._turns, self._limits, self._owner)
        context.check()
        return context

    def _handler(self, order: JobOrder) -> JobHandler:
        try:
            return self._handlers[order.kind]
        except KeyError:
            known = ", ".join(sorted(self._handlers))
            raise JobError(f"Unknown kind of job {order.kind!r}. Expected one of: {known}.") from None

    def _work(self, job: JobId, handler: JobHandler, *, is_short: bool) -> bool:
        """One slice, when it is its turn; gives whether there is more to do."""
        waiting = self._slice(job)  # a job may be cancelled before its turn comes
        try:
            with self._turns.taken(is_short=is_short, check=waiting.check):
                return handler.work(self._slice(job))
        except JobWaits as pause:
            until = time.monotonic() + pause.seconds
        while (left_s := until - time.monotonic()) > 0:
            waiting.check()
            self._stopping.wait(min(left_s, _ASK_EVERY_S))
        return True

    def _conclude(self, job: JobId) -> JobState:
        self._slice(job)  # cancelled in its last slice, it ends as cancelled
        failed = any(item.outcome is IngestOutcome.FAILED for item in self._records.jobs.items(job))
        state = JobState.PARTIAL if failed else JobState.DONE
        self._records.jobs.finish(job, state, owner=self._owner)
        return state

    def _may_go_on(self) -> bool:
        return not self._stopping.is_set() and self._may_run()

    def _end(self, job: JobId, state: JobState, error: str | None) -> JobState | None:
        """End the job as `state`; None where not even that can be written."""
        try:
            self._records.jobs.finish(job, state, error, owner=self._owner)
            return state
        except GroundworkError as failure:
            # A full disk, say: the row still says running, and will be adopted.
            _log.warning("Job %s could not be ended as %s: %s", job, state.value, failure)
            self.hindrance = failure
            return None
