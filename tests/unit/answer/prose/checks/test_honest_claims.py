"""Honest claims in other words stand; what does not convert fails."""

from __future__ import annotations

import pytest

from core.answer.prose.checks import check_claim

LICENCE = (
    "The Licensee shall pay royalties of 5% of Net Sales to the Licensor within 30 days of each quarter."
)
REFUND = "Fees are refunded in full if the Customer terminates within 12 months of the Effective Date."
HONEST = [
    ("Royalties of 5% of Net Sales are payable by the Licensee to the Licensor.", LICENCE),
    ("The Licensor is paid royalties of 5% of Net Sales by the Licensee.", LICENCE),
    ("The Buyer buys the Goods from the Seller.", "The Buyer buys the Goods from the Seller."),
    ("The rate rose 0.5 percentage points.", "The rate rose 50 basis points."),
    ("The rent is $900 a month.", "The monthly rent is $900."),
    ("The licence costs $40 annually.", "The licence costs $40 per year."),
    ("No less than 30 days of notice is given.", "Notice of at least 30 days is given."),
    ("Orders over 500 units ship free.", "Orders of more than 500 units ship free."),
    ("If the Customer terminates within 12 months, fees are refunded in full.", REFUND),
    ("Fees are refunded in full when the Customer ends it within 12 months.", REFUND),
    ("Revenue rose to $10 million from $5 million.", "Revenue rose from $5 million to $10 million."),
    ("It takes between 5 and 10 days.", "It takes from 5 to 10 days."),
    ("The term is two years (24 months).", "The term is 24 months."),
    ("The term is two years.", "The term is 24 months."),
    ("Payment is due in 2 weeks.", "Payment is due in 14 days."),
    ("Roughly 300 employees work there.", "298 employees work there."),
    ("The fee is at least 5% of sales.", "The fee is at least five percent (5%) of sales."),
]


@pytest.mark.parametrize(("claim", "source"), HONEST)
def test_honest_words_stand(claim: str, source: str) -> None:
    assert check_claim(claim, [source], ()).failed == ()


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The term is two years.", "The term is 25 months."),
        ("Roughly 300 employees work there.", "260 employees work there."),
        ("300 employees work there.", "298 employees work there."),
        ("The rent is due for two months.", "The rent is due for 60 days."),
    ],
)
def test_what_does_not_convert_fails(claim: str, source: str) -> None:
    assert check_claim(claim, [source], ()).failed
