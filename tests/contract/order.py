"""In which order hits come, and with which scores."""

from __future__ import annotations

import pytest

from core.index.base import Mode, SearchEngine
from core.index.fuse import ScoredPassage, fuse
from tests.contract.engines import EngineTests, batch, corpus
from tests.support.indexed import ask, indexed, random_vector, toward


class Order(EngineTests):
    """The part of the suite about order."""

    def test_hits_of_every_mode_come_best_first(self, filled: SearchEngine) -> None:
        for mode in Mode:
            hits = filled.search(ask("alpha", "omega", vector=toward(1, 1), mode=mode, top_k=60))
            assert len(hits) > 10
            assert [(hit.score, -hit.passage) for hit in hits] == sorted(
                ((hit.score, -hit.passage) for hit in hits), reverse=True
            )

    def test_the_rarer_term_weighs_more(self, engine: SearchEngine) -> None:
        engine.apply(
            batch(
                1, indexed(1, "a", "common rare"), *(indexed(i, f"d{i}", "common word") for i in range(2, 9))
            )
        )
        assert engine.search(ask("common", "rare"))[0].passage == 1

    def test_keyword_scores_are_bm25(self, engine: SearchEngine) -> None:
        texts = ["alpha beta", "alpha alpha gamma", "delta beta gamma", "omega word"]
        engine.apply(batch(1, *(indexed(i, f"d{i}", text) for i, text in enumerate(texts, 1))))
        hits = {hit.passage: hit.keyword for hit in engine.search(ask("alpha"))}
        # idf = ln(1 + (4 - 2 + .5) / (2 + .5)), lengths 2 and 3, average 2.5, by hand; the embedded engine
        # counts one document more than there are, hence the room
        assert hits[1] == pytest.approx(0.6931 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 2.5)), rel=0.35)
        assert hits[2] == pytest.approx(0.6931 * 4.4 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2.5)), rel=0.35)
        assert (hits[2] or 0) > (hits[1] or 0)

    def test_cosines_are_exact(self, filled: SearchEngine) -> None:
        query = random_vector(5)
        hits = filled.search(ask(vector=query, top_k=100))
        exact = {one.stored.id: float(one.vector @ query) for one in corpus()}
        assert {hit.passage: hit.cosine for hit in hits} == pytest.approx(exact, abs=1e-5)

    def test_equal_passages_come_in_the_order_of_their_ids(self, engine: SearchEngine) -> None:
        for sequence, number in enumerate([7, 3, 9, 1, 8, 2, 6, 4, 5], 1):
            engine.apply(
                batch(sequence, indexed(number, f"d{number}", "the same words", vector=toward(1, 2)))
            )
        for mode in Mode:
            hits = engine.search(ask("word", vector=toward(2, 1), mode=mode, top_k=4, pool=10))
            assert [hit.passage for hit in hits] == [1, 2, 3, 4], mode

    def test_a_hybrid_search_is_the_fusion_of_both_lists(self, filled: SearchEngine) -> None:
        query = random_vector(3)
        keyword = filled.search(ask("beta", "gamma", top_k=12))
        semantic = filled.search(ask(vector=query, top_k=12))
        expected = fuse(
            [ScoredPassage(hit.passage, hit.score) for hit in keyword],
            [ScoredPassage(hit.passage, hit.score) for hit in semantic],
            0.3,
        )
        hits = filled.search(ask("beta", "gamma", vector=query, top_k=8, pool=12, alpha=0.3))
        assert [hit.passage for hit in hits] == [hit.passage for hit in expected[:8]]
        assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in expected[:8]])
        assert [hit.keyword for hit in hits] == [hit.keyword for hit in expected[:8]]

    def test_every_hybrid_hit_has_its_cosine(self, filled: SearchEngine) -> None:
        query = random_vector(4)
        exact = {one.stored.id: float(one.vector @ query) for one in corpus()}
        hits = filled.search(ask("delta", vector=query, top_k=20, pool=10, alpha=0.1))
        assert any(hit.keyword is None for hit in hits)
        assert [hit.cosine for hit in hits] == pytest.approx([exact[hit.passage] for hit in hits], abs=1e-5)

    def test_lists_are_read_as_deep_as_top_k_where_that_is_more_than_the_pool(
        self, filled: SearchEngine
    ) -> None:
        hits = filled.search(ask("alpha", vector=random_vector(1), top_k=60, pool=10))
        assert len(hits) == 60

    def test_a_search_for_no_hits_gives_none(self, filled: SearchEngine) -> None:
        assert filled.search(ask("alpha", vector=toward(1), mode=Mode.HYBRID, top_k=0)) == []
