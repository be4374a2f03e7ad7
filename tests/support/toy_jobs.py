"""A job that counts to a number, and a runner without a log: for tests of what surrounds a job."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from core.domain.document import IngestOutcome
from core.domain.ids import JobId
from core.domain.job import IngestItem
from core.jobs.base import JobContext
from core.jobs.slices import Abandoned, SliceRunner
from core.records.base import NewItem
from core.records.store import Records


class CountingJob:
    """Does `payload["count"]` items, one a slice; `before` is called ahead of each.

    While `is_held_up` it does nothing but ask whether to go on.
    """

    def __init__(self, records: Records, before: Callable[[int], None] = lambda ordinal: None) -> None:
        self._records = records
        self._before = before
        self.is_held_up = False

    def prepare(self, context: JobContext) -> None:
        job = context.order.id
        if not self._records.jobs.get(job).total:
            count = int(context.order.payload["count"])
            self._records.jobs.add_items(job, [NewItem(f"item {number}") for number in range(count)])

    def work(self, context: JobContext) -> bool:
        pending = self._records.jobs.pending(context.order.id)
        if not pending:
            return False
        self._before(pending[0].ordinal)
        context.check()
        while self.is_held_up:
            threading.Event().wait(0.01)
            context.check()
        self._records.jobs.set_items(context.order.id, {pending[0].ordinal: _done(pending[0].source)})
        return len(pending) > 1


class ThreadRunner:
    """A JobRunner that forgets everything when its process ends."""

    def __init__(self, home: Path, owner: str, slices: SliceRunner) -> None:
        self._slices = slices
        self._threads: dict[JobId, threading.Thread] = {}

    def start(self, job: JobId) -> None:
        thread = threading.Thread(target=self._run, args=(job,))
        self._threads[job] = thread
        thread.start()

    def running(self) -> frozenset[JobId]:
        return frozenset(job for job, thread in self._threads.items() if thread.is_alive())

    def close(self) -> None:
        for thread in self._threads.values():
            thread.join()

    def _run(self, job: JobId) -> None:
        try:
            is_unfinished = self._slices.prepare(job)
            while is_unfinished or not self._slices.conclude(job):
                is_unfinished = self._slices.work(job)
        except Abandoned:
            return


def _done(source: str) -> IngestItem:
    return IngestItem(None, source, source, "default", IngestOutcome.READY, "", 1, 1)
