"""What holds for every fusion of two lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.ids import PassageId
from core.index.fuse import ScoredPassage, fuse

SCORES = st.floats(-1, 50, allow_nan=False, width=32)
LISTS = st.dictionaries(st.integers(1, 30), SCORES, max_size=15).map(
    lambda scores: [ScoredPassage(PassageId(passage), score) for passage, score in scores.items()]
)
ALPHA = st.floats(0, 1)


@given(LISTS, LISTS, ALPHA)
def test_every_passage_of_either_list_comes_once(
    keyword: list[ScoredPassage], vector: list[ScoredPassage], alpha: float
) -> None:
    found = [hit.passage for hit in fuse(keyword, vector, alpha)]
    assert sorted(found) == sorted({hit.passage for hit in [*keyword, *vector]})


@given(LISTS, LISTS, ALPHA)
def test_scores_lie_between_0_and_1_and_fall(
    keyword: list[ScoredPassage], vector: list[ScoredPassage], alpha: float
) -> None:
    scores = [hit.score for hit in fuse(keyword, vector, alpha)]
    assert scores == sorted(scores, reverse=True)
    assert all(-1e-9 <= score <= 1 + 1e-9 for score in scores)


@given(LISTS, LISTS, ALPHA, st.randoms())
def test_the_order_of_the_lists_does_not_matter(
    keyword: list[ScoredPassage], vector: list[ScoredPassage], alpha: float, rng: object
) -> None:
    expected = fuse(keyword, vector, alpha)
    rng.shuffle(keyword)  # type: ignore[attr-defined]
    rng.shuffle(vector)  # type: ignore[attr-defined]
    assert fuse(keyword, vector, alpha) == expected


@given(LISTS, LISTS, ALPHA)
def test_swapping_the_lists_and_their_weights_changes_no_score(
    keyword: list[ScoredPassage], vector: list[ScoredPassage], alpha: float
) -> None:
    one = {hit.passage: hit.score for hit in fuse(keyword, vector, alpha)}
    other = {hit.passage: hit.score for hit in fuse(vector, keyword, 1 - alpha)}
    assert one == pytest.approx(other)


@given(LISTS, LISTS)
def test_at_alpha_1_the_keyword_list_adds_nothing(
    keyword: list[ScoredPassage], vector: list[ScoredPassage]
) -> None:
    alone = {hit.passage: hit.score for hit in fuse([], vector, 1.0)}
    both = {hit.passage: hit.score for hit in fuse(keyword, vector, 1.0)}
    assert {passage: score for passage, score in both.items() if score > 0} == {
        passage: score for passage, score in alone.items() if score > 0
    }


@given(LISTS, ALPHA, st.floats(0.5, 4), st.floats(-3, 3))
def test_stretching_and_moving_a_list_keeps_the_ranking(
    keyword: list[ScoredPassage], alpha: float, factor: float, offset: float
) -> None:
    moved = [ScoredPassage(hit.passage, hit.score * factor + offset) for hit in keyword]
    one = {hit.passage: hit.score for hit in fuse(keyword, [], alpha)}
    other = {hit.passage: hit.score for hit in fuse(moved, [], alpha)}
    spread = max((hit.score for hit in keyword), default=0) - min((hit.score for hit in keyword), default=0)
    if spread > 1e-3:
        assert one == pytest.approx(other, abs=1e-6)
