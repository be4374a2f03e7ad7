"""Jobs: followed, cancelled and resumed."""

from __future__ import annotations

from core.domain.ids import JobId
from core.domain.job import IngestItem, Job
from core.domain.trust.permission import Action
from core.workbench.recorded import recorded
from core.workbench.services.base import Service


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
        self._writing.cancel(job)

    @recorded("job.resume", "job")
    def resume(self, job: JobId) -> None:
        """Go on with a job that was cancelled or failed. Raises JobError where it is not."""
        self._permit(Action.INGEST, "resume jobs")
        self._writing.resume(job)

    def list(self) -> list[Job]:
        """All jobs, newest first."""
        self._permit(Action.INGEST, "see jobs")
        return self._parts.records.jobs.list()
