"""Runs the steps of jobs, and turns whatever happens into a state that people can read."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime

from core.domain.document import IngestOutcome
from core.domain.ids import JobId
from core.domain.job import JobState
from core.errors import GroundworkError, JobError, RecordsUnavailableError
from core.jobs.base import JobContext, JobHandler, JobInterrupted, SliceLimits
from core.jobs.kinds import SHORT
from core.jobs.turns import Turns
from core.records.base import JobOrder
from core.records.store import Records

_log = logging.getLogger(__name__)
_ASK_EVERY_S = 0.3  # how often a running slice looks whether it was cancelled


class Abandoned(Exception):  # noqa: N818 - as JobInterrupted
    """The step must end without an outcome: another process will do it again."""


class Slice:
    """The JobContext of one step."""

    def __init__(
        self,
        records: Records,
        order: JobOrder,
        may_go_on: Callable[[], bool],
        turns: Turns,
        limits: SliceLimits,
        owner: str | None = None,
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
        """When the job was submitted."""
        return self._records.jobs.get(self._order.id).created_at

    def check(self) -> None:
        """Raises JobInterrupted once the job was cancelled or the worker is to stop.

        Raises Abandoned where the job is meanwhile another worker's.
        """
        if not self._may_go_on():
            raise JobInterrupted
        now = time.monotonic()
        if now - self._asked >= _ASK_EVERY_S:
            self._asked = now
            order = self._records.jobs.order(self._order.id)
            require_owner(order, self._owner)
            if order.cancel_requested:
                raise JobInterrupted

    def should_yield(self) -> bool:
        """Whether this slice has lasted long enough."""
        lasted = time.monotonic() - self._began
        return lasted >= (self._limits.shared_s if self._turns.is_awaited else self._limits.alone_s)


def require_owner(order: JobOrder, owner: str | None) -> None:
    """Raises Abandoned where the job is another's: this worker's lease ran out, and it was adopted."""
    if owner is not None and order.owner != owner:
        raise Abandoned


class SliceRunner:
    """Prepares, works on and concludes jobs. Thread-safe; `stop` makes every running slice end soon.

    owner: in whose name the jobs were claimed; None works on any.
    """

    def __init__(
        self,
        records: Records,
        handlers: Mapping[str, JobHandler],
        may_run: Callable[[], bool],
        limits: SliceLimits,
        owner: str | None = None,
    ) -> None:
        self._records = records
        self._owner = owner
        self._handlers = handlers
        self._may_run = may_run
        self._limits = limits
        self._turns = Turns()
        self._stopping = threading.Event()
        self.hindrance: GroundworkError | None = None  # why the last abandoned job could not even be ended

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of jobs that there are handlers for."""
        return frozenset(self._handlers)

    def stop(self) -> None:
        """Make every running slice end soon, and no other begin."""
        self._stopping.set()

    def prepare(self, job: JobId) -> bool:
        """Write the job's items; gives whether there is work to do. Raises Abandoned."""

        def step(context: JobContext) -> bool:
            self._handler(context.order).prepare(context)
            return True

        return self._attempt(job, step)

    def work(self, job: JobId) -> bool:
        """One slice; gives whether there is more to do. Raises Abandoned."""
        with self._turns.taken(is_short=self._is_short(job)):
            return self._attempt(job, lambda context: self._handler(context.order).work(context))

    def _is_short(self, job: JobId) -> bool:
        try:
            return self._records.jobs.order(job).kind in SHORT
        except GroundworkError:
            return False  # the attempt itself meets it, and says so

    def conclude(self, job: JobId) -> bool:
        """End the job as its items say; False where there is work left after all. Raises Abandoned."""

        def step(context: JobContext) -> bool:
            if self._records.jobs.get(job).state.is_ended:
                return True
            if self._records.jobs.pending(job):
                return False
            failed = any(item.outcome is IngestOutcome.FAILED for item in self._records.jobs.items(job))
            self._finish(job, JobState.PARTIAL if failed else JobState.DONE, None)
            return True

        return self._attempt(job, step) or self._has_ended_here(job)

    def _handler(self, order: JobOrder) -> JobHandler:
        try:
            return self._handlers[order.kind]
        except KeyError:
            known = ", ".join(sorted(self._handlers))
            raise JobError(f"Unknown kind of job {order.kind!r}. Expected one of: {known}.") from None

    def _attempt(self, job: JobId, step: Callable[[JobContext], bool]) -> bool:
        """What the step gives; False after it was cancelled or has failed, which the job's row then says."""
        try:
            order = self._records.jobs.order(job)
            if self._has_ended(job):
                return False
            require_owner(order, self._owner)
            context = Slice(self._records, order, self._may_go_on, self._turns, self._limits, self._owner)
            context.check()
            return step(context)
        except Abandoned:
            raise
        except JobInterrupted:
            if not self._may_go_on():
                raise Abandoned from None
            self._end(job, JobState.CANCELLED, None)
        except RecordsUnavailableError as error:
            # No fault of the job's: it goes on where it was once the server is back.
            self.hindrance = error
            raise Abandoned from error
        except GroundworkError as error:
            self._end(job, JobState.FAILED, _words(error))
        except Exception as error:
            # The last line of defence: the worker lives on, and the job's row says what happened.
            _log.exception("Job %s failed unexpectedly", job)
            self._end(job, JobState.FAILED, f"Unexpected {type(error).__name__}: {error}")
        return False

    def _may_go_on(self) -> bool:
        return not self._stopping.is_set() and self._may_run()

    def _has_ended_here(self, job: JobId) -> bool:
        try:
            return self._has_ended(job)
        except RecordsUnavailableError as error:
            raise Abandoned from error

    def _has_ended(self, job: JobId) -> bool:
        return self._records.jobs.get(job).state.is_ended

    def _finish(self, job: JobId, state: JobState, error: str | None) -> None:
        self._records.jobs.finish(job, state, error, owner=self._owner)

    def _end(self, job: JobId, state: JobState, error: str | None) -> None:
        try:
            self._finish(job, state, error)
        except GroundworkError as failure:
            # Not even that can be written (a full disk): the row still says running, and will be adopted.
            _log.warning("Job %s could not be ended as %s: %s", job, state.value, failure)
            self.hindrance = failure
            raise Abandoned from failure


def _words(error: GroundworkError) -> str:
    return " ".join(part for part in (error.message, error.next_step) if part)
