"""Names as people read them."""

from __future__ import annotations

import pytest

from core.values.naming.display import (
    LONGEST,
    month_of,
    one_line,
    readable,
    short_party,
    spelled_out,
    tells,
    without_marks,
)


@pytest.mark.parametrize(
    ("written", "text", "name"),
    [
        ("SUPPLY AGREEMENT", "", "Supply Agreement"),
        ("LICENSE OF THE IP RIGHTS", "The IP of either party.", "License of the IP Rights"),
        ("NEW GAS SALES ORDER", "We buy new gas.", "New Gas Sales Order"),
        ("Supply Agreement of ACME", "", "Supply Agreement of ACME"),
        ("AS-550 PHOTOVOLTAIC MODULE", "", "AS-550 Photovoltaic Module"),
        ("AMENDMENT NO. 2   TO\nLEASE", "", "Amendment NO. 2 to Lease"),
        ("AMENDMENT NO. 2", "There is no rent.", "Amendment No. 2"),
        ("SCHEDULE IV", "", "Schedule IV"),
        ("LICENSE OF QUARRYTX", "QUARRYTX LIMITED. QUARRYTX. QuarryTX.", "License of QuarryTX"),
        ("CESSION DE PARTS", "", "Cession de Parts"),
        ("", "", ""),
        ("契約書", "", "契約書"),
    ],
)
def test_a_heading_in_capitals_reads_as_a_name(written: str, text: str, name: str) -> None:
    assert readable(written, text) == name


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("ACME Corporation", "ACME"),
        ("Blue Hills Bancorp, Inc.", "Blue Hills Bancorp"),
        ("BLUE HILLS BANCORP, INC.", "Blue Hills Bancorp"),
        ("Theta Facility Care Ltd", "Theta Facility Care"),
        ("Spôk Holdings, Inc.", "Spôk Holdings"),
        ("HP Inc.", "HP Inc."),
        ("Kathy Ireland", "Kathy Ireland"),
    ],
)
def test_a_company_is_called_without_its_legal_form(name: str, short: str) -> None:
    assert short_party(name) == short


@pytest.mark.parametrize(
    ("day", "shown"),
    [("2024-03-09", "Mar 2024"), ("2024-12", "Dec 2024"), ("2024", "2024"), ("", ""), ("2024-13-01", "2024")],
)
def test_a_day_is_shown_as_its_month(day: str, shown: str) -> None:
    assert month_of(day) == shown


def test_a_name_says_what_between_whom_and_when() -> None:
    assert (
        one_line("Supply Agreement", ["ACME", "Beta"], "2024-03-09")
        == "Supply Agreement · ACME / Beta · Mar 2024"
    )
    assert one_line("Lease", ["A", "B", "C", "D"], "") == "Lease · A / B + 2"
    assert one_line("Safety Handbook", [], "") == "Safety Handbook"


def test_a_name_that_is_too_long_ends_between_words() -> None:
    line = one_line("Agreement " * 40, [], "")

    assert len(line) <= LONGEST + 2
    assert line.endswith("Agreement …")


@pytest.mark.parametrize(
    "title",
    ["[LOGO]", "EX-10.1", "Exhibit 10.12", "Page 3 of 9", "ARTICLE IV", "***", "DRAFT", "<PAGE>", "12"],
)
def test_marks_tell_nothing(title: str) -> None:
    assert not tells(title)


@pytest.mark.parametrize("title", ["Supply Agreement", "Exhibit B: Prices", "Lease", "手册手册"])
def test_titles_tell(title: str) -> None:
    assert tells(title)


def test_a_title_loses_the_exhibit_before_it() -> None:
    assert without_marks("EXHIBIT 10.1 SUPPLY AGREEMENT") == "SUPPLY AGREEMENT"
    assert without_marks("Confidential Supply Agreement") == "Supply Agreement"


@pytest.mark.parametrize(
    ("stem", "words"),
    [
        ("kappa-transport-agreement-scan", "Kappa transport agreement scan"),
        ("fuel-purchases-2024-09", "Fuel purchases 2024-09"),
        ("Supply Agreement", "Supply Agreement"),
        ("2024-09-01", "2024-09-01"),
    ],
)
def test_a_file_name_is_spelled_out(stem: str, words: str) -> None:
    assert spelled_out(stem) == words
