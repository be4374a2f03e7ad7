from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.agent.joint_answer import as_part, as_turn, joint_answer, unfolded
from core.domain.answer import (
    Answer,
    Clarification,
    ConfidenceLabel,
    ConversationSet,
    Kind,
    Route,
    Status,
    Value,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def part(question: str, status: Status = Status.ANSWERED, confidence: float = 0.9, **more: object) -> Answer:
    return Answer.model_validate(
        {
            "question": question,
            "trace_id": "t",
            "data_version": 3,
            "status": status,
            "kind": Kind.LOOKUP,
            "route": Route.STRUCTURED,
            "text": f"{question}: so [1][2] and \\[3\\].",
            "confidence": confidence,
            **more,
        }
    )


def test_what_stands_over_a_part_reads_as_a_question() -> None:
    assert as_part(part("x — how many do not?"), "how many do not").question == "How many do not"
    assert as_part(part("x"), "list the leases").question == "List the leases"
    assert as_part(part("x"), " i bought a desk ").question == "I bought a desk"
    assert as_part(part("x"), "When?").question == "When?"


def test_every_part_stands_under_its_question_and_the_whole_numbers_nothing() -> None:
    parts = (part("Who?", value=Value(type="text", value="A")), part("When?"))
    whole = joint_answer("Who and when?", "t", parts)
    assert whole.parts == parts
    assert whole.text == "**Who?**\n\nWho?: so and \\[3\\].\n\n**When?**\n\nWhen?: so and \\[3\\]."
    assert (whole.value, whole.claims, whole.table, whole.ledger) == (None, (), None, None)
    assert (whole.question, whole.data_version) == ("Who and when?", 3)


@pytest.mark.parametrize(
    ("statuses", "whole"),
    [
        ((Status.ANSWERED, Status.ANSWERED), Status.ANSWERED),
        ((Status.ANSWERED, Status.PARTIAL), Status.PARTIAL),
        ((Status.ABSTAINED, Status.CLARIFY), Status.ABSTAINED),
        ((Status.REFUSED, Status.FAILED), Status.FAILED),
        ((Status.CLARIFY, Status.CLARIFY), Status.CLARIFY),
    ],
)
def test_the_whole_is_as_good_as_its_weakest_part(statuses: tuple[Status, ...], whole: Status) -> None:
    assert joint_answer("q", "t", [part("q", status) for status in statuses]).status is whole


def test_the_whole_is_as_sure_as_its_least_sure_part_and_names_all_gaps_once() -> None:
    whole = joint_answer(
        "q", "t", [part("a", confidence=0.9, gaps=("x",)), part("b", confidence=0.2, gaps=("x", "y"))]
    )
    assert (whole.confidence, whole.confidence_label, whole.gaps) == (0.2, ConfidenceLabel.LOW, ("x", "y"))


@pytest.mark.parametrize(
    "status", [Status.CLARIFY, Status.ABSTAINED, Status.REFUSED, Status.FAILED], ids=lambda each: each.value
)
def test_one_half_without_an_answer_leaves_the_other_and_is_named(status: Status) -> None:
    back = Clarification(type="vague", reason="Which?")
    held = ConversationSet(documents=("d",), label="contracts")
    halves = [part("a", conversation=held), part("b?", status, 0.0, clarification=back, gaps=("x",))]
    whole = joint_answer("q", "t", halves)
    assert (whole.status, whole.clarification, whole.conversation) == (Status.PARTIAL, back, held)
    assert whole.gaps == ("Not answered: “b”. Which?", "x")
    assert whole.confidence == 0.9


def test_where_no_part_has_an_answer_the_whole_asks_back_what_the_first_does() -> None:
    backs = [Clarification(type="vague", reason=reason) for reason in ("Which?", "Whose?")]
    whole = joint_answer("q", "t", [part("a", Status.CLARIFY, 0.0, clarification=back) for back in backs])
    assert (whole.status, whole.clarification, whole.gaps) == (Status.CLARIFY, backs[0], ())


def test_a_turn_of_several_questions_is_one_turn_for_each() -> None:
    whole = joint_answer("q", "t", [part("a"), part("b")])
    before = as_turn(part("z"), 1, NOW)
    turns = unfolded([before, as_turn(whole, 2, NOW)])
    assert [turn.question for turn in turns] == ["z", "a", "b"]
