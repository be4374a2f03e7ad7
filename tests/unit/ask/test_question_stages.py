from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.ask.computed_answer import MOST, counted, offered, with_counts
from core.ask.orchestrator import Orchestrator
from core.ask.question_stages import as_part, as_turn, joint_answer, unfolded
from core.ask.request import Question
from core.domain.answer import (
    Answer,
    Clarification,
    ConfidenceLabel,
    ConversationSet,
    Kind,
    OtherReading,
    Route,
    Status,
    Value,
)
from core.domain.event import ModelCalled, StageFinished
from core.domain.ids import TraceId
from core.domain.principal import LOCAL_ADMIN
from core.guard.question_guard import MOST_CHARS
from core.plan.clarify import Clarify, Option
from core.plan.ir.nodes import Plan
from tests.support.compact_readings import plan_of, read
from tests.support.contracts_at_hand import contracts_at_hand
from tests.support.doors import OPEN
from tests.support.library import Library, settings
from tests.support.model_faults import HARD_QUESTION
from tests.support.models_at_hand import models_at_hand
from tests.support.read_questions import CATALOGUE, planned, searched
from tests.support.scripted_llm import failure, reply_json

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LACK = planned("Which contracts lack force majeure?")
COUNT = planned("How many contracts lack force majeure?")
HAVE = planned("Which contracts have force majeure?")
TEXT = searched("What does the cleaning contract say about keys?", "d02")


def asked(question: str, library: Library | None = None) -> tuple[list[str], Answer]:
    found = library or Library()
    events = list(
        Orchestrator(found, found, settings(abstain_below=0.0), door=lambda *_: OPEN).stream(
            Question(question, LOCAL_ADMIN)
        )
    )
    labels = [event.label for event in events if isinstance(event, StageFinished)]
    return labels, events[-1].answer  # type: ignore[union-attr]


def test_a_question_that_is_too_long_is_refused_by_its_whole_length() -> None:
    length = 3 * MOST_CHARS + 7

    labels, answer = asked("x" * length)

    assert answer.status is Status.REFUSED
    assert f"The question has {length:,} characters" in answer.text
    assert labels == ["Refused"]


def test_a_general_remark_is_answered_without_a_search() -> None:
    labels, answer = asked("Thank you very much!")

    assert labels == ["A general remark"]
    assert not answer.claims


def test_a_question_over_text_is_planned_and_then_searched() -> None:
    library = Library()
    library.add("lease.txt", "The monthly rent is USD 4,500.", title="Lease")

    labels, answer = asked("What is the monthly rent?", library)

    assert labels[0].startswith("Planned ")
    assert "4,500" in answer.text


def test_calls_for_the_parts_of_a_question_are_in_its_trace(tmp_path: Path) -> None:
    question = f"How many agreements are there? {HARD_QUESTION}"
    said = (reply_json({"questions": ["How many agreements are there?", HARD_QUESTION]}), failure(401))
    with contracts_at_hand(tmp_path / "home") as contracts, models_at_hand(*said) as models:
        parts = contracts.parts
        asked = Orchestrator(
            parts.records,
            parts.retriever,
            parts.settings,
            structured=parts.structured,
            models=models,
            door=lambda *_: OPEN,
        )
        events = list(asked.stream(Question(question, LOCAL_ADMIN)))
        answer = events[-1].answer  # type: ignore[union-attr]
        trace = parts.records.traces.get(TraceId(answer.trace_id), LOCAL_ADMIN.user)

    assert len(answer.parts) == 2
    made = [call for calls in models.made for call in calls.made]
    assert made
    assert [event.call for event in trace.events if isinstance(event, ModelCalled)] == made


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


def texts(readings: tuple[OtherReading, ...]) -> list[str]:
    return [each.text for each in readings]


def test_plans_that_come_to_the_same_or_cannot_run_are_not_offered() -> None:
    node = HAVE.nodes[0]
    gone = HAVE.model_copy(update={"nodes": (node.model_copy(update={"order_by": "moon"}),)})

    found = offered(LACK, (LACK, COUNT, COUNT, gone, HAVE), CATALOGUE)

    assert texts(found) == ["contracts · no force majeure · count", "contracts · with force majeure · list"]
    assert [each.count for each in found] == [None, None]


def test_few_readings_are_offered() -> None:
    fields = ("insurance", "governing_law", "contract_value", "discount", "audit_rights")
    lack = (read("list", kind="contracts", where=[f"not {each} is present"]) for each in fields)
    others = tuple(map(plan_of, lack))

    assert len(offered(LACK, others, CATALOGUE)) == MOST


def test_a_reading_over_fields_may_be_offered_beside_a_search() -> None:
    assert texts(offered(TEXT, (LACK,), CATALOGUE)) == ["contracts · no force majeure · list"]


def test_readings_are_counted_by_their_plans() -> None:
    found = counted(offered(LACK, (COUNT, HAVE), CATALOGUE), Route.STRUCTURED, lambda plan: len(plan.nodes))

    assert [each.count for each in found] == [2, 1]


def test_beside_an_answer_from_text_a_reading_that_finds_nothing_is_not_offered() -> None:
    readings = offered(LACK, (COUNT, HAVE), CATALOGUE)

    assert counted(readings, Route.HYBRID, lambda plan: 0) == ()
    assert len(counted(readings, Route.HYBRID, lambda plan: None)) == len(readings)
    assert len(counted(readings, Route.STRUCTURED, lambda plan: 0)) == len(readings)


def back(*plans: Plan | None) -> Clarify:
    options = (Option(label=f"way {at}", question="Q", plan=plan) for at, plan in enumerate(plans))
    return Clarify(type="several_meanings", question="Q", reason="Which?", options=tuple(options))


def test_choices_that_are_plans_are_readings_with_counts() -> None:
    found = with_counts(back(LACK, COUNT, None), CATALOGUE, lambda _plan: 7)

    assert [(each.label, each.documents) for each in found.options] == [
        ("contracts · no force majeure · list", 7),
        ("contracts · no force majeure · count", 7),
        ("way 2", None),
    ]


def test_choices_that_read_alike_keep_their_own_words_and_a_search_has_no_count() -> None:
    found = with_counts(back(LACK, LACK, TEXT), CATALOGUE, lambda _plan: 7)

    searched = "Cleaning Contract · search of the text"
    assert [each.label for each in found.options] == ["way 0", "way 1", searched]
    assert [each.documents for each in found.options] == [7, 7, None]
