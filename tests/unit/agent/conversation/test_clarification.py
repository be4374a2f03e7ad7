"""Answers of questions that cannot be planned: what is not there is said, what is unclear is asked."""

from __future__ import annotations

import pytest

from core.agent.conversation.clarification import ask_back
from core.agent.request import QuestionRequest
from core.domain.answer import Status
from core.plan.clarify import Clarify, Option, Reason
from core.records.database.visibility import Visibility
from tests.support.doors import OPEN

ASKED = QuestionRequest("What is in it?", "trace", 1, Visibility.everything(), OPEN, lambda: 0.0)


def test_what_is_not_there_is_no_question_but_an_abstention() -> None:
    answer = ask_back(
        Clarify(type="absent", question="q", reason="Nothing is called so.", phrase="Contoso"),
        ASKED,
        "2 more could not be searched.",
    )
    assert answer.status is Status.ABSTAINED
    assert "Nothing is called so. 2 more could not be searched." in answer.text
    assert answer.gaps == ("Contoso",)


@pytest.mark.parametrize(
    ("reason", "kind"),
    [("vague", "vague"), ("ambiguous", "vague"), ("no_match", "no_low")],
)
def test_a_question_back_carries_its_choices_as_whole_questions(reason: Reason, kind: str) -> None:
    choice = Option(label="contracts", question="List all contracts", documents=13)
    answer = ask_back(Clarify(type=reason, question="q", reason="Which?", options=(choice,)), ASKED)
    assert answer.status is Status.CLARIFY
    assert answer.clarification is not None
    assert answer.clarification.type == kind
    assert [(each.question, each.documents) for each in answer.clarification.options] == [
        ("List all contracts", 13)
    ]
