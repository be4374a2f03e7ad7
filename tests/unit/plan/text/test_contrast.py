from __future__ import annotations

import pytest

from core.plan.text.contrast import contrasted


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        (
            "Which supplier agreements mention force majeure, and which do not?",
            "Which supplier agreements do not mention force majeure?",
        ),
        (
            "Which contracts have a liability cap and which don't?",
            "Which contracts do not have a liability cap?",
        ),
        (
            "How many contracts have force majeure and how many lack it?",
            "How many contracts do not have force majeure?",
        ),
        (
            "Which agreements are governed by New York law and which ones are not?",
            "Which agreements are not governed by New York law?",
        ),
        (
            "Which of our leases can be ended early, and which of them cannot?",
            "Which of our leases can not be ended early?",
        ),
        ("What datasheets state a weight but what don’t", "What datasheets do not state a weight?"),
    ],
)
def test_the_second_half_is_the_first_denied(text: str, denied: str) -> None:
    said, other = contrasted(text)
    assert other == denied
    assert said.replace("?", "") in text.replace(",", "")


def test_a_month_is_no_verb() -> None:
    _, denied = contrasted("Which invoices of May have a due date and which do not?")
    assert denied == "Which invoices of May do not have a due date?"


@pytest.mark.parametrize(
    "text",
    [
        "Which contracts do not have a liability cap?",
        "Which contracts have a cap and which law governs them?",
        "Which contracts have a cap and which do not allow termination?",
        "Which contracts lack force majeure and which of them are with Halden?",
        "Do the contracts have a cap or not?",
        "How many contracts have a cap and which do not?",
        "Which invoices of May name a vendor and how many do not?",
        "Which contracts have a cap? Which do not?",
        "",
    ],
)
def test_what_says_more_or_less_is_left_as_it_is(text: str) -> None:
    assert contrasted(text) == ()
