"""References of a document to the agreement over it."""

from __future__ import annotations

from core.values.naming.references import Kinship, find_references


def test_an_amendment_names_the_agreement_and_its_date() -> None:
    text = "Amendment No. 2 to the Master Services Agreement dated March 1, 2024 between A and B."
    (found,) = find_references(text, "Amendment No. 2 to Master Services Agreement")
    assert (found.kinship, found.title, found.day) == (
        Kinship.AMENDS,
        "master services agreement",
        "2024-03-01",
    )
    assert text[found.start : found.end].endswith("March 1, 2024")


def test_capitals_throughout_are_read_alike() -> None:
    (found,) = find_references("AMENDMENT NO. 1 TO THE\nSUPPLY\nAGREEMENT", "Amendment No. 1")
    assert (found.kinship, found.title) == (Kinship.AMENDS, "supply agreement")


def test_a_statement_of_work_stands_under_what_it_names() -> None:
    text = "Statement of Work 3\nissued pursuant to the Master Services Agreement dated 2024-03-01."
    (found,) = find_references(text, "Statement of Work 3")
    assert (found.kinship, found.title, found.day) == (
        Kinship.UNDER,
        "master services agreement",
        "2024-03-01",
    )


def test_an_agreement_that_names_another_is_not_under_it() -> None:
    assert (
        find_references(
            "License Agreement\npursuant to the Supply Agreement dated May 2, 2020", "License Agreement"
        )
        == ()
    )


def test_an_agreement_that_speaks_of_amendments_amends_none() -> None:
    text = "Lease Agreement\n" + "words " * 60 + "an amendment to the Supply Agreement"
    assert find_references(text, "Lease Agreement") == ()


def test_an_agreement_that_is_stated_anew_amends_none() -> None:
    text = "Amended and Restated Supply Agreement\nafter Amendment No. 1 to the Supply Agreement"
    assert find_references(text, "Amended and Restated Supply Agreement") == ()


def test_an_agreement_without_a_title_is_no_reference() -> None:
    assert find_references("Amendment No. 1 to the Agreement", "Amendment No. 1") == ()


def test_nothing_is_read_from_an_empty_text_or_from_words_that_are_not_known() -> None:
    assert find_references("") == ()
    assert find_references("Nachtrag Nr. 2 zum Rahmenvertrag vom 1. März 2024", "Nachtrag Nr. 2") == ()


def test_a_heading_without_the_day_says_less_than_the_text_with_it() -> None:
    text = (
        "AMENDMENT NO. 1 TO SUPPLY AGREEMENT\nThis Amendment No. 1 to the Supply Agreement dated May 2, 2020"
    )
    (found,) = find_references(text, "Amendment No. 1")
    assert found.day == "2020-05-02"


def test_the_day_of_the_amendment_itself_is_not_that_of_its_agreement() -> None:
    text = "This SECOND AMENDMENT TO SERVICES AGREEMENT, dated and effective as of March 1, 2016, is made"
    (found,) = find_references(text, "Second Amendment to Services Agreement")
    assert (found.title, found.day) == ("services agreement", "")


def test_a_title_ends_with_the_first_agreement() -> None:
    text = "AMENDMENT TO SERVICES AGREEMENT\n\nThis AMENDMENT TO SERVICES AGREEMENT, dated March 30, 2009"
    (found,) = find_references(text, "Amendment to Services Agreement")
    assert (found.title, found.day) == ("services agreement", "")
