"""Failed questions by their shape: what was tried, what changed since, and asking them again."""

from __future__ import annotations

import re
from dataclasses import replace

from core.domain.job import Job
from core.domain.trust.failures import FailedShape
from core.domain.trust.permission import Action
from core.errors import NotFoundError, UsageError
from core.jobs import queue
from core.jobs.kinds import ASK_AGAIN
from core.review.failed_shapes import failed_shapes
from core.review.habits import is_known
from core.workbench.recorded import recorded
from core.workbench.services.base import Service

MOST_AGAIN = 100
"""Questions that one job asks again; the last that failed."""


class FailureService(Service):
    """Failures by shape: users have their own, admins all."""

    def shapes(self) -> list[FailedShape]:
        """The shapes of questions of which some failed, those with the most open ones first."""
        self._permit(Action.QUERY)
        return failed_shapes(self._parts.records.tries.list(self._principal))

    def shape(self, shape: str) -> FailedShape:
        """One of them, with what was learnt since it failed first, and what is tried first of it now.

        Raises NotFoundError.
        """
        found = next((each for each in self.shapes() if each.shape == shape), None)
        if found is None:
            raise NotFoundError("No question of this shape failed.", next_step="Choose one from the list.")
        fields = {each.name for schema in self._parts.schemas.schemas() for each in schema.fields}
        own = fields.intersection(re.split(r"[\s:.]", shape))
        since = min(each.failed_at for each in found.questions)
        said = [each.question for each in found.questions]
        changes = self._parts.records.tries.changes(shape, own, said, self._visible, since)
        return replace(found, changes=tuple(map(found.with_results, changes)), first=self._first(shape))

    @recorded("failures.ask_again")
    def ask_again(self, shape: str) -> Job:
        """Have the questions of a shape that failed asked once more, as a job; nothing of it is answered to
        anybody, only noted. Raises NotFoundError, and UsageError where that is under way.
        """
        found = self.shape(shape)
        records = self._parts.records
        for each in records.jobs.list(limit=50):
            if each.kind == ASK_AGAIN and not each.state.is_ended and each.title == _title(found):
                raise UsageError("They are being asked again.", next_step="Wait until that job has ended.")
        asked = [[each.question, list(each.buckets)] for each in found.questions[:MOST_AGAIN]]
        payload = {"questions": asked, "user": self._principal.user}
        job = queue.submit(records, ASK_AGAIN, _title(found), payload, user=self._principal.user)
        return records.jobs.get(job)

    def _first(self, shape: str) -> str:
        if not (is_known(shape) and self._parts.settings.answer.avoid_failures):
            return ""
        habit = self._parts.past_tries.of_shape(shape, self._visible)
        return ". ".join(filter(None, (habit.by_text, habit.by_reader)))


def _title(found: FailedShape) -> str:
    count = min(len(found.questions), MOST_AGAIN)
    said = found.questions[0].question if found.questions else found.shape
    return f"{count:,} question{'' if count == 1 else 's'} asked again, like {said[:80]!r}"
