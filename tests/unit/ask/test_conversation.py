"""State of a conversation from its turns, and what answers leave in hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from core.answer.computed.source import AnswerFacts
from core.ask.conversation import (
    answered_from_text,
    cited_in_hand,
    held,
    in_hand,
    label_of,
    noun_phrases,
    read_follow_up,
    since_cleared,
    state_of,
)
from core.domain.answer import CLEARED, Answer, Clarification, ConversationSet, Kind, Route, Status
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


def _turns(*questions: str) -> list[Turn]:
    asked = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        Turn(TurnId(str(at)), ConversationId("c"), at, text, TurnState.DONE, None, asked)
        for at, text in enumerate(questions)
    ]


def test_a_first_question_carries_nothing() -> None:
    assert read_follow_up("What about the cap?", []).carried == ""


def test_a_question_with_a_pronoun_carries_earlier_noun_phrases() -> None:
    found = read_follow_up("When does it expire?", _turns("What is the notice period of the ACME lease?"))
    assert "ACME lease" in found.carried
    assert "notice period" in found.carried


def test_a_question_that_stands_alone_carries_nothing() -> None:
    history = _turns("What is the notice period of the ACME lease?")
    question = "List the battery cabinet maintenance filters and busbar torque values"
    assert read_follow_up(question, history).carried == ""


def test_small_talk_and_known_words_are_not_carried() -> None:
    history = _turns("Hello", "Thanks a lot!", "What is the cap?")
    assert read_follow_up("What is its cap?", history).carried == ""


def test_later_turns_come_first_and_the_length_is_bounded() -> None:
    found = read_follow_up("And that one?", _turns("alpha " * 100, "What about beta contracts?"))
    assert found.carried.startswith("beta contracts")
    assert len(found.carried) <= 401


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("What is the notice period of the ACME lease?", ["notice period", "ACME lease"]),
        ("How do I want to go?", []),
        ("", []),
    ],
)
def test_noun_phrases_are_runs_of_content_words(text: str, phrases: list[str]) -> None:
    assert noun_phrases(text) == phrases


@pytest.mark.parametrize(
    "question",
    [
        "Compare liability caps between ACME and Beta Corp",
        "What is the capital of France?",
        "Can ACME assign its agreement?",
        "Is there a warranty on the AS-400?",
        "torque for terminal bolts on the AS-400",
        "Which law governs the supply agreement?",
        "Find all contracts with termination clauses",
    ],
)
def test_a_question_with_a_subject_of_its_own_carries_nothing(question: str) -> None:
    history = _turns("Explain the maintenance steps for battery cabinet B-120.")
    assert read_follow_up(question, history).carried == ""


@pytest.mark.parametrize(
    "question",
    ["and who is the landlord?", "What about Beta?", "Does it fit the AS-400?", "Is that allowed in Ohio?"],
)
def test_a_question_that_continues_or_refers_carries_though_it_brings_a_name(question: str) -> None:
    assert (
        "warehouse lease"
        in read_follow_up(question, _turns("What is the rent of the warehouse lease?")).carried
    )


def _answered(question: str, text: str, route: Route = Route.HYBRID, **fields: object) -> Turn:
    values: dict[str, object] = {"status": Status.ANSWERED, **fields}
    answer = Answer.model_validate(
        {"question": question, "trace_id": "t", "data_version": 1, "kind": Kind.LOOKUP, "route": route}
        | {"text": text, **values}
    )
    return replace(_turns(question)[0], answer=answer)


def test_a_thing_without_a_name_is_left_open_until_an_answer_names_it() -> None:
    question = "May dogs swim in this lake?"
    (thing,) = read_follow_up(question, []).unnamed
    assert thing.words == ("lake",)
    assert read_follow_up(question, [_answered("Where can I camp?", "At Finger Lake.")]).unnamed == ()


def test_what_was_asked_back_about_a_thing_is_not_asked_again() -> None:
    asked = Clarification(type="vague", reason="Which?", phrase="this lake")
    history = [_answered("May dogs swim in this lake?", "Which?", status=Status.CLARIFY, clarification=asked)]
    assert read_follow_up("May dogs swim in this lake?", history).unnamed == ()


@pytest.mark.parametrize(
    ("turn", "is_from_text"),
    [
        (_answered("Who?", "Ann."), True),
        (_answered("Who?", "Nothing found.", status=Status.ABSTAINED), True),
        (_answered("How many?", "Three.", Route.STRUCTURED), False),
        (_answered("Hello", "Hello.", kind=Kind.GENERAL), False),
        (_turns("Who?")[0], False),
    ],
)
def test_an_answer_from_text_is_told_from_others(turn: Turn, is_from_text: bool) -> None:
    assert answered_from_text([turn]) is is_from_text
    assert not answered_from_text([])
