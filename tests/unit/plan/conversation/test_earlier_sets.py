"""Turns that go back to an earlier set."""

from __future__ import annotations

from core.plan.conversation.earlier_sets import return_to_set
from core.plan.conversation.setting import TurnSetting, setting_of
from core.plan.conversation_state import ConversationState
from tests.support.conversations import LEXICON, PLANNER, after, plan_of, reading_of
from tests.support.known_collection import in_a_line

ASKED = (
    "Which contracts are governed by Texas law?",
    "Which contracts are not governed by Texas law?",
    "Which contracts have insurance?",
)


def _at(turn: str) -> TurnSetting:
    state = ConversationState()
    for question in ASKED:
        state = after(state, plan_of(question))
    return setting_of(turn, state, PLANNER.plan, reading_of, LEXICON)


def test_an_earlier_set_is_found_by_its_condition_and_not_by_the_opposite() -> None:
    found = return_to_set(_at("back to the Texas ones"))

    assert found is not None
    assert in_a_line(found.plan) == "contracts[document_kind = agreement; governing_law = Texas]"


def test_the_set_before_is_the_one_before() -> None:
    found = return_to_set(_at("back to the previous list"))

    assert found is not None
    assert "governing_law != Texas" in in_a_line(found.plan)


def test_a_turn_that_does_not_go_back_is_none() -> None:
    assert return_to_set(_at("which of them have insurance?")) is None
