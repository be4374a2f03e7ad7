"""A job that counts to a number: for tests of what surrounds a job.

Run as a process: `python -m tests.support.toy_jobs HOME METHOD NUMBER WHEN` is a worker of HOME that kills
itself `before` or `after` the call of that number of that method of `records.jobs`. The address of its
records, where they are no file, is in GROUNDWORK_RECORDS__URL.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.config.models import RecordsSettings, Settings
from core.domain.document import IngestOutcome
from core.domain.job import IngestItem
from core.jobs import worker
from core.jobs.base import JobContext
from core.store.base import JobItem
from core.store.store import Records


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
            self._records.jobs.add_items(job, [JobItem(f"item {number}") for number in range(count)])

    def work(self, context: JobContext) -> bool:
        pending = self._records.jobs.pending(context.order.id)
        if not pending:
            return False
        self._before(pending[0].ordinal)
        context.check()
        while self.is_held_up:
            threading.Event().wait(0.01)
            context.check()
        self._records.jobs.set_items(context.order.id, {pending[0].ordinal: done(pending[0].source)})
        return len(pending) > 1


def done(source: str) -> IngestItem:
    """An item that went well."""
    return IngestItem(None, source, source, "default", IngestOutcome.READY, "", 1, 1)


def main(home: Path, method: str, number: int, when: str) -> None:
    """Be the worker of `home` until the moment to die."""
    url = os.environ.get("GROUNDWORK_RECORDS__URL", "")
    with Records.open(Settings(home=home, records=RecordsSettings.model_validate({"url": url}))) as records:
        call, count = getattr(records.jobs, method), 0

        def deadly(*arguments: Any, **named: Any) -> Any:
            nonlocal count
            count += 1
            if count == number and when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            given = call(*arguments, **named)
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return given

        setattr(records.jobs, method, deadly)
        worker.run(records, home, lambda: {"count": CountingJob(records)}, threading.Event())


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4])
