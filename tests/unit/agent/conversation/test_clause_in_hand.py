"""Clauses that were spoken of, and turns that point at them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from core.agent.conversation.clause_in_hand import (
    ClauseInHand,
    about_clause,
    asks_for_it_elsewhere,
    clauses_in_hand,
    points_at_clause,
    which_clause,
)
from core.domain.answer import Answer
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId, TurnId
from tests.support.conversations import plan_of

FORCE = ClauseInHand("force majeure", "Warehouse Lease")


def title_of(name: str, schema: str) -> str:
    return name.replace("_", " ") if schema else ""


def citing(question: str, *documents: str, **fields: Any) -> Answer:
    cited = [
        {
            "n": n,
            "document": each,
            "title": each,
            "source": f"{each}.txt",
            "version": 1,
            "page": 1,
            "start": 0,
            "end": 1,
            "quote": "x",
        }
        for n, each in enumerate(documents, 1)
    ]
    claims = [{"text": "x", "verdict": "supported", "citations": cited}] if cited else []
    known = {"question": question, "trace_id": "t", "data_version": 1, "status": "answered", "kind": "lookup"}
    return Answer.model_validate({**known, "route": "hybrid", "text": "x", "claims": claims, **fields})


def history(*answers: Answer) -> list[Turn]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        Turn(TurnId(f"t{n}"), ConversationId("c"), n, each.question, TurnState.DONE, each, at)
        for n, each in enumerate(answers)
    ]


@pytest.mark.parametrize(
    ("question", "does"),
    [
        ("what does that clause say?", True),
        ("what does the clause say?", True),
        ("which contracts have the same provision?", True),
        ("what does the clause on notices say?", False),
        ("what does the termination clause say?", False),
        ("when does it end?", False),
    ],
)
def test_a_turn_may_point_at_a_clause(question: str, does: bool) -> None:
    assert points_at_clause(question) is does


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("What does the Beta agreement say about termination?", "termination"),
        ("What does the force majeure clause in Beta say about payment?", "force majeure"),
    ],
)
def test_the_clause_of_an_answer_from_text_is_what_its_question_asks_about(asked: str, topic: str) -> None:
    assert clauses_in_hand(history(citing(asked, "Beta agreement")), title_of) == (
        ClauseInHand(topic, "Beta agreement"),
    )


def test_the_clause_of_a_computed_answer_is_its_field_in_each_document() -> None:
    plan = plan_of("Which contracts have a force majeure clause?")
    said = citing("?", "One", "Two", plan=plan.model_dump(mode="json"), route="structured")
    assert [each.document for each in clauses_in_hand(history(said), title_of)] == ["One", "Two"]
    assert {each.topic for each in clauses_in_hand(history(said), title_of)} == {"force majeure"}


def test_a_turn_without_an_answer_is_passed_over_and_nothing_gives_none() -> None:
    told = citing("What does Beta say about notices?", "Beta")
    vain = citing("What does Zeta say about dogs?", "Zeta", status="abstained")
    assert clauses_in_hand(history(told, vain), title_of) == (ClauseInHand("notices", "Beta"),)
    assert clauses_in_hand([], title_of) == ()
    assert clauses_in_hand(history(citing("What about Beta?")), title_of) == ()


def test_the_clause_stands_in_the_place_of_what_points_at_it() -> None:
    assert about_clause("what does that clause say?", FORCE) == (
        "what does the force majeure clause in “Warehouse Lease” say?"
    )
    elsewhere = "which contracts lack that clause?"
    assert asks_for_it_elsewhere(elsewhere)
    assert about_clause(elsewhere, FORCE) == "which contracts lack a force majeure clause?"


def test_which_clause_is_asked_with_the_documents_to_choose_from() -> None:
    back = which_clause("what does that clause say?", [FORCE, ClauseInHand("force majeure", "Supply")])
    assert [each.label for each in back.options] == ["Warehouse Lease", "Supply"]
    assert back.options[1].question == "what does the force majeure clause in “Supply” say?"
    assert not which_clause("what does that clause say?").options
