"""Dates of agreements, by the ways in which contracts state them."""

from __future__ import annotations

import pytest

from core.domain.document import Page
from core.domain.fields import CellStatus, Finding, Special
from core.domain.ids import DocumentId
from core.extract.base import DocumentText
from core.extract.values.agreement import agreement_date

_BODY = "between Acme Widgets, Inc. and Borealis Foods Ltd.\n\n1. Supply. The goods are shipped each month.\n"


def dated(text: str) -> Finding:
    page = (Page(1, text),)
    return agreement_date(
        DocumentText(DocumentId("d1"), 1, "b", "t", "t.txt", "contract", "text/plain", "en", page)
    )


def signed(*days: str) -> str:
    blocks = "".join(f"By: /s/ A. Person\nName: A. Person\nDate: {day}\n\n" for day in days)
    return f"SUPPLY AGREEMENT\n\nThis Supply Agreement is {_BODY}{blocks}"


@pytest.mark.parametrize(
    "opening",
    [
        "COMMISSION. Filed separately. SUPPLY AGREEMENT   This AGREEMENT, dated as of March 1, 2016 ",
        "This AMENDMENT TO SERVICES AGREEMENT, dated and effective as of March 1, 2016 ",
        'This  CONTENT  LICENSE AND SALES AGREEMENT (the "Agreement") is entered into and effective as of'
        " March 1, 2016, ",
        "SUPPLY AGREEMENT\n\nThis Agreement is made as of 1 March,\n            ------\n2016 ",
        "SUPPLY AGREEMENT\n\nThis AGREEMENT is made the 1 March day of 2016 ",
        "SUPPLY AGREEMENT\n\nMarch 1, 2016\n\nThis Agreement is ",
        "SUPPLY AGREEMENT March 1, 2016 Acme Widgets, Inc. 3 Mill Road This Agreement is ",
        "March 1, 2016 NON-EXCLUSIVE LICENSE AGREEMENT This Agreement is ",
        "Exhibit 10.33   Last Updated: March 1, 2016     AFFILIATE AGREEMENT   This Agreement is ",
        'This Supply Agreement (the "Agreement") is effective as of March 1, 2016 ',
    ],
)
def test_a_date_that_the_agreement_says_of_itself_is_a_fact(opening: str) -> None:
    found = dated(opening + _BODY)

    assert found.status is CellStatus.PRESENT
    assert found.values[0].text == "2016-03-01"


@pytest.mark.parametrize(
    ("opening", "known"),
    [
        ("This Agreement is entered into as of this day of , 2012 ", "2012"),
        ("This Agreement is made as of  , 2013, ", "2013"),
        ("This Agreement is made and entered into effective as of June , 2010 ", "2010-06"),
        ("This Agreement is made as of this day of , 20 ", "20"),
        ("This Agreement is made as of this 14 day of SEPTEMBER, 200_ ", ""),
    ],
)
def test_a_date_whose_blanks_are_lost_is_blank_with_what_is_known(opening: str, known: str) -> None:
    found = dated("SUPPLY AGREEMENT\n\n" + opening + _BODY)

    assert found.status is CellStatus.PRESENT
    assert (found.values[0].special, found.values[0].text) == (Special.BLANK, known)


def test_the_date_of_what_is_amended_is_not_the_amendments() -> None:
    text = 'This First Amendment ("Amendment") to the Supply Agreement dated April 1, 2017 ' + _BODY

    assert dated(text).status is not CellStatus.PRESENT


def test_an_abbreviation_does_not_end_the_sentence_that_names_the_amended_agreement() -> None:
    text = "Amendment to the Maintenance Agreement ref. DS-39 dated March 9, 2015\n\n" + _BODY

    assert dated(text).status is not CellStatus.PRESENT


def test_the_last_of_two_signatures_makes_the_agreement() -> None:
    found = dated(signed("May 4, 2016", "May 11, 2016"))

    assert (found.status, found.values[0].text) == (CellStatus.PRESENT, "2016-05-11")
    assert "different dates" in found.note


def test_signatures_far_apart_and_a_single_one_are_no_facts() -> None:
    assert dated(signed("May 4, 2016", "January 11, 2017")).status is CellStatus.UNCERTAIN
    assert dated(signed("May 4, 2016")).status is CellStatus.UNCERTAIN


def test_the_date_of_making_stands_before_that_of_effect() -> None:
    text = (
        "This Supply Agreement is effective as of March 1, 2016 "
        + _BODY
        + "IN WITNESS WHEREOF, the parties have executed this Agreement as of this 4th day of April, 2016.\n"
    )

    assert dated(text).values[0].text == "2016-04-04"


def test_a_date_in_a_sentence_of_the_opening_is_no_line_of_its_own() -> None:
    text = "SUPPLY AGREEMENT\n\nThe stock was counted on March 1, 2016 by Acme.\n\nThis Agreement is " + _BODY

    assert dated(text).status is not CellStatus.PRESENT
