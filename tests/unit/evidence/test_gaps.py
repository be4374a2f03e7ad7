from __future__ import annotations

import pytest

from core.evidence.gaps import find_gaps, missing_share


def test_words_that_no_evidence_mentions_are_gaps_joined_where_they_stand_together() -> None:
    found = find_gaps("What is the parking fee at the Boston site?", ["The fee is due at the site."])
    assert found == ("parking", "Boston")


def test_neighbours_are_one_gap() -> None:
    assert find_gaps("the football world cup", ["nothing"]) == ("football world cup",)


def test_inflected_words_are_covered() -> None:
    assert find_gaps("When are payments due?", ["The payment is due in May."]) == ()


def test_words_that_say_how_to_answer_are_no_gaps() -> None:
    assert find_gaps("Explain and compare the fee", ["the fee"]) == ()


def test_at_most_the_limit_is_given() -> None:
    assert len(find_gaps("alpha is beta is gamma is delta is epsilon is zeta", [])) == 5


def test_a_slip_of_the_pen_and_a_word_that_the_value_settles_are_no_gaps() -> None:
    assert find_gaps("What is the waranty price?", ["The warranty costs $5."], answered=["price"]) == ()


@pytest.mark.parametrize(
    ("question", "text", "share"),
    [
        ("Explain how the pump is maintained", "the water pump house", 0.5),
        ("What is the voltage of the motor?", "the water pump house", 1.0),
        ("What is the voltage of the motor?", "The motor has a voltage of 12 V.", 0.0),
        ("Explain it", "the pump", 0.0),
    ],
)
def test_share_of_the_words_that_no_evidence_has(question: str, text: str, share: float) -> None:
    assert missing_share(question, [text]) == share
