from __future__ import annotations

from typing import Any

import pytest

from core.domain.answer import Route
from core.plan.model.reading import QuestionSorting, as_read, checked_wordings, reading_of
from core.plan.text.classify import classify
from tests.support.known_collection import known_collection
from tests.support.model_plans import reply, step

CATALOGUE = known_collection()
ASKED = "What is the notice period of the Acme lease and who pays without delay?"
PARTS = ["What is the notice period of the Acme lease?", "Who pays in the Acme lease without delay?"]


def read(question: str = ASKED, **parts: Any) -> QuestionSorting:
    made = reply(step("s1", "select"), decision="text", **parts)
    return reading_of(made, question, None, CATALOGUE, ("hr", "leases 2024"))


def part(found: QuestionSorting, name: str) -> tuple[bool, str]:
    [only] = [each for each in found.parts if each.part == name]
    return only.is_used, only.why


def test_questions_that_say_all_of_it_and_no_more_are_those_that_it_is() -> None:
    found = read(questions=PARTS)

    assert found.questions == tuple(PARTS)
    assert part(found, "Questions") == (True, "")


@pytest.mark.parametrize(
    "questions",
    [
        PARTS[:1],
        ["What is the notice period?", "Who pays without delay?"],  # of whom
        [PARTS[0], "Who pays in the Acme lease?"],  # the negation is lost
        [*PARTS, "What does Zenith pay?"],  # nobody said Zenith
        [*PARTS, "What is due in 2031?"],
        [f"{each} {number}" for number, each in enumerate(PARTS * 3)],
    ],
)
def test_questions_that_leave_out_or_add_something_do_not_count(questions: list[str]) -> None:
    found = read(questions=questions)

    assert found.questions == ()
    assert not part(found, "Questions")[0]


def test_a_remark_is_general_only_where_it_names_nothing() -> None:
    assert read("could you do something nice", need="general").is_general
    assert not read("could you do something nice for Acme", need="general").is_general
    assert not part(read("do it 12 times", need="general"), "Need")[0]


def test_only_a_bucket_that_the_question_names_narrows_it() -> None:
    assert read("What does HR say of leave?", buckets=["hr"]).buckets == ("hr",)
    assert read("What is said of leave?", buckets=["hr"]).buckets == ()
    assert read("What does HR say of leave?", buckets=["hr", "finance"]).buckets == ()


def test_wordings_are_few_short_and_name_nothing_new() -> None:
    given = ["lease payment", "  monthly   fee ", "rent", "Zenith fee", "x" * 300, "dues", "charges"]

    kept, why = checked_wordings(given, "What is the rent?")

    assert kept == ("lease payment", "monthly fee", "dues")
    assert why


def test_the_form_of_the_model_shows_steps_and_leaves_the_guards_of_a_look_up() -> None:
    look_up = classify("The pump makes a noise")
    found = as_read(look_up, read(form="troubleshooting"))

    assert found.wants_steps
    assert not found.is_procedure
    assert (found.kind, found.route) == (look_up.kind, look_up.route)


def test_a_plain_fact_is_no_procedure_and_a_list_over_all_stays_one() -> None:
    steps = classify("How do I reset the pump?")
    listed = classify("Which contracts lack a notice period?")

    assert steps.is_procedure
    assert as_read(steps, read(form="faq")).route is Route.HYBRID
    assert as_read(listed, read(form="procedural")) is listed
    assert as_read(steps, QuestionSorting()) is steps


def test_what_was_not_followed_is_told_with_why() -> None:
    found = read(questions=PARTS).followed(plan=False, is_divided=False)

    assert found.questions == ()
    assert part(found, "Questions") == (False, "one plan answers all of it")
