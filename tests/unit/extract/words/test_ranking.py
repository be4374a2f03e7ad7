from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.extract.words.ranking import FieldWords, measure, scores
from core.extract.words.units import units_of
from tests.support.worded import document, ranked


def test_the_sentence_that_states_a_field_comes_first_by_its_words() -> None:
    assert "twelve months" in ranked().quote(0).quote


def test_a_bare_heading_comes_after_the_sentence_that_it_points_to() -> None:
    text = "8. Period of the Warranty for Goods\n\nThe seller warrants the goods for a period of one year.\n"

    assert "one year" in ranked(text).quote(0).quote


def test_a_sentence_that_is_near_to_every_subject_is_held_back() -> None:
    units = units_of(document("The first of them says this.\n\nThe second of them says that.\n"), None)
    both = replace(
        units,
        vectors=np.array([[0.6, 0.8, 0], [0.6, 0, 0.8]], np.float32),
        first=np.array([0, 1]),
        last=np.array([1, 2]),
    )
    asked, none = np.array([[1, 0, 0]] * 3, np.float32), np.zeros((0, 0), np.float32)
    words = FieldWords((), asked, none, np.array([[0, 1, 0]], np.float32))

    first, second = scores(both, measure(both, words))

    assert first < second
