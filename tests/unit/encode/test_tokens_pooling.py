from __future__ import annotations

import numpy as np

from core.encode.base import TextToEncode
from core.encode.tokens import Pools, Tokens, Window, cut_windows, sentence_ranges, unit


def tokens_of(*spans: tuple[int, int]) -> Tokens:
    places = np.asarray(spans, dtype=np.int64).reshape(-1, 2)
    return Tokens(np.arange(len(places)), places[:, 0], places[:, 1])


def test_windows_cover_every_token_once_and_are_nearly_equal() -> None:
    windows = cut_windows([0, 10, 257], 254)

    assert windows == [Window(1, 0, 10), Window(2, 0, 128), Window(2, 128, 257)]


def test_a_text_of_exactly_the_window_is_one_window() -> None:
    assert cut_windows([254], 254) == [Window(0, 0, 254)]


def test_a_token_belongs_to_the_sentence_of_its_last_character() -> None:
    tokens = tokens_of((0, 3), (4, 7), (7, 8), (8, 12))  # the last one counts the blank before it, 8

    ranges = sentence_ranges(tokens, ((0, 8), (9, 12), (12, 12)))

    assert ranges.tolist() == [[0, 3], [3, 4], [4, 4]]


def test_a_sentence_across_two_windows_is_the_mean_of_all_its_tokens() -> None:
    tokens = tokens_of((0, 1), (1, 2), (2, 3), (3, 4))
    states = np.asarray([[1, 0], [3, 0], [0, 4], [0, 9]], dtype=np.float32)
    pools = Pools([TextToEncode("abcd", ((1, 3), (3, 4)))], [tokens], 2, 2)

    pools.add(Window(0, 0, 2), np.asarray([1, 0], dtype=np.float32), states[:2])
    pools.add(Window(0, 2, 4), np.asarray([0, 1], dtype=np.float32), states[2:])
    (result,) = pools.results()

    np.testing.assert_allclose(result.vector, [0.5**0.5, 0.5**0.5], atol=1e-6)
    np.testing.assert_allclose(result.sentences, [[0.6, 0.8], [0, 1]], atol=1e-6)


def test_a_projection_sees_means_and_leaves_empty_sentences_zero() -> None:
    tokens = tokens_of((0, 1), (1, 2))
    pools = Pools([TextToEncode("ab ", ((0, 2), (2, 3)))], [tokens], 2, 3)
    pools.add(Window(0, 0, 2), np.asarray([1, 0], dtype=np.float32), np.full((2, 3), 5, dtype=np.float32))

    (result,) = pools.results(lambda means: means[:, :2] - 2)

    np.testing.assert_allclose(result.sentences, [[0.5**0.5, 0.5**0.5], [0, 0]], atol=1e-6)


def test_unit_leaves_zero_rows_alone() -> None:
    rows = unit(np.asarray([[3, 4], [0, 0]], dtype=np.float32))

    np.testing.assert_allclose(rows, [[0.6, 0.8], [0, 0]])
