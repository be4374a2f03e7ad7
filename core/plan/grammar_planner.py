"""Planner by the grammar, which has readings made by the trained reader alone."""

from __future__ import annotations

from dataclasses import dataclass

from core.plan.clarify import Clarify, QuestionPlanner
from core.plan.conversation.proposals import ProposingPlanner
from core.plan.conversation_state import ConversationState
from core.plan.ir.nodes import Plan
from core.plan.reader.proposal import Proposal
from core.plan.reading import Reading
from core.plan.reading_planner import PlannedTurn, ReadingPlanner


@dataclass(frozen=True, slots=True)
class GrammarPlanner:
    """Plans by `rules`; what is asked of readings goes to `readings`."""

    rules: QuestionPlanner
    readings_planner: ReadingPlanner

    def plan(self, question: str, buckets: tuple[str, ...] = ()) -> Plan | Clarify:
        """The plan of a question, or what has to be asked back."""
        return self.rules.plan(question, buckets)

    def readings(self, question: str, buckets: tuple[str, ...] = ()) -> tuple[Plan, ...]:
        """Other plausible plans of a question."""
        return self.rules.readings(question, buckets)

    def proposal(self, question: str, buckets: tuple[str, ...] = ()) -> Proposal | None:
        """The trained reader's plan beside the grammar's; None where there is no reader."""
        return self.rules.proposal(question, buckets) if isinstance(self.rules, ProposingPlanner) else None

    def read(self, question: str) -> Reading:
        """The reading of a cleaned question."""
        return self.readings_planner.read(question)

    def compiled(
        self, reading: Reading, buckets: tuple[str, ...] = (), state: ConversationState | None = None
    ) -> Plan:
        """The plan of a reading, compiled and checked. Raises ReadingError, AskBackError."""
        return self.readings_planner.compiled(reading, buckets, state)

    def follow(
        self, question: str, state: ConversationState, buckets: tuple[str, ...] = ()
    ) -> PlannedTurn | None:
        """The plan of a turn over the last reading; None where it stands alone."""
        return self.readings_planner.follow(question, state, buckets)
