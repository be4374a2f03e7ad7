"""State of a conversation from its turns, and what answers leave in hand."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from core.agent.conversation.state import (
    cited_in_hand,
    held,
    in_hand,
    label_of,
    since_cleared,
    state_of,
)
from core.answer.computed.source import AnswerFacts
from core.domain.answer import CLEARED, Answer, ConversationSet
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId, TurnId
from core.domain.results import Documents
from core.plan.ir.nodes import Plan
from tests.support.read_questions import CATALOGUE, planned

TEXAN = planned("Which contracts are governed by Texas law?")
FACTS = AnswerFacts(CATALOGUE, {})
SET = ConversationSet(documents=("d03", "d01"), label="contracts that have Texas as governing law")


def answer(plan: Plan | None = None, **fields: Any) -> Answer:
    return Answer.model_validate(
        {
            "question": "?",
            "trace_id": "t",
            "data_version": 1,
            "status": "answered",
            "kind": plan.kind.value if plan else "lookup",
            "route": "structured",
            "text": "",
            "plan": plan.model_dump(mode="json") if plan else None,
            **fields,
        }
    )


def turns(*answers: Answer | None) -> list[Turn]:
    at = datetime.now(UTC)
    return [
        Turn(TurnId(f"t{n}"), ConversationId("c"), n, "?", TurnState.DONE, each, at)
        for n, each in enumerate(answers)
    ]


def listed(*ids: str) -> dict[str, Any]:
    return {"table": {"columns": [], "rows": [[id] for id in ids], "documents": ids}}


FOUND = answer(TEXAN, conversation=SET, **listed("d03", "d01"))


def test_nothing_was_asked() -> None:
    assert state_of([]).is_empty
    assert held(state_of([])) is None


def test_turns_before_what_was_cleared_are_not_looked_at() -> None:
    cleared = answer(kind="general", route="none", flags=[CLEARED])

    assert since_cleared(turns(FOUND, cleared)) == []
    assert len(since_cleared(turns(FOUND, cleared, FOUND))) == 1
    assert len(since_cleared(turns(FOUND, FOUND))) == 2


def test_the_last_set_is_in_hand_with_its_plan() -> None:
    state = state_of(turns(FOUND))
    assert state.in_hand is not None
    assert (state.in_hand.documents, state.in_hand.plan) == (("d03", "d01"), TEXAN)
    assert state.one == ""
    assert held(state) == SET


def test_a_question_back_leaves_everything_as_it_was() -> None:
    asked = answer(
        status="clarify",
        clarification={"type": "vague", "reason": "?", "options": [{"label": "A", "question": "a"}]},
        conversation=SET,
    )
    state = state_of(turns(FOUND, asked))
    assert state.last_plan == TEXAN
    assert held(state) == SET


def test_an_abstention_keeps_what_was_in_hand() -> None:
    assert held(state_of(turns(FOUND, answer(status="abstained", conversation=SET), None))) == SET


def test_a_question_about_one_document_keeps_the_set_and_its_plan() -> None:
    one = planned("When does the Supply Agreement expire?")
    state = state_of(turns(FOUND, answer(one, conversation=SET, **listed("d01"))))
    assert state.in_hand is not None
    assert state.in_hand.plan == TEXAN
    assert (state.one, state.last_plan) == ("d01", one)


def test_an_empty_answer_keeps_the_plan_of_the_set() -> None:
    narrower = planned("Which contracts under Texas law have insurance?")
    state = state_of(turns(FOUND, answer(narrower, conversation=SET, **listed())))
    assert state.in_hand is not None
    assert (state.in_hand.plan, state.last_plan) == (TEXAN, narrower)


def test_a_question_of_its_own_that_finds_nothing_leaves_nothing_in_hand() -> None:
    state = state_of(turns(FOUND, answer(TEXAN)))
    assert (state.in_hand, state.last_plan) == (None, TEXAN)


def test_of_several_questions_in_one_the_last_counts() -> None:
    of_halden = planned("Which contracts are with Halden?")
    other = answer(of_halden, conversation=ConversationSet(documents=("d02",), label="x"), **listed("d02"))
    state = state_of(turns(answer(parts=(FOUND, other))))
    assert state.last_plan == of_halden
    assert state.one == "d02"


def test_an_answer_leaves_its_documents_in_the_order_shown() -> None:
    given = Documents(present=frozenset({"d01", "d03"}))
    left = in_hand(TEXAN, given, answer(TEXAN, **listed("d03", "d01")), FACTS, CATALOGUE)
    assert left is not None
    assert (left.documents, left.label) == (("d03", "d01"), "contracts that have Texas as governing law")


def test_one_document_is_called_by_its_title() -> None:
    left = in_hand(TEXAN, Documents(present=frozenset({"d01"})), answer(TEXAN), FACTS, CATALOGUE)
    assert left is not None
    assert left.label == "“Supply Agreement”"
    assert in_hand(TEXAN, Documents(), answer(TEXAN), FACTS, CATALOGUE) is None


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("Which contracts under Texas law have insurance?",
         "contracts that have Texas as governing law, and have insurance"),
        ("Top 3 contracts by value", "contracts with the highest contract value"),
        ("all contracts", "contracts"),
        ("Compare the liability caps of Halden and Brightwater contracts", "documents of the last answer"),
    ],
)  # fmt: skip
def test_what_is_in_hand_is_said_in_words(question: str, label: str) -> None:
    assert label_of(planned(question), None, FACTS, CATALOGUE) == label


def test_an_answer_from_text_leaves_what_it_cites() -> None:
    place = {"document": "d01", "title": "Supply Agreement", "source": "s", "version": 1, "page": 1}
    claim = {
        "text": "x",
        "verdict": "supported",
        "citations": [{**place, "start": 0, "end": 1, "quote": "x", "n": 1}],
    }
    left = cited_in_hand(answer(claims=[claim]))
    assert left is not None
    assert (left.documents, left.label) == (("d01",), "“Supply Agreement”")
    assert cited_in_hand(answer()) is None


def test_a_turn_without_an_answer_leaves_the_set_and_makes_it_the_document_that_it_named() -> None:
    named = planned("Which contracts are governed by Texas law?")
    base = named.nodes[0]
    alone = named.model_copy(
        update={
            "nodes": (
                base.model_copy(update={"scope": base.scope.model_copy(update={"documents": ("d04",)})}),
            )
        }
    )
    vain = answer(alone, status="abstained")
    state = state_of(turns(FOUND, vain))
    assert state.in_hand is not None
    assert state.in_hand.documents == ("d03", "d01")
    assert state.one == "d04"
    assert state_of(turns(vain)).one == "d04"
    assert state_of(turns(FOUND, answer(status="abstained"))).focus == state_of(turns(FOUND)).focus
