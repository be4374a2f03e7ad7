from __future__ import annotations

import numpy as np
import pytest

from core.plan.reader.question_words import question_words, word_of_tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Acme's deal", ["Acme", "'s", "deal"]),
        ("w/o a non-compete?", ["w/o", "a", "non-compete", "?"]),
        ("over $5,000.50, isn't it", ["over", "$", "5,000.50", ",", "isn't", "it"]),
        ("Beta/Sonos", ["Beta", "/", "Sonos"]),
        ("20k", ["20k"]),
        ("", []),
    ],
)
def test_words_are_cut_where_people_cut_them(text: str, words: list[str]) -> None:
    assert [text[start:end] for start, end in question_words(text)] == words


def test_a_token_belongs_to_the_word_in_which_it_begins() -> None:
    words = [(0, 4), (5, 12)]

    owner = word_of_tokens(np.array([0, 2, 5, 9, 12]), np.array([2, 4, 9, 12, 13]), words)

    assert owner.tolist() == [0, 0, 1, 1, -1]


def test_a_token_of_a_text_without_words_belongs_to_none() -> None:
    assert word_of_tokens(np.array([0]), np.array([1]), []).tolist() == [-1]
