from __future__ import annotations

import pytest

from core.text.asking import asked_and_told


@pytest.mark.parametrize(
    ("text", "asked", "told"),
    [
        ("What were the sales? Answer in millions.", "What were the sales?", "Answer in millions."),
        ("My tenant left. Who pays the rent?", "Who pays the rent?", "My tenant left."),
        ("Who pays? When? Be brief.", "Who pays? When?", "Be brief."),
        ("Who pays the rent?", "Who pays the rent?", ""),
        ("the rent of the warehouse. in euros", "the rent of the warehouse. in euros", ""),
        ("", "", ""),
    ],
)
def test_what_asks_is_told_from_what_tells(text: str, asked: str, told: str) -> None:
    assert asked_and_told(text) == (asked, told)
