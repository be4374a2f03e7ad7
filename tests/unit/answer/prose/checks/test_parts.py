"""Who pays, sells and gives to whom."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.align import align
from core.answer.prose.checks.parts import check_parts

LICENCE = (
    "The Licensee shall pay royalties of 5% of Net Sales to the Licensor within 30 days of each quarter."
)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "The Licensor shall pay royalties of 5% of Net Sales to the Licensee.",
            LICENCE,
        ),
        (
            "Royalties of 5% of Net Sales are payable by the Licensor to the Licensee.",
            LICENCE,
        ),
        (
            "The Buyer sells the Goods to the Seller.",
            "The Seller sells the Goods to the Buyer.",
        ),
        (
            "The rent is paid by the Landlord.",
            "The Tenant pays the rent to the Landlord.",
        ),
    ],
)
def test_a_turned_claim_fails_and_its_source_stands(claim: str, source: str) -> None:
    assert not check_parts(align(claim, [source])).ok
    assert check_parts(align(source, [source])).ok
