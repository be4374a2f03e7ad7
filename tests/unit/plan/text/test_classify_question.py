from __future__ import annotations

import pytest

from core.errors import QuestionError
from core.plan.text.classify import clean_question, require_question


@pytest.mark.parametrize("text", ["", "   ", "\x00\u202e\u200b", "?!", "\n\t"])
def test_an_empty_question_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(QuestionError) as caught:
        require_question(text, 4000)
    assert caught.value.code == "E001"
    assert caught.value.next_step


def test_a_question_over_the_limit_is_refused_with_both_lengths() -> None:
    with pytest.raises(QuestionError, match="50,000 characters; at most 4,000"):
        require_question("a" * 50_000, 4000)


def test_control_bidi_and_zero_width_characters_are_dropped() -> None:
    assert clean_question("what\x00is\u202e the\u200b cap\ud800?") == "what is the cap?"


def test_quotes_and_slashes_stay_as_they_are() -> None:
    assert require_question("O'Neil \"x / y", 4000) == "O'Neil \"x / y"


def test_letters_are_composed() -> None:
    assert clean_question("cafe\u0301") == "caf\u00e9"
