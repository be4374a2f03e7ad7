from __future__ import annotations

import pytest

from core.plan.language.rewriting.shares import as_number, asks_for_share


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("What percentage of our contracts has insurance?", "how many of our contracts has insurance?"),
        ("how many percent of the leases expire", "how many of the leases expire"),
        ("Percentage of signed agreements with a cap", "how many of signed agreements with a cap"),
    ],
)
def test_a_share_of_documents_is_read_as_their_number(question: str, number: str) -> None:
    assert asks_for_share(question)
    assert as_number(question) == number


@pytest.mark.parametrize(
    "question",
    [
        "What percentage of the price is due at closing?",
        "Which contracts grant a share of revenue?",
        "What is the share of profit in the partnership agreement?",
    ],
)
def test_a_share_of_anything_else_stays(question: str) -> None:
    assert not asks_for_share(question)
    assert as_number(question) == question
