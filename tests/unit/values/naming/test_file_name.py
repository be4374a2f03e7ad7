"""File names taken apart."""

from __future__ import annotations

from core.values.naming.file_name import parse_file_name, segments
from core.values.naming.words import key_of


def test_owner_day_exhibit_and_kind_of_a_filing_are_told_apart() -> None:
    name = parse_file_name("x/LIMEENERGYCO_09_09_1999-EX-10-DISTRIBUTOR AGREEMENT.txt", {"lime", "energi"})

    assert name.owner == ("lime", "energy", "co")
    assert name.kind == ("DISTRIBUTOR", "AGREEMENT")
    assert name.days == ("1999-09-09",)


def test_words_with_capitals_are_parted() -> None:
    name = parse_file_name(
        "AlliedEsportsInc_20190815_8-K_EX-10.34_11788308_EX-10.34_Sponsorship_Agreement.pdf", set()
    )

    assert name.owner == ("Allied", "Esports", "Inc")
    assert name.days == ("2019-08-15",)
    assert name.kind == ("Sponsorship", "Agreement")


def test_a_dash_parts_owner_and_kind() -> None:
    name = parse_file_name("Antares_Pharma_Inc._-_Manufacturing_Agreement.txt", set())

    assert name.owner == ("Antares", "Pharma", "Inc")
    assert name.kind == ("Manufacturing", "Agreement")


def test_a_plain_name_with_a_kind_is_both() -> None:
    name = parse_file_name("harbor-lease-2004.docx", set())

    assert name.owner == name.kind == ("harbor", "lease", "2004")
    assert name.days == ("2004",)


def test_letters_that_are_mostly_no_known_words_stay_together() -> None:
    assert segments("zorblattification", {key_of("cat")}) == ["zorblattification"]


def test_the_longest_known_words_are_taken() -> None:
    assert segments("americanphysicianscapital", {key_of("physicians")}) == [
        "american",
        "physicians",
        "capital",
    ]
