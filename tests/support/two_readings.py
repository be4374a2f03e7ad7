"""A planner that finds some questions plausible in two ways, as a judge of two readers does."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify, Option
from core.plan.corrections import LearnedPlanner
from core.plan.ir.nodes import Plan
from core.plan.readers.trained.reading import TextReader
from core.plan.reading_planner import Planned
from core.store.database.visibility import Visibility
from core.workbench.catalogue import PastCorrections, Planners

TWO_WAYS = {
    "Which documents are governed by Texas law?": "Which documents are not governed by Texas law?",
}
"""Questions, each with another that it may as well mean."""

ASKED_BACK = "contracts texas or not"
EITHER = ("Which documents are governed by Texas law?", "Which documents are not governed by Texas law?")
"""What this may mean, equally."""


@dataclass(slots=True, kw_only=True)
class TwoReadings(LearnedPlanner):
    """A planner that offers a second plan of some questions, or asks which of two is meant."""

    def planned(self, question: str, buckets: tuple[str, ...] = ()) -> Planned:
        found = LearnedPlanner.planned(self, question, buckets)
        if question.strip("?").casefold() == ASKED_BACK:
            plans = [LearnedPlanner.planned(self, each, buckets).plan for each in EITHER]
            asked = Clarify(
                type="several_meanings",
                question=question,
                reason="This can be read in two ways. Which do you mean?",
                options=tuple(
                    Option(label=f"{number}", question=question, plan=plan)
                    for number, plan in enumerate(plans)
                    if isinstance(plan, Plan)
                ),
            )
            return replace(found, plan=asked, others=())
        other = TWO_WAYS.get(question)
        plan = LearnedPlanner.planned(self, other, buckets).plan if other else None
        return replace(found, others=(plan,) if isinstance(plan, Plan) else ())


def of(planners: Planners, catalogue: Catalogue, visible: Visibility) -> LearnedPlanner:
    """The planner of a home, which reads some questions in two ways."""
    past = PastCorrections(planners.records.lessons, visible, planners.encoder)
    reader = planners.reader() or TextReader()
    return TwoReadings(catalogue, reader, planners.words, corrections=past, encoder=planners.encoder)


def read_in_two_ways(patch: pytest.MonkeyPatch) -> None:
    """Let every workbench that is opened now plan so."""
    patch.setattr(Planners, "of", of)
