"""An answer as the browser gets it: its words and places, and none of its plans."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from app.components.answer import answer_json, state_of
from core.domain.answer import (
    Answer,
    AnswerChoice,
    Clarification,
    Kind,
    Ledger,
    LedgerDocuments,
    OtherReading,
    ReadingPart,
    Route,
    Status,
)
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId, TurnId

PLAN = {"question": "SECRET", "nodes": [{"id": "select-1"}]}
READ = Answer(
    question="Q",
    trace_id="t",
    data_version=1,
    status=Status.ANSWERED,
    kind=Kind.AGGREGATE,
    route=Route.STRUCTURED,
    text="12.",
    reading=(ReadingPart(text="contracts", node="select-1", kind="subject"),),
    other_readings=(OtherReading(text="contracts · list", count=12, plan=PLAN),),
    plan=PLAN,
)


def turn(answer: Answer | None, state: TurnState = TurnState.DONE) -> Turn:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Turn(TurnId("t1"), ConversationId("c1"), 1, "Q", state, answer, now)


def test_the_browser_gets_the_reading_and_its_alternatives_without_their_plans() -> None:
    found = answer_json(turn(READ))

    assert found is not None
    assert found["planned"] is True
    assert found["other_readings"] == [{"text": "contracts · list", "count": 12, "by": ""}]
    assert found["reading"][0]["text"] == "contracts"
    assert "SECRET" not in json.dumps(found)


def test_each_of_several_questions_says_whether_it_rests_on_a_plan() -> None:
    back = Clarification(
        type="vague", reason="Which?", options=(AnswerChoice(label="a", question="Q", plan=PLAN),)
    )
    asked = READ.model_copy(update={"plan": None, "other_readings": (), "clarification": back})
    whole = READ.model_copy(update={"plan": None, "reading": (), "parts": (READ, asked)})

    found = answer_json(turn(whole))

    assert found is not None
    assert [found["planned"], *(part["planned"] for part in found["parts"])] == [False, True, False]
    assert "SECRET" not in json.dumps(found)


def test_the_browser_gets_the_figures_of_a_ledger_without_a_line_for_each_document() -> None:
    uncertain = tuple(f"DOCUMENT-{number}" for number in range(5))
    ledger = Ledger(
        field="governing_law",
        scope=5,
        present=0,
        absent=0,
        unreadable=0,
        uncertain=5,
        documents=LedgerDocuments(uncertain=uncertain),
        reasons=dict.fromkeys(uncertain, "Not read yet"),
    )
    counted = READ.model_copy(update={"ledger": ledger})

    for answer in (counted, READ.model_copy(update={"parts": (counted,)})):
        found = answer_json(turn(answer))
        assert '"uncertain": 5' in json.dumps(found)
        assert "DOCUMENT" not in json.dumps(found)


def test_a_turn_without_an_answer_has_no_json_and_says_how_it_ended() -> None:
    assert answer_json(turn(None)) is None
    assert state_of(turn(None, TurnState.RUNNING), running=False) == "interrupted"
    assert state_of(turn(None, TurnState.RUNNING), running=True) == "running"
    assert state_of(turn(None, TurnState.STOPPED), running=False) == "stopped"
