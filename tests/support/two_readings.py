"""A planner that finds some questions plausible in two ways, as a judge of two readers does."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify, Option
from core.plan.conversation_state import ConversationState
from core.plan.corrections import LearnedPlanner
from core.plan.ir.nodes import Plan
from core.plan.reading import Reading
from core.plan.reading_planner import PlannedTurn, ReadingPlanner
from core.records.database.visibility import Visibility
from core.workbench.catalogue import PastCorrections, Planners

TWO_WAYS = {
    "Which documents are governed by Texas law?": "Which documents are not governed by Texas law?",
}
"""Questions, each with another that it may as well mean."""

ASKED_BACK = "contracts texas or not"
EITHER = ("Which documents are governed by Texas law?", "Which documents are not governed by Texas law?")
"""What this may mean, equally."""


@dataclass(frozen=True)
class TwoReadings:
    """Plans by another planner; of some questions it offers a second plan, or asks which of two is meant."""

    planner: ReadingPlanner
    others: dict[str, str] = field(default_factory=lambda: dict(TWO_WAYS))

    def plan(self, question: str, buckets: tuple[str, ...] = ()) -> Plan | Clarify:
        if question.strip("?").casefold() != ASKED_BACK:
            return self.planner.plan(question, buckets)
        options = tuple(
            Option(label=f"{number}", question=question, plan=plan)
            for number, each in enumerate(EITHER)
            if isinstance(plan := self.planner.plan(each, buckets), Plan)
        )
        return Clarify(
            type="several_meanings",
            question=question,
            reason="This can be read in two ways. Which do you mean?",
            options=options,
        )

    def readings(self, question: str, buckets: tuple[str, ...] = ()) -> tuple[Plan, ...]:
        other = self.others.get(question)
        planned = self.planner.plan(other, buckets) if other else None
        return (planned,) if isinstance(planned, Plan) else ()

    def read(self, question: str) -> Reading:
        return self.planner.read(question)

    def compiled(
        self, reading: Reading, buckets: tuple[str, ...] = (), state: ConversationState | None = None
    ) -> Plan:
        return self.planner.compiled(reading, buckets, state)

    def owned(self, plan: Plan, buckets: tuple[str, ...], state: ConversationState | None = None) -> Plan:
        return self.planner.owned(plan, buckets, state)

    def follow(
        self, question: str, state: ConversationState, buckets: tuple[str, ...] = ()
    ) -> PlannedTurn | None:
        return self.planner.follow(question, state, buckets)


_OF = Planners.of


def of(planners: Planners, catalogue: Catalogue, visible: Visibility) -> LearnedPlanner:
    """The planner of a home, which reads some questions in two ways."""
    usual = _OF(planners, catalogue, visible)
    past = PastCorrections(planners.records.lessons, visible, planners.encoder)
    return LearnedPlanner(catalogue, TwoReadings(usual), past, planners.encoder)


def read_in_two_ways(patch: pytest.MonkeyPatch) -> None:
    """Let every workbench that is opened now plan so."""
    patch.setattr(Planners, "of", of)
