"""Jobs that look after the search index: build it anew, repair it, and notice when a repair is due."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import takewhile

from core.domain.ids import JobId
from core.domain.job import Job, JobState
from core.domain.upkeep import Repair
from core.errors import HomeBusyError, IndexUnavailableError
from core.index.rebuildable import ServerStart
from core.jobs import queue
from core.jobs.base import JobContext, JobHandler
from core.jobs.ownership import Leader
from core.store.jobs.repairs import Suspicion
from core.workbench.wiring import Parts
from core.workbench.work.vectors import bring_up

REINDEX = "reindex"
REPAIR = "repair"
UPKEEP_KINDS = (REINDEX, REPAIR)
ON_REQUEST = "Asked for on the Settings page or by a command."
_LEAD_WITHIN_S = 20.0  # longer than the lease of a dead worker
_LOOK_EVERY_S = 5.0  # a look is one request of 2 ms
_FIRST_WAIT, _LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=1)


def upkeep_jobs(parts: Parts) -> list[Job]:
    """Repairs and rebuilds, newest first."""
    return [job for job in parts.records.jobs.list() if job.kind in UPKEEP_KINDS]


class Outages:
    """Has a search server checked once it was started again: a kill may have cost it vectors.

    Whoever saw the outage, and also where nobody did: the server's own start tells. A collection that was
    replaced under a running server is noticed as well, and brought up. Only the process with the lead looks.
    """

    def __init__(self, parts: Parts, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._parts = parts
        self._clock = clock
        self._look_at = 0.0

    def look(self) -> JobId | None:
        """Submit a repair where one is due; gives its job. Cheap: call it often."""
        if self._clock() < self._look_at:
            return None
        self._look_at = self._clock() + _LOOK_EVERY_S
        records = self._parts.records
        self._parts.engines.check_server()
        # Read before the start: a suspicion that comes later is not settled by it.
        suspicion, checked = records.repairs.suspicion(), records.repairs.checked_start()
        start = self._parts.engines.server_start()
        if start is None:
            return None
        if checked is None and self._parts.engines.facts(self._parts.engines.server_name).passages == 0:
            records.repairs.trust(start.mark, suspicion)  # a new collection has nothing to lose
            return None
        reason = due(start, checked, suspicion)
        if not reason:
            if suspicion is not None:
                records.repairs.trust(start.mark, suspicion)
            return None
        jobs = upkeep_jobs(self._parts)
        if any(not job.state.is_ended for job in jobs):
            return None
        tried = [job for job in jobs if job.kind == REPAIR and self._start_of(job) == start.mark]
        if not may_try(tried, datetime.now(UTC)):
            return None
        payload = {"engine": self._parts.engines.server_name, "reason": reason, "start": start.mark}
        return queue.submit(records, REPAIR, "Search server checked", payload)

    def _start_of(self, job: Job) -> str:
        return str(self._parts.records.jobs.order(job.id).payload.get("start", ""))


def due(start: ServerStart, checked: str | None, suspicion: Suspicion | None) -> str:
    """Reason why the server must be checked, a sentence; "" where it need not be.

    A server that is slow but was not started again has lost nothing, and a check would make it slower.
    """
    if start.mark and start.mark != checked:
        return "The search server was started again." if checked else "The search server is new here."
    if suspicion is not None and not start.is_certain:
        return f"The search server was away. {suspicion.reason}"
    return ""


def may_try(tried: Sequence[Job], now: datetime) -> bool:
    """True where a server may be checked again; tried: the checks after this start of it, newest first.

    One that failed waits, ever longer. A new start is tried at once: the server may have gone away meanwhile.
    """
    failed = len(list(takewhile(lambda job: job.state is not JobState.DONE, tried)))
    if not failed:
        return True
    wait = _FIRST_WAIT * float(2 ** min(failed - 1, 10))
    return now - tried[0].updated_at >= min(wait, _LONGEST_WAIT)


class ReindexJob(JobHandler):
    """Builds the index beside the old one and switches; for another encoder with vectors of their own."""

    def __init__(self, parts: Parts, lead: Leader) -> None:
        self._parts = parts
        self._lead = lead

    def work(self, context: JobContext) -> bool:
        """All of the index in one slice; of vectors as many as it has time for, the rest in others."""
        report, only = reporter(self._parts, context), _engine_of(self._parts, context)
        require_lead(self._lead)
        if not self._parts.engines.has_fitting_vectors():
            return self._encode_again(context)
        repairs = self._parts.records.repairs
        suspicion = repairs.suspicion()
        start = self._parts.engines.server_start() if self._parts.engines.is_open else None
        self._parts.engines.rebuild(report, only)
        if start is not None and only in ("", self._parts.engines.server_name):
            repairs.trust(start.mark, suspicion)
        return False

    def _encode_again(self, context: JobContext) -> bool:
        """Until the end the vectors of before serve whoever has them open; gives whether more is left."""
        variants = self._parts.records.variants
        moved = variants.move(self._parts.variant, self._parts.engines.signature)
        with contextlib.closing(self._parts.beside(moved)) as parts:
            if bring_up(parts, context):
                return True
        variants.arrive(moved)
        return False


class RepairJob(JobHandler):
    """Compares an engine with the records, writes again what differs, and keeps the report."""

    def __init__(self, parts: Parts, lead: Leader) -> None:
        self._parts = parts
        self._lead = lead

    def work(self, context: JobContext) -> bool:
        """All of it in one slice; a repeated one starts over."""
        report, only = reporter(self._parts, context), _engine_of(self._parts, context)
        require_lead(self._lead)
        self._parts.engines.catch_up()
        for engine in (only,) if only else self._parts.engines.names:
            self._repair(engine, str(context.order.payload.get("reason") or ON_REQUEST), report)
        return False

    def _repair(self, engine: str, reason: str, report: Callable[[int, int], None]) -> None:
        repairs = self._parts.records.repairs
        suspicion = repairs.suspicion()
        start = self._parts.engines.server_start() if engine == self._parts.engines.server_name else None
        began = time.monotonic()
        found = self._parts.engines.repair(engine, report)
        repairs.save(Repair(engine, datetime.now(UTC), time.monotonic() - began, reason, found))
        if start is not None:
            # The start before the repair: of a server that was started again in between, another is due.
            repairs.trust(start.mark, suspicion)


def require_lead(lead: Leader) -> None:
    """Take the right to write the index, or raise HomeBusyError where another process keeps it."""
    deadline = time.monotonic() + _LEAD_WITHIN_S
    while not lead.take():
        if time.monotonic() > deadline:
            raise HomeBusyError(
                f"Another process writes the search index ({lead.holder()}).",
                next_step="Resume this job; a worker that may write the index takes it.",
            )
        time.sleep(0.2)


def reporter(parts: Parts, context: JobContext) -> Callable[[int, int], None]:
    """Notes progress in the job's row, and ends the job where it was cancelled."""

    def report(done: int, total: int) -> None:
        context.check()
        parts.records.jobs.progress(context.order.id, done, total)

    return report


def _engine_of(parts: Parts, context: JobContext) -> str:
    """The engine that a job is about; "" for each. Raises where the settings no longer name it."""
    engine = str(context.order.payload.get("engine") or "")
    if engine and engine not in parts.engines.names:
        raise IndexUnavailableError(
            f"The settings do not name the engine {engine!r} any more.",
            next_step="Set index.engine to it, or cancel this job.",
        )
    return engine
