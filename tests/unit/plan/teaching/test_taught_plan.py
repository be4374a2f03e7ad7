"""Plans of marked questions, and what is said where their marks make none."""

from __future__ import annotations

import pytest

from bench.reader.marks import reading_of
from core.domain.answer import Route
from core.plan.compile.context import CompileContext
from core.plan.teaching.taught_plan import TaughtPlan, taught_plan
from tests.support.compact_readings import COLLECTION, TODAY
from tests.support.known_collection import in_a_line
from tests.support.marked_reader import marking_of


def made(operation: str, said: str) -> TaughtPlan:
    reading = reading_of(operation, said, "contracts")
    marking = marking_of(reading)
    return taught_plan(reading.question, marking, CompileContext(COLLECTION, TODAY))


def test_marks_make_the_plan_that_they_say() -> None:
    found = made("count", "How many [let us skedaddle]{+termination_for_convenience}?")

    assert found.plan is not None
    assert in_a_line(found.plan) == ("contracts[termination_for_convenience = true] -> count()")


def test_words_that_no_mark_takes_are_left_over() -> None:
    found = made("list", "Which gaudy ones [end in 2025]{=expiration_date}?")

    assert found.plan is not None
    assert in_a_line(found.plan) == (
        "contracts[expiration_date between 2025-01-01 .. 2025-12-31] (not covered: gaudy ones)"
    )


def test_a_question_about_the_text_is_searched() -> None:
    found = made("text", "What do our contracts say about moonlight?")

    assert found.plan is not None
    assert found.plan.route is Route.HYBRID


NOTHING_WHOLE = "These marks make no whole reading yet."
NO_VALUE = "“cheap” cannot be read as a value of contract value here."
NO_NAME = "“Zorblax” cannot be read as the name of an organisation here."
NO_DOCUMENT = "“the Zorblax deal” cannot be read as the name of a document here."


@pytest.mark.parametrize(
    ("operation", "said", "problem", "unread"),
    [
        ("list", "Which ones?", "No words are marked yet.", None),
        ("list", "Which are [cheap]{=contract_value}?", NO_VALUE, 0),
        ("list", "Which with [insurance]{+insurance} are [cheap]{=contract_value}?", NO_VALUE, 1),
        ("list", "Which are with [Zorblax]{party}?", NO_NAME, 0),
        ("lookup", "What is the [worth]{?contract_value} of [the Zorblax deal]{doc}?", NO_DOCUMENT, 1),
        ("compute", "What is the average with [insurance]{+insurance}?", NOTHING_WHOLE, None),
        ("compare", "Compare [insurance]{+insurance}", NOTHING_WHOLE, None),
        ("rank", "Which is the best with [insurance]{+insurance}?", NOTHING_WHOLE, None),
    ],
)  # fmt: skip
def test_marks_that_make_no_plan_say_why(operation: str, said: str, problem: str, unread: int | None) -> None:
    found = made(operation, said)

    assert (found.plan, found.problem, found.unread) == (None, problem, unread)
    assert found.next_step
