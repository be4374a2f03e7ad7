"""Stages of an answer from the text, as a question goes through them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.agent.orchestrator import Orchestrator
from core.agent.request import Question
from core.domain.answer import Status
from core.domain.event import Degraded, last_answer
from core.domain.principal import LOCAL_ADMIN
from core.records.base import DocumentQuery
from core.records.database.visibility import Visibility
from tests.support.doors import OPEN
from tests.support.library import Library, ask, settings


def test_a_page_that_reads_otherwise_strikes_the_claim(library: Library) -> None:
    document = library.list(Visibility.everything(), DocumentQuery())[0].id
    library.rewrite(document, 1, "Something else entirely.")
    library.rewrite(library.list(Visibility.everything(), DocumentQuery())[1].id, 1, "Nor this.")
    answer = ask(library, "What is the notice period?")
    assert answer.status is Status.ABSTAINED
    assert "E004" in {d.code for d in answer.degradations}


def test_an_engine_that_is_down_gives_a_failed_answer_with_the_next_step(library: Library) -> None:
    library.is_down = True
    answer = ask(library, "What is the notice period?")
    assert answer.status is Status.FAILED
    assert [d.code for d in answer.degradations] == ["E003"]
    assert "groundwork reindex" in answer.text


def test_running_out_of_time_gives_what_was_checked_so_far(library: Library) -> None:
    ticks: Iterator[float] = iter([*([0.0] * 9), *([0.1] * 3), *([60.0] * 60)])
    orchestrator = Orchestrator(
        library, library, settings(abstain_below=0.0), tick=lambda: next(ticks), door=lambda *_: OPEN
    )
    answer = orchestrator.ask(Question("Explain the maintenance steps of the cabinet", LOCAL_ADMIN))
    assert answer.status is Status.PARTIAL
    assert answer.claims
    assert "E005" in {d.code for d in answer.degradations}


def test_degradations_are_streamed_before_the_answer(library: Library) -> None:
    library.is_down = True
    orchestrator = Orchestrator(library, library, settings(), door=lambda *_: OPEN)
    events = list(orchestrator.stream(Question("What is the notice period?", LOCAL_ADMIN)))
    assert any(isinstance(event, Degraded) for event in events[:-1])


@pytest.fixture
def parks() -> Library:
    library = Library()
    library.add(
        "sampson.txt", "Dogs on a leash are welcome at Sampson State Park. Bring a leash.", title="Sampson"
    )
    library.add(
        "long-point.txt", "No dogs are allowed at Long Point State Park in summer.", title="Long Point"
    )
    return library


def test_a_thing_of_which_passages_name_several_is_asked_about(parks: Library) -> None:
    answer = ask(parks, "May dogs run in the park?")
    assert answer.status is Status.CLARIFY
    assert answer.clarification is not None
    assert answer.clarification.phrase == "the park"
    assert {each.question for each in answer.clarification.options} == {
        "May dogs run in the Sampson State Park?",
        "May dogs run in the Long Point State Park?",
    }


def test_a_choice_of_them_is_answered(parks: Library) -> None:
    asked = ask(parks, "May dogs run in the park?")
    assert asked.clarification is not None
    answer = ask(parks, asked.clarification.options[0].question)
    assert answer.status is not Status.CLARIFY


def test_a_thing_that_the_question_names_is_not_asked_about(parks: Library) -> None:
    assert ask(parks, "May dogs run in Sampson, in the park?").status is not Status.CLARIFY


def test_a_thing_that_is_pointed_at_is_asked_about_though_nothing_names_one(parks: Library) -> None:
    answer = ask(parks, "Are dogs allowed in this shop?")
    assert answer.status is Status.CLARIFY
    assert answer.clarification is not None
    assert answer.clarification.options == ()
    assert "this shop" in answer.text


def test_whatever_it_means_is_searched_where_that_is_wanted(parks: Library) -> None:
    orchestrator = Orchestrator(parks, parks, settings(), door=lambda *_: OPEN)
    answer = last_answer(
        orchestrator.stream(Question("May dogs run in the park?", LOCAL_ADMIN, way="whatever"))
    )
    assert answer.status is not Status.CLARIFY
