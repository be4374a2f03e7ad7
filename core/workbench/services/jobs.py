"""Jobs: followed, cancelled and resumed."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.ids import JobId
from core.domain.job import IngestItem, Job
from core.domain.trust.permission import Action
from core.errors import UsageError
from core.ingest.ocr import is_installed
from core.jobs import queue
from core.jobs.kinds import INSTALL, OCR
from core.workbench.recorded import recorded
from core.workbench.services.base import Service
from core.workbench.work.scan_jobs import scans, submit


class JobService(Service):
    """Jobs of the home, for admins."""

    def get(self, job: JobId) -> Job:
        """One job. Raises NotFoundError."""
        self._permit(Action.INGEST, "see jobs")
        return self._parts.records.jobs.get(job)

    def items(self, job: JobId) -> list[IngestItem]:
        """Outcomes of a job's inputs so far, in the order given."""
        self._permit(Action.INGEST, "see jobs")
        return self._parts.records.jobs.items(job)

    @recorded("job.cancel", "job")
    def cancel(self, job: JobId) -> None:
        """Stop a job; what it has finished stays. Raises JobError where it has ended."""
        self._permit(Action.INGEST, "cancel jobs")
        queue.cancel(self._parts.records, job)

    @recorded("job.resume", "job")
    def resume(self, job: JobId) -> None:
        """Go on with a job that was cancelled or failed. Raises JobError where it is not."""
        self._permit(Action.INGEST, "resume jobs")
        queue.resume(self._parts.records, job)

    def list(self) -> list[Job]:
        """All jobs, newest first."""
        self._permit(Action.INGEST, "see jobs")
        return self._parts.records.jobs.list()


# Measured with rapidocr-onnxruntime 1.4.4 on Linux: docs/performance.md, "Text recognition".
DOWNLOAD_MB = 120
DISK_MB = 300
SECONDS_A_PAGE = 15


@dataclass(frozen=True, slots=True)
class ScanOffer:
    """Scans that wait, and what stands between them and being read.

    job: the newest that installs text recognition or reads scans, and has not ended; None for none.
    """

    documents: int
    pages: int
    is_installed: bool
    job: Job | None = None
    download_mb: int = DOWNLOAD_MB
    disk_mb: int = DISK_MB

    @property
    def seconds(self) -> int:
        """Time that reading them takes, of one core."""
        return self.pages * SECONDS_A_PAGE


class ScanService(Service):
    """Scans of the home, for admins."""

    def offer(self) -> ScanOffer:
        """Scans that wait to be read, and whether they can be. Raises RefusedError."""
        self._permit(Action.INGEST, "read scans")
        waiting = scans(self._parts.records)
        pages = sum(each.pages for each in waiting)
        return ScanOffer(len(waiting), pages, is_installed(), self._running())

    @recorded("document.read_scans")
    def read(self) -> JobId:
        """Have the scans read that wait, and text recognition installed before where it is not there.

        Never done unasked. One that is at work already is given instead. Raises RefusedError, UsageError
        where nothing waits.
        """
        offer = self.offer()
        if offer.job is not None:
            return offer.job.id
        records, user = self._parts.records, self._principal.user
        if not offer.is_installed:
            return queue.submit(records, INSTALL, "Text recognition, installed", {}, user=user)
        if not offer.documents:
            raise UsageError("No scan waits to be read.", next_step="Add scanned PDFs first.")
        return submit(records, scans(records), user)

    def _running(self) -> Job | None:
        jobs = self._parts.records.jobs.list(limit=50)
        return next((job for job in jobs if job.kind in (INSTALL, OCR) and not job.state.is_ended), None)
