from __future__ import annotations

import pytest

from core.graph.mentions import Phrase, PhraseFinder, numbers_in


def found(text: str, *phrases: Phrase) -> list[str]:
    return [text[each.start : each.end] for each in PhraseFinder(phrases).find(text)]


HARBOR = Phrase("party:harbor freight", "harbor freight", is_name=True)
ACME = Phrase("party:acme", "acme", is_name=True, needs_form=True)
ORDER = Phrase("number:po-77123", "PO-77123")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("We met Harbor\nFreight today.", ["Harbor\nFreight"]),
        ("HARBOR FREIGHT INC. pays.", ["HARBOR FREIGHT INC."]),
        ("by Harbor Freight, Inc. and others", ["Harbor Freight, Inc."]),
        ("Customer Harbor Freight Ltd", ["Harbor Freight Ltd"]),
        ("Harbor Freight as agreed", ["Harbor Freight"]),
        ("a harbor freight terminal", []),
        ("Harbor Freight Rail Inc. pays.", []),
        ("Lower Harbor Freight Inc. pays.", []),
    ],
)
def test_a_name_is_found_as_it_stands_and_not_within_a_longer_one(text: str, words: list[str]) -> None:
    assert found(text, HARBOR) == words


def test_one_word_is_a_name_only_with_its_legal_form() -> None:
    assert found("Acme is the top. ACME Ltd pays.", ACME) == ["ACME Ltd"]
    assert found("Acme is the top.", ACME) == []


@pytest.mark.parametrize("text", ["PO-771234", "XPO-77123", "PO-77123-A", "A/PO-77123"])
def test_a_number_is_not_found_within_a_longer_one(text: str) -> None:
    assert found(f"see {text} there", ORDER) == []
    assert found("see (po-77123).", ORDER) == ["po-77123"]


def test_numbers_are_told_from_words_years_and_dates() -> None:
    text = (
        "PO-77123, KT4711, INV-2024-0031 of 2024-03-01, FY2024, x@a12345.org, 12,000 and ISO on 3-Mar-2024."
    )

    assert set(numbers_in(text)) == {"po-77123", "kt4711", "inv-2024-0031"}
    assert numbers_in("") == {}
