"""Conversations over the known collection: plans of turns in a line each, without running them."""

from __future__ import annotations

from datetime import date

from core.plan.clarify import Clarify
from core.plan.conversation.edit import FollowUpPlan
from core.plan.conversation.follow_up import FollowUpPlanner
from core.plan.conversation.setting import TurnSetting, setting_of
from core.plan.conversation_state import ConversationState, Focus, SetInHand, base_of, source_of
from core.plan.ir.nodes import Plan
from core.plan.language.interpretation import lexicon_of
from core.plan.language.reading.read import ParsedQuestion, read
from core.plan.planner import RulePlanner
from tests.support.known_collection import in_a_line, known_collection

TODAY = date(2024, 11, 22)
CATALOGUE = known_collection()
LEXICON = lexicon_of(CATALOGUE)
PLANNER = RulePlanner(CATALOGUE, today=TODAY)
FOLLOW_UPS = FollowUpPlanner(PLANNER.plan, lambda text: reading_of(text), LEXICON)
LISTED = ("d03", "d01", "d04")
"""The documents that every question about a set is taken to come to, as they are shown."""


def reading_of(text: str) -> ParsedQuestion:
    """The pieces of a text."""
    return read(text, LEXICON, TODAY)


def plan_of(question: str) -> Plan:
    """The plan of a whole question."""
    planned = PLANNER.plan(question)
    assert isinstance(planned, Plan), planned
    return planned


def state_after(question: str, value: str = "") -> ConversationState:
    """The state after one question about a set. value: what it came to."""
    return after(ConversationState(), plan_of(question), value=value)


def at(turn: str, before: str = "Which contracts are governed by Texas law?") -> TurnSetting:
    """A turn behind a question about a set."""
    return setting_of(turn, state_after(before), PLANNER.plan, reading_of, LEXICON)


def after(
    state: ConversationState, plan: Plan, *, keeps_set: bool = False, value: str = ""
) -> ConversationState:
    """The state after a plan, of which nothing runs: it came to LISTED, or to the one that it names."""
    base = base_of(plan)
    named = base.scope.documents if base is not None else ()
    documents = named if len(named) == 1 else LISTED
    compared = plan if plan.kind.value == "comparison" else state.compared
    in_hand = state.in_hand
    if not keeps_set or in_hand is None:
        in_hand = SetInHand(documents, "contracts", plan if source_of(plan) else None)
    shown = LISTED[:1] if base is not None and base.limit == 1 else documents
    before = state.in_hand
    earlier = (*state.earlier, before) if before is not None and before is not in_hand else state.earlier
    return ConversationState(in_hand, plan, Focus(shown, value), compared, earlier=earlier)


def talk(questions: list[str]) -> list[str]:
    """What each question of a conversation is planned as, in a line."""
    state, said = ConversationState(), []
    for question in questions:
        found = FOLLOW_UPS.follow(question, state)
        if isinstance(found, Clarify):
            said.append(in_a_line(found))
            continue
        planned = found.plan if isinstance(found, FollowUpPlan) else PLANNER.plan(question)
        kind = found.edit.value if isinstance(found, FollowUpPlan) else "alone"
        said.append(f"{kind}: {in_a_line(planned)}")
        if isinstance(planned, Plan):
            keeps = isinstance(found, FollowUpPlan) and found.keeps_set
            state = after(state, planned, keeps_set=keeps)
    return said
