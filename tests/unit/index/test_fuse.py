from __future__ import annotations

import pytest

from core.domain.ids import PassageId
from core.index.fuse import ScoredPassage, fuse, fuse_wordings


def scored(**scores: float) -> list[ScoredPassage]:
    return [ScoredPassage(PassageId(int(name[1:])), score) for name, score in scores.items()]


def test_each_list_is_scaled_to_its_own_range() -> None:
    hits = fuse(scored(p1=10.0, p2=6.0, p3=2.0), scored(p3=0.9, p2=0.5, p1=0.1), 0.25)
    assert {hit.passage: hit.score for hit in hits} == pytest.approx({1: 0.75, 2: 0.5, 3: 0.25})


def test_a_list_of_equal_scores_gives_each_its_whole_weight() -> None:
    hits = fuse(scored(p1=4.0, p2=4.0), scored(p2=0.7), 0.4)
    assert {hit.passage: hit.score for hit in hits} == pytest.approx({1: 0.6, 2: 1.0})


def test_a_passage_that_a_list_lacks_gets_nothing_from_it_and_shows_none() -> None:
    hits = {hit.passage: hit for hit in fuse(scored(p1=2.0, p2=1.0), scored(p3=0.5, p2=0.4), 0.5)}
    assert (hits[PassageId(1)].cosine, hits[PassageId(3)].keyword) == (None, None)
    assert (hits[PassageId(2)].keyword, hits[PassageId(2)].cosine) == (1.0, 0.4)
    assert hits[PassageId(1)].score == 0.5


def test_ties_come_by_passage_id() -> None:
    assert [hit.passage for hit in fuse(scored(p9=1.0, p3=1.0), scored(p5=1.0, p1=1.0), 0.5)] == [1, 3, 5, 9]


def test_nothing_and_nothing_gives_nothing() -> None:
    assert fuse([], [], 0.5) == []


def test_a_passage_is_as_good_as_its_best_wording_and_never_falls() -> None:
    a, b, c = PassageId(1), PassageId(2), PassageId(3)

    found = fuse_wordings({a: 0.6, b: 0.5}, [{b: 1.0, c: 0.5}, {a: 0.1, c: 0.25}], 0.8)

    assert found == pytest.approx({a: 0.6, b: 0.8, c: 0.4})
    assert fuse_wordings({a: 0.6}, [], 0.8) == {a: 0.6}
