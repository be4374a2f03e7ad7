"""Questions back, and what they offer to choose from."""

from __future__ import annotations

from core.plan.clarify import (
    MOST_OFFERED,
    is_whole,
    option_for,
    unclear_day,
    which_document,
)
from tests.support.known_collection import DOCUMENTS
from tests.support.read_questions import planned

TEXAN = planned("Which contracts are governed by Texas law?")


def test_a_plan_is_whole_where_it_leaves_no_word_out() -> None:
    assert is_whole(TEXAN)
    assert not is_whole(TEXAN.model_copy(update={"uncovered": ("gaudy",)}))
    assert not is_whole(which_document("the deal?", "the deal", DOCUMENTS))


def test_a_choice_is_the_question_with_other_words() -> None:
    assert option_for("When does The Deal end?", "the deal", "Lease").question == "When does Lease end?"
    assert option_for("When does it end?", "", "Lease").question == "Lease"


def test_days_that_no_calendar_has_and_days_of_two_readings_are_asked_about() -> None:
    wrong = unclear_day("contracts signed on 31 February 2024")
    twofold = unclear_day("contracts signed on 03/04/2024")

    assert wrong is not None
    assert (wrong.type, wrong.options) == ("no_match", ())
    assert twofold is not None
    assert len(twofold.options) == 2
    assert unclear_day("contracts signed on 3 April 2024") is None


def test_documents_are_offered_each_by_what_tells_it_apart() -> None:
    back = which_document("When does the contract end?", "the contract", DOCUMENTS[:10], "contracts")

    assert len(back.options) == MOST_OFFERED
    assert len({each.label for each in back.options}) == MOST_OFFERED
    assert back.options[0].document == "d01"
