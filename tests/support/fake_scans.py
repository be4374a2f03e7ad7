"""Scans of a workbench in memory: those without text wait, and reading them is a job that stands still."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.ids import JobId
from core.domain.job import Job
from core.domain.principal import LOCAL_ADMIN, Principal, require_admin
from core.jobs.kinds import INSTALL, OCR
from core.workbench.services.jobs import ScanOffer


class FakeScans:
    """See the module; `has_ocr`: text recognition is installed."""

    has_ocr = False
    documents: Callable[..., Sequence[DocumentSummary]]
    jobs: Callable[..., list[Job]]
    _begin: Callable[[str, str], JobId]

    def scan_offer(self, principal: Principal = LOCAL_ADMIN) -> ScanOffer:
        require_admin(principal, "read scans")
        waiting = self.documents(status=DocumentStatus.UNREADABLE)
        open_jobs = [job for job in self.jobs() if job.kind in (INSTALL, OCR) and not job.state.is_ended]
        pages = sum(each.pages for each in waiting)
        return ScanOffer(len(waiting), pages, self.has_ocr, open_jobs[0] if open_jobs else None)

    def read_scans(self, principal: Principal = LOCAL_ADMIN) -> JobId:
        require_admin(principal, "read scans")
        return self._begin(*((OCR, "Reading 1 scan") if self.has_ocr else (INSTALL, "Text recognition")))
