"""Follow-ups: whole conversations with the plan of each turn, as `turns.txt` has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.plan.clarify import Clarify
from core.plan.conversation.edit import Edit, FollowUpPlan
from core.plan.conversation_state import ConversationState
from core.plan.ir.validate import validate
from tests.support.conversations import CATALOGUE, FOLLOW_UPS, plan_of, state_after, talk
from tests.support.known_collection import in_a_line

TURNS = (Path(__file__).parent / "turns.txt").read_text(encoding="utf-8").strip()
CONVERSATIONS = [
    [(lines[at], lines[at + 1].strip()) for at in range(0, len(lines), 2)]
    for lines in (block.split("\n") for block in TURNS.split("\n\n"))
]


@pytest.mark.parametrize("turns", CONVERSATIONS, ids=lambda turns: str(turns[0][0]))
def test_each_turn_of_a_conversation_has_its_plan(turns: list[tuple[str, str]]) -> None:
    assert talk([question for question, _ in turns]) == [planned for _, planned in turns]


@pytest.mark.parametrize(
    "question",
    [
        "Which invoices are due in March 2025?",
        "How many contracts are governed by German law?",
        "And how many contracts expire in 2026?",
        "And the invoices from Brightwater?",
        "Which invoices from Brightwater do we have?",
        "Who insures us?",
        "Which contracts expire in 2025 and which of those lack force majeure?",
    ],
)
def test_a_question_that_stands_on_its_own_is_no_follow_up(question: str) -> None:
    assert FOLLOW_UPS.follow(question, state_after("Which contracts are governed by Texas law?")) is None


def test_the_kind_in_hand_goes_on_where_another_party_is_named() -> None:
    found = FOLLOW_UPS.follow(
        "and the contracts with Halden?", state_after("Which contracts lack insurance?")
    )
    assert isinstance(found, FollowUpPlan)


@pytest.mark.parametrize(
    "question",
    [
        "only Halden's",
        "why not Brightwater?",
        "without Halden",
        "back to all of them",
        "drop the date condition",
    ],
)
def test_a_first_turn_that_only_goes_on_is_told_that_nothing_is_in_hand(question: str) -> None:
    found = FOLLOW_UPS.follow(question, ConversationState())
    assert isinstance(found, Clarify)
    assert "nothing is in hand" in found.reason


@pytest.mark.parametrize(
    "question",
    ["Only the contracts with Halden", "why was the contract with Halden ended?", "Just how many are there"],
)
def test_a_whole_first_question_is_asked_as_it_is(question: str) -> None:
    found = FOLLOW_UPS.follow(question, ConversationState())
    assert not isinstance(found, Clarify)


@pytest.mark.parametrize(
    "question", ["how many of them are there?", "what is their total value?", "sort those"]
)
def test_words_that_point_at_nothing_are_asked_about(question: str) -> None:
    found = FOLLOW_UPS.follow(question, ConversationState())
    assert isinstance(found, Clarify)
    assert "points at nothing" in found.reason


@pytest.mark.parametrize(
    "question", ["Which contracts state their value?", "What do these contracts say about notice?", "Hello"]
)
def test_words_that_point_inside_a_first_question_are_none_of_a_follow_up(question: str) -> None:
    assert FOLLOW_UPS.follow(question, ConversationState()) is None


@pytest.mark.parametrize(
    "question",
    [
        "How much of their full fee have the tenors paid so far?",
        "What share of all the heads on the list, coming or not, are kids?",
    ],
)
def test_words_that_point_are_not_asked_about_in_a_question_that_says_enough(question: str) -> None:
    assert FOLLOW_UPS.follow(question, ConversationState()) is None


def test_a_plan_says_what_it_goes_on_from() -> None:
    found = FOLLOW_UPS.follow("which of them expire in 2025?", state_after("Which contracts lack insurance?"))
    assert isinstance(found, FollowUpPlan)
    assert found.plan.question == "Which contracts lack insurance? — which of them expire in 2025?"
    assert found.plan.notes[0].reading == "Of the 3 contracts"
    assert not validate(found.plan, CATALOGUE)


def test_a_question_about_one_document_keeps_the_set() -> None:
    found = FOLLOW_UPS.follow(
        "when does the first one expire?", state_after("Which contracts lack insurance?")
    )
    assert isinstance(found, FollowUpPlan)
    assert (found.edit, found.keeps_set) == (Edit.FOCUS, True)


def test_those_that_another_kind_is_with_are_the_party_in_hand() -> None:
    state = state_after("Which contracts are with Brightwater?")
    found = FOLLOW_UPS.follow("which invoices do we have with them?", state)
    assert isinstance(found, FollowUpPlan)
    assert found.edit is Edit.AFRESH
    assert in_a_line(found.plan) == in_a_line(plan_of("which invoices do we have with Brightwater?"))


def test_a_first_question_about_it_is_asked_back() -> None:
    found = FOLLOW_UPS.follow("Under which law is it governed?", ConversationState())
    assert isinstance(found, Clarify)
    assert found.phrase == "it"
