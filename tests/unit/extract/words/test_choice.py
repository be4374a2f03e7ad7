from __future__ import annotations

from core.extract.words.choice import choose, likelihood
from core.fields.word_field import Likelihood


def test_first_documents_are_asked_for_evenly_from_the_likely_to_the_unlikely() -> None:
    chances = [each / 100 for each in range(100)]

    assert choose(chances, 3, is_first=True) == [99, 49, 0] or choose(chances, 3, is_first=True) == [
        99,
        50,
        0,
    ]


def test_later_half_are_the_most_undecided_and_half_sure_ones() -> None:
    chances = [0.99, 0.98, 0.51, 0.49, 0.02, 0.01]

    assert set(choose(chances, 4, is_first=False)) == {2, 3, 0, 5}


def test_all_are_asked_for_where_there_are_few() -> None:
    assert choose([0.1, 0.9], 12, is_first=False) == [1, 0]
    assert choose([], 12, is_first=True) == []


def test_a_chance_is_named() -> None:
    assert [likelihood(each) for each in (0.9, 0.5, 0.1)] == [
        Likelihood.LIKELY,
        Likelihood.UNDECIDED,
        Likelihood.UNLIKELY,
    ]
