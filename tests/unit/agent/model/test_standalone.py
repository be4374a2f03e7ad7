from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.agent.model.standalone import standalone_question
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId, TurnId
from tests.support.models_at_hand import models_at_hand
from tests.support.scripted_llm import reply_json

ASKED = Turn(
    TurnId("1"),
    ConversationId("c"),
    1,
    "When does the Alpha lease end?",
    TurnState.DONE,
    None,
    datetime(2026, 1, 1, tzinfo=UTC),
)


def turned(written: str, question: str = "And what is the rent of it?") -> tuple[str, str]:
    with models_at_hand(reply_json({"question": written})) as models:
        calls = models.calls()
        try:
            found = standalone_question(question, [ASKED], calls)
        finally:
            calls.stop()
        return found, models.server.requests[0]["messages"][-1]["content"]


def test_what_it_stands_for_is_put_in() -> None:
    found, prompt = turned("What is the rent of the Alpha lease?")

    assert found == "What is the rent of the Alpha lease?"
    assert "When does the Alpha lease end?" in prompt


@pytest.mark.parametrize("first", ["Does", "Which party of", "List", "How much is"])
def test_a_question_may_begin_as_no_turn_did(first: str) -> None:
    assert turned(f"{first} the Alpha lease")[0] == f"{first} the Alpha lease"


@pytest.mark.parametrize(
    "written",
    [
        "",
        "And what is the rent of it?",
        "What is the rent of the Gamma lease?",
        "What was the rent in 2019?",
        "Gamma's rent?",
    ],
)
def test_what_nobody_said_is_no_reading(written: str) -> None:
    assert turned(written)[0] == ""
