"""Orders to the conversation."""

from __future__ import annotations

import pytest

from core.plan.text.classify import classify
from core.plan.text.command import CLEAR, DELETE, EXPORT, command_of


@pytest.mark.parametrize(
    "said",
    ["clear", "start over", "Forget it.", "ok, let's start again please", "never mind", "Can we begin anew?"],
)
def test_what_is_in_hand_is_put_away_by_any_of_these(said: str) -> None:
    assert command_of(said) == CLEAR


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("export them", EXPORT),
        ("Can you email these to me?", EXPORT),
        ("download the list as a spreadsheet", EXPORT),
        ("delete them", DELETE),
        ("please erase the first one", DELETE),
    ],
)
def test_a_file_or_a_removal_is_wanted_of_what_is_in_hand(said: str, command: str) -> None:
    assert command_of(said) == command


@pytest.mark.parametrize(
    "question",
    [
        "forget the condition about revenue",
        "Which contracts are clear on liability?",
        "how do I reset the inverter?",
        "Who may delete the data?",
        "which export rules hold?",
        "remove the ones from Beta",
        "",
    ],
)
def test_questions_and_changes_of_the_set_are_no_such_orders(question: str) -> None:
    assert command_of(question) == ""


def test_an_order_is_answered_without_a_search() -> None:
    assert classify("start over").small_talk == CLEAR
