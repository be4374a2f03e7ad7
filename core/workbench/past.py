"""Past corrections, from the records to the planner."""

from __future__ import annotations

from core.plan.learned import Correction
from core.records.lessons import Lessons


class PastCorrections:
    """The corrections of this home, as a planner reads them."""

    def __init__(self, lessons: Lessons) -> None:
        self._lessons = lessons

    def exist(self) -> bool:
        """Whether there is any."""
        return self._lessons.corrections_exist()

    def of_shape(self, shape: str) -> list[Correction]:
        """The corrections of questions of one shape, the newest first."""
        return [
            Correction(
                each.question,
                each.slots,
                each.plan,
                each.corrected,
                each.corrected_at,
                each.corrected_by,
            )
            for each in self._lessons.corrections(shape)
            if each.corrected is not None and each.corrected_at is not None
        ]
