"""Short forms of headers."""

from __future__ import annotations

import pytest

from core.plan.tables.abbreviation import abbreviates, are_initials, short_forms


@pytest.mark.parametrize(
    ("short", "word"),
    [
        ("reg", "registration"),
        ("pkgd", "packaged"),
        ("anl", "analyst"),
        ("pd", "paid"),
        ("rec'd", "received"),
    ],
)
def test_a_short_form_stands_for_a_word(short: str, word: str) -> None:
    assert abbreviates(short, word)


@pytest.mark.parametrize(
    ("short", "word"), [("in", "invoice"), ("pd", "pending"), ("tank", "tan"), ("x", "xylem")]
)
def test_other_words_are_not_meant(short: str, word: str) -> None:
    assert not abbreviates(short, word)


def test_initials_are_capitals() -> None:
    assert are_initials("OG (°P)", ["original", "gravity"])
    assert not are_initials("Og", ["original", "gravity"])


def test_brackets_are_no_part_of_a_header() -> None:
    assert short_forms("Vol. (hl)") == ("vol",)
