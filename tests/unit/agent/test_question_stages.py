from __future__ import annotations

from pathlib import Path

from core.agent.orchestrator import Orchestrator
from core.agent.request import Question
from core.domain.answer import Answer, Status
from core.domain.event import ModelCalled, StageFinished
from core.domain.ids import TraceId
from core.domain.principal import LOCAL_ADMIN
from core.guardrails.question_guard import MOST_CHARS
from tests.support.contracts_at_hand import contracts_at_hand
from tests.support.doors import OPEN
from tests.support.library import Library, settings
from tests.support.model_faults import HARD_QUESTION
from tests.support.models_at_hand import models_at_hand
from tests.support.scripted_llm import failure, reply_json


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
