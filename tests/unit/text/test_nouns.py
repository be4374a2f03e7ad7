"""English nouns in the singular and the plural."""

from __future__ import annotations

import pytest

from core.text.nouns import is_plural, plural, singular


@pytest.mark.parametrize(
    ("noun", "several"),
    [("policy", "policies"), ("agreement", "agreements"), ("survey", "surveys"), ("annex", "annexes")],
)
def test_a_noun_has_a_plural(noun: str, several: str) -> None:
    assert plural(noun) == several
    assert (singular(several), is_plural(several), is_plural(noun)) == (noun, True, False)
