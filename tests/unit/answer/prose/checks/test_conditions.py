"""What a statement depends on."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.align import align
from core.answer.prose.checks.conditions import check_conditions


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "Fees are refunded in full.",
            "Fees are refunded in full if the Customer terminates within 12 months of the Effective Date.",
        ),
        (
            "The Supplier may assign this Agreement.",
            "The Supplier may not assign this Agreement unless the Customer gives its written consent.",
        ),
        (
            "The warranty covers all parts of the motor.",
            "The warranty covers all parts of the motor, except brushes and belts.",
        ),
        (
            "The deposit is returned to the Tenant.",
            "Subject to inspection of the premises, the deposit is returned to the Tenant.",
        ),
    ],
)
def test_a_turned_claim_fails_and_its_source_stands(claim: str, source: str) -> None:
    assert not check_conditions(align(claim, [source])).ok
    assert check_conditions(align(source, [source])).ok
