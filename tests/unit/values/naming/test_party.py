"""Names of parties as a document's name shows them."""

from __future__ import annotations

import pytest

from core.values.naming.party import called, form_of, is_blank, is_party_by_itself, is_term, party_name


@pytest.mark.parametrize(
    "written",
    [
        "Nevada",
        "Ohio Corporation",
        "USA Limited Liability Company",
        "Delaware limited liability company",
        "Rule 10b-5",
        "Section 4.01",
        "Section 2.01 The Company",
        "3.2 DELIVERY AND TESTING As",
        "Food and Drug Administration",
        "Securities and Exchange Commission",
        "Director of Northern Sales",
        "Chief Executive Officer",
        "XXXXXXXXXXXX",
        "[***]",
        "________",
        "the Company",
        "The Licensor and the",
        "Support Services",
        "IT IS AGREED as",
        "of",
        "",
        " ,.; ",
    ],
)
def test_what_is_no_party_has_no_name(written: str) -> None:
    assert party_name(written) == ""


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Acme Widgets, Inc.", "Acme Widgets, Inc."),
        ("Section 4.01 Acme Widgets Ltd.", "Acme Widgets Ltd."),
        ("300-12-771-00 AcmeDATA Corporation", "AcmeDATA Corporation"),
        ("551 Quarry Road Partners, LLC", "551 Quarry Road Partners, LLC"),
        ("Director of Northern Sales, AND ACME WIDGETS LIMITED", "ACME WIDGETS LIMITED"),
        ("Singapore and Acme Widgets Ltd", "Acme Widgets Ltd"),
        ("Lender, Buyers and ACME CORPORATION", "ACME CORPORATION"),
        ("On the one part, AND: ACME AVIATION, S.A.", "ACME AVIATION, S.A."),
        ("ACME U.S. HARBOUR FUND AND BETA CAPITAL, LLC", "ACME U.S. HARBOUR FUND"),
        ("Shares ACME WIDGETS TRUST", "ACME WIDGETS TRUST"),
        ("Mr. Anders Holm", "Anders Holm"),
        ("ANDERS HOLM of", "ANDERS HOLM"),
        ("Beta Labs, Delaware corporation", "Beta Labs"),
        ("Quarrymen, 19 Upper Lane, London SE1 (the", "Quarrymen"),
        ("ACME, the Trust", "ACME"),
        ("Nordlys AS", "Nordlys AS"),
        ("President and Fellows of Elm College", "President and Fellows of Elm College"),
        ("Bank of Fairhaven", "Bank of Fairhaven"),
        ("The Global Corp", "The Global Corp"),
        ("Iceland Foods Ltd", "Iceland Foods Ltd"),
    ],
)
def test_a_name_stands_without_what_is_around_it(written: str, name: str) -> None:
    assert party_name(written) == name


@pytest.mark.parametrize(
    ("name", "alias", "shown"),
    [
        ("Fitness Quarterly, Inc.", "Fitness", "Fitness Quarterly"),
        ("The Joint Corp", "", "The Joint Corp"),
        ("The University of Elm", "University", "The University of Elm"),
        ("Bank of Fairhaven, N.A.", "Bank of Fairhaven", "Bank of Fairhaven"),
        ("Beacon Labs, Inc.", "BEACON", "Beacon"),
        ("Acme Widgets, Inc.", "Acme", "Acme"),
        ("Acme Widgets, Inc.", "Licensor", "Acme Widgets"),
        ("ANDERS HOLM", "", "Anders Holm"),
        ("McQUARRY Corporation", "", "McQUARRY"),
        ("ACME LINHAS S/A", "", "Acme Linhas"),
        ("BANCO DE LINHAS", "", "Banco de Linhas"),
    ],
)
def test_a_party_is_called_by_what_tells_it_apart(name: str, alias: str, shown: str) -> None:
    text = "We serve fitness. See acme.example. Anders Holm, Linhas and the Banco are called so."

    assert called(name, alias, text) == shown


def test_capitals_alone_make_no_party_of_a_term() -> None:
    text = "At its Harbour Assembly each harbour assembly elects Anders Holm. See Tooling 15 2.3."

    assert is_party_by_itself("Anders Holm", text)
    assert not is_party_by_itself("Harbour Assembly", text)
    assert not is_party_by_itself("Tooling 15 2.3", text)
    assert not is_party_by_itself("New Director B", text)
    assert not is_party_by_itself("Zyx Products", text)


def test_a_term_is_written_in_small_letters_as_well() -> None:
    assert is_term("Harbour Assembly", "The harbour assembly of the year.")
    assert not is_term("Harbour Assembly", "The Harbour Assembly of the year.")
    assert not is_term("Acme", "see www.acme.example")


@pytest.mark.parametrize(("name", "blank"), [("XXXXXX", True), ("[***]", True), ("Xxon Mobility", False)])
def test_a_blank_stands_for_a_name(name: str, blank: bool) -> None:
    assert is_blank(name) is blank


def test_a_form_may_have_lost_its_last_dot() -> None:
    assert form_of("ACME B.V") == form_of("ACME B.V.") != ""
    assert form_of("Acme Widgets") == ""
