"""Follow-ups made whole: with another name, or with a choice that was offered."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from core.agent.conversation.rephrase import rephrased
from core.domain.answer import Answer
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId, TurnId
from core.plan.language.interpretation import lexicon_of
from core.plan.language.reading.read import ParsedQuestion, read
from tests.support.known_collection import known_collection

TODAY = date(2024, 11, 22)
SET = {"plan": {}, "table": {"columns": [], "rows": [[]], "documents": ["d01"]}}


def reader(question: str) -> ParsedQuestion:
    return read(question, lexicon_of(known_collection()), TODAY)


def turn(question: str, **fields: Any) -> Turn:
    answer = Answer.model_validate(
        {
            "question": question,
            "trace_id": "t",
            "data_version": 1,
            "status": "answered",
            "kind": "lookup",
            "route": "structured",
            "text": "",
            **fields,
        }
    )
    at = datetime.now(UTC)
    return Turn(TurnId("t"), ConversationId("c"), 1, question, TurnState.DONE, answer, at)


@pytest.mark.parametrize(
    ("earlier", "question", "whole"),
    [
        ("Which contracts with Halden expire in 2025?", "what about Brightwater?",
         "Which contracts with Brightwater expire in 2025?"),
        ("What is Halden's liability cap?", "And Brightwater?", "What is Brightwater's liability cap?"),
        ("When does the supply agreement expire?", "how about the cleaning contract?",
         "When does the cleaning contract expire?"),
        ("Which contracts expire in 2025?", "Which invoices are due in March?", ""),
        ("Which contracts expire?", "what about Brightwater?", ""),
    ],
)  # fmt: skip
def test_a_follow_up_becomes_the_whole_question(earlier: str, question: str, whole: str) -> None:
    assert rephrased(question, [turn(earlier, **SET)], reader) == whole


def test_the_name_of_an_offered_choice_stands_for_its_question() -> None:
    asked = turn(
        "Orion contracts",
        status="clarify",
        clarification={
            "type": "vague",
            "reason": "Which?",
            "options": [
                {"label": "Orion Foods Ltd", "question": "Orion Foods Ltd contracts"},
                {
                    "label": "Orion Logistics GmbH",
                    "question": "Orion Logistics GmbH contracts",
                    "documents": 2,
                },
            ],
        },
    )
    assert rephrased("Orion Logistics GmbH", [asked], reader) == "Orion Logistics GmbH contracts"
    assert rephrased("foods", [asked], reader) == "Orion Foods Ltd contracts"
    assert rephrased("orion", [asked], reader) == ""
