"""A handler whose job is made, and what it needs imported, when the first such job comes."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from core.jobs.base import JobContext, JobHandler

if TYPE_CHECKING:
    from core.workbench.wiring import Parts


class LateHandler:
    """Base of handlers, each of which says what `_job` is."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    @cached_property
    def _job(self) -> JobHandler:
        raise NotImplementedError

    def prepare(self, context: JobContext) -> None:
        """See JobHandler."""
        self._job.prepare(context)

    def work(self, context: JobContext) -> bool:
        """See JobHandler."""
        return self._job.work(context)
