"""Stages of an answer from the text, as a question goes through them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from core.ask.orchestrator import Orchestrator
from core.ask.request import Question
from core.ask.text_answer import UNMENTIONED, as_understood, unmentioned
from core.domain.answer import (
    Answer,
    Citation,
    Claim,
    ConfidenceLabel,
    Kind,
    Route,
    Status,
    Value,
    Verdict,
)
from core.domain.event import Degraded, last_answer
from core.domain.principal import LOCAL_ADMIN
from core.plan.ir.graph_edits import PlanSteps
from core.plan.ir.nodes import Plan, Scope
from core.plan.reading import Operation, Reading
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility
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


class Nothing:
    """An answer of a text that mentions no receipts."""

    question = "Which receipts lapse?"
    gaps = ("receipts", "No page says more.")


@pytest.mark.parametrize(("probability", "surest"), [(0.3, 0.3), (None, 1.0)])
def test_a_plan_is_no_surer_than_the_reading_that_could_not_stand_alone(
    probability: float | None, surest: float
) -> None:
    steps = PlanSteps()
    node = steps.select("Find them", Scope(schema_name="receipts"), (), reason="a test")
    reading = None
    if probability is not None:
        reading = Reading(
            operation=Operation.LIST, by="trained", question=Nothing.question, probability=probability
        )
    plan = Plan(
        question=Nothing.question,
        kind="aggregate",
        route="structured",
        nodes=tuple(steps.nodes),
        answer_node=node.id,
        reading=reading,
    )

    made = unmentioned(plan, cast("Answer", Nothing()))

    assert min(each.confidence for each in made.notes if not each.node) == surest
    said = [each.phrase for each in made.notes if each.reading == UNMENTIONED]
    assert said == ["", "receipts"]


def answer(
    status: Status = Status.ANSWERED, route: Route = Route.HYBRID, quote: str = "The term ends."
) -> Answer:
    cited = Citation(
        document="d", title="D", source="d.txt", version=1, page=1, start=0, end=len(quote), quote=quote, n=1
    )
    return Answer(
        question="Wann endet der Vertrag?",
        trace_id="t",
        data_version=1,
        status=status,
        kind=Kind.LOOKUP,
        route=route,
        text="It ends.",
        claims=(Claim(text=quote, verdict=Verdict.SUPPORTED, citations=(cited,)),),
        value=Value(type="number", value="30", unit="days"),
        confidence=0.9,
        confidence_label=ConfidenceLabel.HIGH,
    )


def test_an_answer_to_an_english_question_stays_as_it_is() -> None:
    assert as_understood(answer(), "") == answer()


def test_an_answer_to_another_language_is_never_sure() -> None:
    given = as_understood(answer(), "German")
    assert (given.status, given.value, given.confidence_label) == (Status.PARTIAL, None, ConfidenceLabel.LOW)
    assert given.text.startswith("This question seems to be in German.")
    assert "German" in given.gaps[0]


def test_quotes_in_the_language_of_the_question_stay_an_answer() -> None:
    given = as_understood(answer(quote="Der Vertrag endet mit der Kündigung und gilt nicht."), "German")
    assert (given.status, given.value) == (Status.ANSWERED, answer().value)
    assert given.confidence < 0.9


def test_words_of_another_language_are_not_said_to_be_missing_names() -> None:
    given = as_understood(answer(Status.ABSTAINED, Route.NONE), "German")
    assert given.gaps == (given.text,)
