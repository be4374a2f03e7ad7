"""A handler whose job is made, and what it needs imported, when the first such job comes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from core.jobs.base import JobContext, JobHandler


class LateHandler:
    """Does what the handler does that `make` gives; made once."""

    def __init__(self, make: Callable[[], JobHandler]) -> None:
        self._make = make

    @cached_property
    def _job(self) -> JobHandler:
        return self._make()

    def prepare(self, context: JobContext) -> None:
        """See JobHandler."""
        self._job.prepare(context)

    def work(self, context: JobContext) -> bool:
        """See JobHandler."""
        return self._job.work(context)
