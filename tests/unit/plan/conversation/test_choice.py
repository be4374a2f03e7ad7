"""Questions back of a turn, whose options are about what is in hand."""

from __future__ import annotations

import pytest

from core.plan.clarify import Clarify, Option
from core.plan.conversation.choice import ask_in_turn, in_other_words
from core.plan.conversation.follow_up import FollowUpPlanner
from core.plan.ir.nodes import Plan
from tests.support.conversations import LEXICON, plan_of, reading_of, state_after
from tests.support.known_collection import in_a_line

ENDING = plan_of("Which contracts expire in 2025?")
TEXAN = "Which contracts are governed by Texas law?"
ONE = "What is the value of the Cleaning Contract?"


def _in_two_ways(question: str) -> Clarify:
    plans = (ENDING, plan_of("Which contracts lack insurance?"))
    options = tuple(Option(label=in_a_line(each), question=question, plan=each) for each in plans)
    return Clarify(type="several_meanings", question=question, reason="Which?", options=options)


@pytest.mark.parametrize(
    ("turn", "before", "chosen"),
    [
        ("does Castor bite?", TEXAN, "contracts in d04["),
        ("does it bite?", ONE, "contracts in d02["),
        ("which of them bite?", TEXAN, "contracts[document_kind = agreement; governing_law = Texas; "),
    ],
)
def test_the_plan_of_an_option_is_restricted_to_what_is_in_hand(turn: str, before: str, chosen: str) -> None:
    found = FollowUpPlanner(_in_two_ways, reading_of, LEXICON).follow(turn, state_after(before))

    assert isinstance(found, Clarify)
    assert found.question == turn
    assert [option.question for option in found.options] == [turn, turn]
    plan = found.options[0].plan
    assert plan is not None
    assert in_a_line(plan) == f"{chosen}expiration_date between 2025-01-01 .. 2025-12-31]"


def test_a_question_that_names_a_document_is_left_to_the_planner_where_that_has_a_plan() -> None:
    def plan(question: str) -> Plan | Clarify:
        return ENDING if question == "does Castor bite?" else _in_two_ways(question)

    assert FollowUpPlanner(plan, reading_of, LEXICON).follow("does Castor bite?", state_after(TEXAN)) is None


def test_an_option_without_a_plan_says_the_turn_in_other_words() -> None:
    options = (Option(label="due date", question="the date of the invoices"),)
    clarify = Clarify(
        type="several_meanings",
        question="the date of the invoices",
        reason="",
        phrase="date",
        options=options,
    )

    found = ask_in_turn(clarify, "their date?", lambda plan: plan)

    assert [option.question for option in found.options] == ["their due date?"]


def test_only_whole_words_are_put_in_other_words() -> None:
    assert in_other_words("does it bite?", "it", "“Lease”") == "does “Lease” bite?"
