from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.agent.conversation.follow_up import answered_from_text, noun_phrases, read_follow_up
from core.domain.answer import Answer, Clarification, Kind, Route, Status
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId, TurnId


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
