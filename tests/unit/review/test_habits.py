"""What is tried first, after what was tried of alike questions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.domain.trust.failures import USUAL, Habit, QuestionTry
from core.review.habits import habit_of, is_known, ways_of

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def tried(number: int, route: str = "fields", **told: Any) -> QuestionTry:
    """One of some questions, a minute after the one before it."""
    at = NOW + timedelta(minutes=number)
    given = {"status": "", "stage": "facts", "reader": "reader", **told}
    question = given.pop("question", f"What is the law of contract {number}?")
    return QuestionTry(f"t{number}", 0, question, "lookup", "ann", "all", at, route, **given)  # type: ignore[arg-type]


def habit(*tries: QuestionTry) -> Habit:
    return habit_of(tries[::-1], 3, 0.8)


def test_the_text_comes_first_where_fields_failed_on_enough_alike_questions() -> None:
    found = habit(*map(tried, range(3)))
    assert found == Habit("Asked by text first, since 3 of 3 questions of this shape found nothing in fields")
    wrong = tried(3, status="wrong")
    assert "4 of 4 questions of this shape found nothing right" in habit(*map(tried, range(3)), wrong).by_text


@pytest.mark.parametrize(
    "tries",
    [
        (),
        (tried(0), tried(1)),
        (tried(0), tried(1, question="what is the law of  contract 0?"), tried(2)),
        (*map(tried, range(3)), tried(3, status="answered", stage="")),
        (*map(tried, range(3)), *(tried(each, "text", status="abstained") for each in range(3))),
        tuple(tried(each, status="answered") for each in range(3)),
    ],
    ids=("nothing", "too few", "one twice", "too small a share", "text is no better", "answered with doubt"),
)
def test_the_usual_way_stays(tries: tuple[QuestionTry, ...]) -> None:
    assert habit(*tries) == USUAL


def test_a_question_that_is_mended_counts_as_answered() -> None:
    mended = [
        tried(each + 3, question=tried(each).question, status="answered", stage="") for each in range(3)
    ]
    assert habit(*map(tried, range(3)), *mended) == USUAL


def test_another_reader_is_followed_where_one_misread_alike_questions() -> None:
    of_model = [tried(each, "none", status="clarify", stage="planner", reader="model") for each in range(3)]
    found = habit(*of_model)
    assert found.reader == "reader"
    assert found.by_reader.startswith(
        "Read without the model, since 3 of 3 questions of this shape were misread"
    )
    assert habit(*map(tried, range(3))).reader == ""  # nothing was misread
    trained = [tried(each, "none", status="clarify", stage="planner") for each in range(3)]
    assert habit(*trained).reader == "model"
    assert habit(*trained, *of_model) == USUAL


def test_a_shape_with_words_that_nobody_knows_is_not_known() -> None:
    assert is_known("lookup:::contracts <document> asked:governing_law")
    assert not any(map(is_known, ("", "list:::contracts ?", "list not:?")))


def test_ways_are_counted_with_their_failures() -> None:
    first, second = ways_of([tried(0), tried(1), tried(1, "text", status="answered", stage="")])
    assert (first.route, first.count, first.failed) == ("fields", 2, 2)
    assert (second.route, second.count, second.failed) == ("text", 1, 0)
