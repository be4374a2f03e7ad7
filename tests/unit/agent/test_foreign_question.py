from __future__ import annotations

from core.agent.foreign_question import as_understood
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
