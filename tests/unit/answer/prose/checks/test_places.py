"""What stands between the same words."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.places import check_places

SOURCE = (
    "The Licensee shall not assign this Agreement without consent. The Seller delivers the goods within 30 "
    "days of the order. Revenue grew from $5 million in 2019 to $10 million in 2020."
)


@pytest.mark.parametrize(
    "claim",
    [
        "The Licensee shall assign this Agreement without consent.",
        "The Seller never delivers the goods within 30 days of the order.",
        "The Buyer delivers the goods within 30 days of the order. The Seller pays.",
        "The Seller delivers the goods within 30 weeks of the order.",
        "The Seller delivers the goods within 60 days of the order.",
        "Revenue grew from $10 million in 2019 to $5 million in 2020.",
    ],
)
def test_another_filling_of_the_same_kind_fails(claim: str) -> None:
    assert not check_places(claim, [SOURCE]).ok


@pytest.mark.parametrize(
    "claim",
    [
        "The Licensee can't assign this Agreement without consent.",
        "Without consent, the Licensee shall not assign this Agreement.",
        "The Seller delivers the goods within thirty days of the order.",
        "The Seller quickly delivers the goods within 30 days of the order.",
        "3. The Seller delivers the goods within 30 days of the order.",
    ],
)
def test_the_same_in_other_words_stands(claim: str) -> None:
    assert check_places(claim, [SOURCE]).ok


def test_a_source_that_has_both_says_both() -> None:
    both = ["The fee of the first year is $5.", "The fee of the first year is $9."]
    assert check_places("The fee of the first year is $9.", both).ok
