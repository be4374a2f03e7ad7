"""Short forms of headers."""

from __future__ import annotations

import pytest

from core.plan.tables.abbreviation import (
    abbreviates,
    are_initials,
    expansions,
    plural,
    short_forms,
    spoken_codes,
)


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


def test_letters_of_one_family_are_said_in_words() -> None:
    assert "women" in spoken_codes(("M", "F"))["F"]
    assert "mornings" in spoken_codes(("am", "pm"))["am"]


def test_other_letters_say_nothing() -> None:
    assert spoken_codes(("M", "Q")) == {}
    assert spoken_codes(("F",)) == {}


def test_short_headers_are_written_out() -> None:
    assert "children" in expansions("Ch.")
    assert "OA winter" in expansions("OA wint.")
    assert expansions("Name") == ()


def test_capitals_in_a_header_are_initials_too() -> None:
    assert are_initials("OA wint.", ["oxalic", "acid"])
    assert not are_initials("OA wint.", ["oxalic", "salt"])


def test_plurals_are_regular() -> None:
    assert [plural(word) for word in ("box", "copy", "day", "guest")] == ["boxes", "copies", "days", "guests"]
