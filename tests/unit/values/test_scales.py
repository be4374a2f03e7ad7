from __future__ import annotations

from decimal import Decimal

import pytest

from core.values.scales import stated_scales


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("($ in millions, except per share data)", 10**6),
        ("(dollars in thousands)", 10**3),
        ("Amounts in US dollars, in billions", 10**9),
        ("in U.S. millions", 10**6),
        ("$'000", 10**3),
        ("2019 €m", 10**6),
        ("US$m", 10**6),
        ("£bn", 10**9),
        ("(In million)", 10**6),
    ],
)
def test_a_table_states_its_scale(text: str, scale: int) -> None:
    assert stated_scales(text) == {Decimal(scale)}


@pytest.mark.parametrize(
    "text",
    ["We sold millions in 2022", "It cost 1,000 dollars", "in the million-acre park", "They paid $5m", ""],
)
def test_other_words_state_none(text: str) -> None:
    assert not stated_scales(text)
