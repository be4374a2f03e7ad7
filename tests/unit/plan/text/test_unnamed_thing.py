from __future__ import annotations

import pytest

from core.plan.text.unnamed_thing import unnamed_things


def _called(question: str, *said: str) -> list[tuple[str, ...]]:
    return [thing.words for thing in unnamed_things(question, said)]


def test_a_thing_pointed_at_that_nobody_spoke_of_has_no_name() -> None:
    (thing,) = unnamed_things("What are the rewards of this credit card?", ())
    assert thing.words == ("credit card", "credit")
    assert thing.is_certain
    assert "What are the rewards of this credit card?"[thing.start :].startswith("this credit card")


def test_one_that_was_spoken_of_is_told() -> None:
    assert _called("Who may use this pool?", "Is there a pool in the town?") == []


def test_a_kind_that_was_spoken_of_tells_of_none() -> None:
    said = "Credit cards are accepted everywhere. Having a credit card protects from fraud."
    assert _called("What are the rewards of this credit card?", said)


def test_a_set_phrase_speaks_of_no_case() -> None:
    assert _called("Who pays in this case?", "In this specific case, the clerk is paid.") == [("case",)]


@pytest.mark.parametrize(
    "question",
    [
        "What is the process for applying?",
        "What are the fees?",
        "What does this kind of account cost?",
        "When is it open this summer?",
        "Can it be run on this huge amount of data?",
        "That means businesses pay, correct?",
        "What is the notice period of this agreement?",
        "What does the tenant owe under this clause?",
        "Who is it?",
        "",
    ],
)
def test_what_tells_itself_or_is_no_thing_is_left_alone(question: str) -> None:
    assert unnamed_things(question, ()) == ()


def test_a_definite_thing_is_open_until_it_is_spoken_of() -> None:
    question = "May I take a dog into the park?"
    (thing,) = unnamed_things(question, ())
    assert thing.words == ("park",)
    assert not thing.is_certain
    assert unnamed_things(question, ["Tell me of Sampson State Park"]) == ()


def test_words_with_capitals_are_taken_without_those_behind() -> None:
    assert _called("Please give me the Superior Court contact data") == [("Superior Court",)]


def test_what_the_question_has_said_before_is_told() -> None:
    assert _called("There is a court in Ventura; who leads the court?") == []


def test_somebody_who_asks_about_a_specific_thing_has_one_in_mind() -> None:
    (thing,) = unnamed_things("Can you tell me about a specific city in California?", ())
    assert thing.words == ("city",)
    assert thing.is_certain
    assert unnamed_things("Is there a specific form?", ()) == ()


def test_a_stressed_thing_needs_a_name_said_before() -> None:
    question = "How does this particular index fund compare?"
    assert _called(question, "Index funds are cheap.")
