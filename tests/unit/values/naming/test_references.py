"""References of a document to the agreement over it."""

from __future__ import annotations

from core.domain.fields import Fit
from core.values.naming.references import (
    Kin,
    Kinship,
    ParentReference,
    PossibleParent,
    choose,
    find_references,
)


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


_PARTIES = ("Acme Inc.", "Beta Works LLC")
_TITLES = frozenset(["supply agreement"])
_OWN = PossibleParent("child", parties=_PARTIES)


def _reference(day: str = "") -> ParentReference:
    return ParentReference(Kinship.AMENDS, 0, 1, "supply agreement", day)


def _master(id: str, day: str = "", parties: tuple[str, ...] = _PARTIES) -> PossibleParent:
    return PossibleParent(id, _TITLES, parties, frozenset([day] if day else []))


def test_the_one_with_title_parties_and_day_is_stated() -> None:
    masters = [_master("a", "2024-03-01"), _master("b", "2020-01-01")]
    assert choose(_reference("2024-03-01"), _OWN, masters) == Kin("a", Fit.STATED)


def test_of_two_of_the_same_title_and_parties_none_is_given() -> None:
    masters = [_master("b", "2020-01-01"), _master("a", "2024-03-01")]
    assert choose(_reference(), _OWN, masters) == Kin()


def test_one_of_another_day_is_none() -> None:
    assert choose(_reference("2024-03-01"), _OWN, [_master("b", "2020-01-01")]) == Kin()


def test_one_of_other_parties_is_none() -> None:
    assert choose(_reference(), _OWN, [_master("a", parties=("Gamma Ltd", "Delta GmbH"))]) == Kin()


def test_one_without_a_day_or_with_one_party_is_likely() -> None:
    assert choose(_reference("2024-03-01"), _OWN, [_master("a")]) == Kin("a", Fit.LIKELY)
    assert choose(_reference(), _OWN, [_master("a", parties=_PARTIES[:1])]) == Kin("a", Fit.LIKELY)


def test_a_document_is_never_over_itself() -> None:
    assert choose(_reference(), _OWN, [_master("child")]) == Kin()
    assert choose(_reference(), _OWN, []) == Kin()


def test_without_a_day_title_and_parties_are_only_likely() -> None:
    assert choose(_reference(), _OWN, [_master("a", "2024-03-01")]) == Kin("a", Fit.LIKELY)


def test_one_party_written_twice_is_one() -> None:
    own = PossibleParent("child", parties=("Acme Inc.", "ACME Inc"))
    assert choose(_reference("2024-03-01"), own, [_master("a", "2024-03-01")]) == Kin("a", Fit.LIKELY)
