"""Installing text recognition as a durable job; then the scans that wait are read by a job of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.domain.ids import JobId
from core.domain.job import CurrentItem
from core.ingest.ocr import EXTRA
from core.jobs.base import JobContext
from core.processes.extra import Extra, install
from core.records.store import Records
from core.workbench.work.scans import scans, submit

Install = Callable[[Extra, Callable[[], None], Callable[[str], None], Path], None]


class InstallJob:
    """The handler of the job kind `install`: all in one slice. Repeated, it installs what is missing."""

    def __init__(self, records: Records, home: Path, install: Install = install) -> None:
        self._records = records
        self._home = home
        self._install = install

    def prepare(self, context: JobContext) -> None:
        """Nothing: it has no items."""

    def work(self, context: JobContext) -> bool:
        """Install, then have the scans read that wait, for the one who asked."""
        job, jobs = context.order.id, self._records.jobs
        jobs.progress(job, 0, 1)

        def tell(step: str) -> None:
            jobs.set_current(job, CurrentItem(step, 0, 0))

        self._install(EXTRA, context.check, tell, log_of(self._home, job))
        jobs.progress(job, 1, 1)
        if waiting := scans(self._records):
            submit(self._records, waiting, context.order.user)
        return False


def log_of(home: Path, job: JobId) -> Path:
    """File with all that the installer said in a job."""
    return home / "logs" / f"install-{job}.log"
