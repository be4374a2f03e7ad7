"""Words that turn a meaning."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.align import align
from core.answer.prose.checks.opposites import check_opposites

PAIRS = [
    ("The tenant must pay the rent.", "The tenant may pay the rent."),
    ("Notice is given before the closing date.", "Notice is given after the closing date."),
    ("The fee is at least 5 dollars.", "The fee is at most 5 dollars."),
    ("More than five directors vote.", "Fewer than five directors vote."),
    ("The revenue increased in spring.", "The revenue decreased in spring."),
    ("The price includes taxes.", "The price excludes taxes."),
    ("All employees receive shares.", "Some employees receive shares."),
]


@pytest.mark.parametrize(("claim", "source"), [*PAIRS, *((b, a) for a, b in PAIRS)])
def test_the_other_side_fails(claim: str, source: str) -> None:
    assert not check_opposites(align(claim, [source])).ok


@pytest.mark.parametrize("text", [text for pair in PAIRS for text in pair])
def test_the_same_side_passes(text: str) -> None:
    assert check_opposites(align(text, [text])).ok


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Liability is unlimited.", "Liability is limited."),
        ("Disputes are settled by oral agreement.", "Disputes are settled by written agreement."),
        ("It may conceal what a court demands.", "It may disclose what a court demands."),
    ],
)
def test_opposites_that_no_list_has_fail(claim: str, source: str) -> None:
    assert not check_opposites(align(claim, [source])).ok


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Liability is not unlimited.", "Liability is limited."),
        ("The term commences in May and ends in June.", "The term begins in May and ends in June."),
        ("The value stays unchanged.", "The value is not changed."),
    ],
)
def test_a_denied_opposite_says_the_same(claim: str, source: str) -> None:
    assert check_opposites(align(claim, [source])).ok
