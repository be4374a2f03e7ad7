from __future__ import annotations

from core.agent.orchestrator import Orchestrator
from core.domain.answer import Answer, Status
from core.domain.event import StageFinished
from core.domain.principal import LOCAL_ADMIN
from core.guardrails.question_guard import MOST_CHARS
from tests.support.library import Library, settings


def asked(question: str, library: Library | None = None) -> tuple[list[str], Answer]:
    found = library or Library()
    events = list(Orchestrator(found, found, settings(abstain_below=0.0)).stream(question, LOCAL_ADMIN))
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
