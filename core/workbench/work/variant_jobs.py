"""Jobs of variants: build one beside what serves, and hold two of them against each other."""

from __future__ import annotations

import contextlib
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.domain.job import Job
from core.errors import JobError
from core.index.collections import OF_FACTS
from core.index.engines import EMBEDDED
from core.jobs.base import JobContext, JobHandler
from core.jobs.kinds import VARIANT
from core.jobs.ownership import Leader
from core.workbench.engines.passages import INDEX_FOLDER, SET_FOLDER
from core.workbench.wiring import Parts
from core.workbench.work.index_jobs import reporter, require_lead
from core.workbench.work.vectors import Followers, bring_up

_MOST_CATCH_UPS = 20  # of one switch: documents that come in faster than they are encoded


def variant_jobs(parts: Parts) -> Mapping[int, Sequence[Job]]:
    """The jobs that built variants, newest first, by the id of the variant; () of one that has none."""
    jobs = parts.records.jobs
    found: defaultdict[int, Sequence[Job]] = defaultdict(tuple)
    for job in jobs.list():
        if job.kind == VARIANT:
            variant = jobs.order(job.id).payload["variant"]
            found[variant] = (*found[variant], job)
    return found


class VariantJob(JobHandler):
    """Encodes all passages for a variant, builds its index, and switches to it where that was asked for."""

    def __init__(self, parts: Parts, lead: Leader) -> None:
        self._parts = parts
        self._lead = lead

    def work(self, context: JobContext) -> bool:
        """As many passages as a slice has time for; a repeated one goes on with those that lack vectors."""
        require_lead(self._lead)
        variants, payload = self._parts.records.variants, context.order.payload
        variant = variants.by_id(payload["variant"])
        parts = self._parts.part(Followers).parts_of(variant)
        with self._parts.part(Followers).leveling:
            if bring_up(parts, context):
                return True
        if not payload.get("switch") or variants.switch(variant, is_back=bool(payload.get("back"))):
            return False
        if context.order.attempts > _MOST_CATCH_UPS:
            raise JobError(
                f"Documents come in faster than they are encoded for {variant.name!r}.",
                next_step="Switch once the ingest has ended.",
            )
        return True


class CompareJob(JobHandler):
    """Asks the same questions of two variants, and keeps how what they find differs."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def work(self, context: JobContext) -> bool:
        """All questions in one slice; a repeated one starts over."""
        from core.workbench.work.comparison import compare, questions_of

        payload, variants = context.order.payload, self._parts.records.variants
        sides = [variants.by_id(payload[side]) for side in ("left", "right")]
        asked = questions_of(self._parts.records, payload)
        with contextlib.ExitStack() as opened:
            left, right = (
                opened.enter_context(contextlib.closing(self._parts.beside(each))) for each in sides
            )
            report = compare(left, right, asked, reporter(self._parts, context))
        variants.keep_comparison(context.order.id, report)
        return False


def drop_unused(parts: Parts) -> None:
    """Delete vectors that no variant searches any more, and their index. Raises HomeBusyError."""
    home = parts.settings.home / INDEX_FOLDER
    for vector_set in parts.records.variants.unused_sets() - {parts.variant.vector_set}:
        parts.records.variants.drop(vector_set)
        first = [EMBEDDED, *(each.value for each in OF_FACTS)]
        for folder in [f"{SET_FOLDER}{vector_set}"] if vector_set else first:
            shutil.rmtree(home / folder, ignore_errors=True)
