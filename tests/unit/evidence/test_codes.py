"""Codes in texts, however they are joined."""

from __future__ import annotations

import pytest

from core.evidence.codes import has_code


@pytest.mark.parametrize("text", ["valve V-31 is shut", "valve v 31.", "V31", "V/31, then", "(V-31)"])
def test_a_code_is_found_however_it_is_joined(text: str) -> None:
    assert has_code("V-31", text)


@pytest.mark.parametrize("text", ["rev 31 of it", "3.1. Valves", "v 3.1", "V-31.5", "V-310", "DV-31", ""])
def test_a_number_of_something_else_is_no_code(text: str) -> None:
    assert not has_code("V-31", text)
