"""Plans that run where no text answered, and answers in another language."""

from __future__ import annotations

from typing import cast

import pytest

from core.agent.text_fallback import UNMENTIONED, as_understood, unmentioned
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
from core.plan.ir.nodes import Plan, Scope
from core.plan.ir.steps import PlanSteps
from core.plan.reading import Operation, Reading


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
