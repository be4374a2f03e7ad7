"""Names of a claim."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.names import check_names, names


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It was signed by Acme.", "ACME Widgets, Inc. signed."),
        ("It was signed by Acme Corp.", "Acme Corporation signed."),
        ("The fees of Acme's are due.", "Acme pays fees."),
        ("He lives in Zurich.", "He lives in Z\u00fcrich."),
        ("Use the V31 here.", "Use the V-31."),
        ("Payment is due.", "You pay."),
        ("It is the Bureau of Labor Statistics.", "The BLS says so."),
        ("It is the BLS.", "The Bureau of Labor Statistics says so."),
        ("It binds the Licensee.", "The licensee is bound."),
        ("Then I go.", "I go."),
        ("It costs 7.50 درهم for QR-3.", "QR-3: 7.50 (درهم)"),
    ],
)
def test_a_name_that_the_source_has_passes(claim: str, source: str) -> None:
    assert check_names(claim, [source]).ok


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It was signed by Zenith.", "ACME Widgets, Inc. signed."),
        ("Use the V-32 here.", "Use the V-31."),
        ("It was John Miller.", "It was John Smith."),
        ("He lives in Geneva.", "He lives in Z\u00fcrich."),
        ("It binds the Licensor.", "The licensee is bound."),
        ("Peter Miller left.", "John Smith left."),
    ],
)
def test_another_name_fails(claim: str, source: str) -> None:
    check = check_names(claim, [source])
    assert not check.ok
    assert "cited places" in check.detail


def test_what_somebody_has_may_be_named_apart_from_them() -> None:
    assert check_names("Verizon's Consumer segment grew.", ["Verizon 10-K", "The Consumer segment grew."]).ok
    assert not check_names("Verizon's Business segment grew.", ["Verizon 10-K", "The Consumer segment."]).ok


def test_a_period_that_stands_in_the_source_as_it_is_said_needs_no_year_there() -> None:
    assert check_names("Sales rose in Q1.", ["In Q1 sales rose."]).ok
    assert not check_names("Sales rose in Q2.", ["In Q1 sales rose."]).ok


def test_words_of_two_scripts_are_no_name_together() -> None:
    assert names("It costs 7.50 درهم for QR-3.") == ("درهم", "QR-3")
