from __future__ import annotations

from tests.support.worded import ranked


def test_the_sentence_that_states_a_field_comes_first_by_its_words() -> None:
    assert "twelve months" in ranked().quote(0).quote
