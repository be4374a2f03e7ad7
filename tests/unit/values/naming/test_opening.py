"""Names in the opening of a document."""

from __future__ import annotations

from core.domain.document import OpeningNames
from core.values.naming.opening import opening_names

TEXT = """Exhibit 10.34

EVENT SPONSORSHIP AGREEMENT

This Event Sponsorship Agreement ("Agreement") is made as of February 1, 2019 (the "Effective Date"), by and
between Newegg Inc. ("Newegg"), a Delaware corporation, and Allied Esports International, Inc., a Nevada
corporation (hereinafter referred to as "Allied"). Newegg sells computer hardware for the HyperX Arena.
"""


def test_a_document_says_what_it_is_called() -> None:
    assert opening_names(TEXT).heading == "EVENT SPONSORSHIP AGREEMENT"


def test_a_heading_goes_on_to_its_last_kind() -> None:
    text = "SOFTWARE LICENSE AND MAINTENANCE AGREEMENT\n\nbetween A and B"

    assert opening_names(text).heading == "SOFTWARE LICENSE AND MAINTENANCE AGREEMENT"


def test_parties_come_with_what_they_are_called_for_short() -> None:
    names = opening_names(TEXT).names

    assert ("Newegg Inc", "Newegg") in names
    assert ("Allied Esports International, Inc", "Allied") in names


def test_parts_that_people_play_are_no_names() -> None:
    names = opening_names('between Corio Inc. ("Licensor") and Changepoint, Inc. ("Company")').names

    assert names == (("Corio Inc",), ("Changepoint, Inc",))


def test_days_and_other_telling_words_are_kept() -> None:
    found = opening_names(TEXT)

    assert found.days == ("2019-02-01",)
    assert "hyperx" in found.capitals.split()
    assert "hardwar" in found.words.split()


def test_no_text_names_nothing() -> None:
    assert opening_names("  \n ") == OpeningNames()


def test_a_name_of_common_words_is_known_by_what_the_text_says_of_it() -> None:
    found = opening_names("ENDORSEMENT between Bruce Jenner and The Right Solution, a Nevada corporation.")

    assert any("Right Solution" in name[0] for name in found.names)


def test_codes_are_kept_and_words_that_all_have_give_way_to_products() -> None:
    usual = "services termination payment property liability written notice products license " * 20
    found = opening_names(f"Contract No. pr-4544. {usual} leronlimab")

    assert {"4544", "leronlimab"} <= set(found.words.split())


def test_products_are_read_behind_a_long_table_of_contents() -> None:
    found = opening_names("AGREEMENT\n" + "Definitions 1\n" * 700 + "the Beacon Platform of Ginkgo")

    assert {"beacon", "ginkgo"} <= set(found.capitals.split())


def test_what_a_contract_defines_with_a_usual_word_is_no_short_name() -> None:
    found = opening_names('SERVICES AGREEMENT between Sonos, Inc. ("Sonos") of goods (the "Products").')

    assert [name for name in found.names if "Products" in name] == []
