"""Codes in texts, however they are joined."""

from __future__ import annotations

import pytest

from core.evidence.codes import codes_of, has_code


@pytest.mark.parametrize("text", ["valve V-31 is shut", "valve v 31.", "V31", "V/31, then", "(V-31)"])
def test_a_code_is_found_however_it_is_joined(text: str) -> None:
    assert has_code("V-31", text)


@pytest.mark.parametrize("text", ["rev 31 of it", "3.1. Valves", "v 3.1", "V-31.5", "V-310", "DV-31", ""])
def test_a_number_of_something_else_is_no_code(text: str) -> None:
    assert not has_code("V-31", text)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("the seal of pump P-7 and valve V-31", ["P-7", "V-31"]),
        ("the AS-600, RT20931 or t-45b", ["AS-600", "RT20931", "t-45b"]),
        ("Q4 of FY2024, section 3.1, type 2 and the e-1 of it", []),
        ("P-7-9", ["P-7"]),
    ],
)
def test_one_digit_makes_a_code_of_capitals_alone(text: str, codes: list[str]) -> None:
    assert codes_of(text) == codes
