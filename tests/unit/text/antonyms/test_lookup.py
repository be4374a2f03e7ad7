"""Opposites of English words."""

from __future__ import annotations

import pytest

from core.text.antonyms import are_opposite, opposites_of
from core.text.antonyms.lookup import denied_base


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("unlimited", "limited"),
        ("began", "ends"),
        ("commencing", "terminated"),
        ("orally", "written"),
        ("invalid", "valid"),
        ("interest-free", "interest"),
        ("non-exclusive", "exclusive"),
    ],
)
def test_opposites_are_found_in_any_form_and_both_ways(one: str, other: str) -> None:
    assert are_opposite(one, other)
    assert are_opposite(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("fee", "fees"), ("unit", "it"), ("include", "clude"), ("rent", "lease")]
)
def test_other_words_are_not(one: str, other: str) -> None:
    assert not are_opposite(one, other)


def test_a_word_without_opposite_has_none_and_none_is_its_own() -> None:
    assert opposites_of("elevator") == frozenset()
    assert "limit" not in opposites_of("limit")


@pytest.mark.parametrize(
    ("word", "base"), [("undisputed", "disputed"), ("unless", ""), ("non-transferable", "transferable")]
)
def test_a_prefix_denies_a_word_but_not_one_that_only_begins_so(word: str, base: str) -> None:
    assert denied_base(word) == base
