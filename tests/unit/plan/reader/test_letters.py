"""Words of headers that are short for others."""

from __future__ import annotations

import pytest

from core.plan.reader.letters import abbreviates


@pytest.mark.parametrize(
    ("short", "word"),
    [
        ("Qty", "quantity"),
        ("Cust.", "customer"),
        ("Anl.", "analyst"),
        ("Cur.", "currency"),
        ("Rec'd", "received"),
    ],
)
def test_a_word_of_a_header_is_short_for_another(short: str, word: str) -> None:
    assert abbreviates(short, word)


@pytest.mark.parametrize(
    ("short", "word"), [("Age", "agent"), ("Out", "outstanding"), ("Qty", "country"), ("Fee", "fee")]
)
def test_a_word_that_only_begins_alike_is_not(short: str, word: str) -> None:
    assert not abbreviates(short, word)
