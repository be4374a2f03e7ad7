"""Values in another place than in the source."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.exchanges import check_exchanges

SOURCE = "Section 5 binds the Seller for 30 days, and Section 7 binds the Buyer for 60 days after closing."


@pytest.mark.parametrize(
    "claim",
    [
        "Section 5 binds the Seller for 60 days, and Section 7 binds the Buyer for 60 days after closing.",
        "Section 5 binds the Seller for 30 days, and Section 7 binds the Seller for 60 days after closing.",
        "Section 7 binds the Buyer for 60 months after closing.",
    ],
)
def test_a_value_from_elsewhere_in_the_source_fails(claim: str) -> None:
    check = check_exchanges(claim, [SOURCE])
    assert not check.ok
    assert "where the source says" in check.detail


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (SOURCE, SOURCE),
        ("It was due on 31 Dec 2019 and was not paid.", "It was due on December 31, 2019 and was not paid."),
        ("It owns more than 50 percent of the votes.", "It owns more than 50% of the votes."),
        ("There are 268000 shares in the pool.", "There are 268,000 shares in the pool."),
        ("Notice of five days is given to all.", "Notice of 5 days is given to all."),
        ("Open the box on your desk.", "Close the box on your desk."),
    ],
)
def test_another_notation_of_the_same_passes(claim: str, source: str) -> None:
    assert check_exchanges(claim, [source]).ok
