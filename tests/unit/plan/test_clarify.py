"""Questions back, and what they offer to choose from."""

from __future__ import annotations

from core.plan.catalogue import DocumentEntry
from core.plan.clarify import (
    MOST_OFFERED,
    is_whole,
    option_for,
    told_apart,
    unclear_day,
    which_document,
)
from core.values.naming.opening import opening_names
from tests.support.known_collection import DOCUMENTS
from tests.support.read_questions import planned

TEXAN = planned("Which contracts are governed by Texas law?")
CHARTER = """VESSEL CHARTER AGREEMENT

This Vessel Charter Agreement is made on {day} between Tidewater Lines Ltd ("Owner") and
{party} ("Charterer").
"""


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


def charter(id: str, source: str, day: str, party: str) -> DocumentEntry:
    opening = opening_names(CHARTER.format(day=day, party=party))
    return DocumentEntry(id, "VESSEL CHARTER AGREEMENT", source, "contracts", opening=opening)


OLD = charter("a", "in/one.txt", "14 March 2023", "Brightsea Foods Inc.")


NEW = charter("b", "in/two.txt", "9 February 2024", "Northgate Grain A/S")


BOTH = (OLD, NEW)


def test_the_parties_and_the_day_tell_documents_of_one_title_apart() -> None:
    old, new = told_apart(BOTH)

    assert old.startswith("VESSEL CHARTER AGREEMENT · Brightsea Foods")
    assert new.endswith("Northgate Grain A/S · 9 Feb 2024")
    assert "Tidewater" not in old + new


def test_what_does_not_differ_is_left_out_and_the_file_tells_the_rest_apart() -> None:
    copies = (OLD, charter("c", "in/copy.txt", "14 March 2023", "Brightsea Foods Inc."))

    assert told_apart(copies) == ("VESSEL CHARTER AGREEMENT · one.txt", "VESSEL CHARTER AGREEMENT · copy.txt")


def test_a_title_of_one_document_alone_is_its_label() -> None:
    lease = DocumentEntry("l", "Lease", "lease.txt", "contracts")

    assert told_apart((lease, OLD)) == ("Lease", "VESSEL CHARTER AGREEMENT")
