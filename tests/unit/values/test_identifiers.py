from __future__ import annotations

import pytest

from core.values.identifiers import passes_check


@pytest.mark.parametrize(
    ("rule", "right", "wrong"),
    [
        ("luhn", "4111111111111111", "4111111111111112"),
        ("iban", "GB82WEST12345698765432", "GB82WEST12345698765433"),
        ("iban", "GB56HXDO88167774656119", "GB57HXDO88167774656119"),  # of no bank: its digits decide
        ("it.codicefiscale", "RSSMRA85T10A562S", "RSSMRA85T10A562T"),
    ],
)
def test_a_number_passes_its_own_rule_alone(rule: str, right: str, wrong: str) -> None:
    assert passes_check(rule, right)
    assert not passes_check(rule, wrong)
