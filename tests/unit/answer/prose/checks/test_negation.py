"""Negations of a claim."""

from __future__ import annotations

import pytest

from core.answer.prose.checks.align import align
from core.answer.prose.checks.negation import check_negation


def passes(claim: str, source: str) -> bool:
    return check_negation(align(claim, [source]), claim, [source]).ok


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The tenant shall not assign the lease.", "The tenant shall not assign the lease."),
        ("The tenant cannot assign the lease.", "The tenant is prohibited from assigning the lease."),
        ("The lease is assignable only with consent.", "The lease is not assignable without consent."),
        ("The tenant pays rent.", "The tenant pays rent and shall not assign the lease."),
        ("Notice is due no later than 30 days.", "Notice is due no later than 30 days."),
        ("Neither party may assign the contract.", "Neither party may assign the contract."),
    ],
)
def test_a_claim_that_denies_what_its_source_denies_passes(claim: str, source: str) -> None:
    assert passes(claim, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The tenant shall assign the lease.", "The tenant shall not assign the lease."),
        ("The tenant shall not assign the lease.", "The tenant shall assign the lease."),
        (
            "The tenant may assign the lease without consent.",
            "The tenant may not assign the lease without consent.",
        ),
        ("The seller never pays the taxes.", "The seller pays the taxes."),
        ("Neither party shall not be bound.", "Neither party shall be bound."),
        ("No rights are not granted by the owner.", "No rights are granted by the owner."),
        ("The fee is not refundable.", "The fee is refundable."),
    ],
)
def test_an_added_or_lost_negation_fails(claim: str, source: str) -> None:
    assert not passes(claim, source)
