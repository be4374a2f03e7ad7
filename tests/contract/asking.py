"""What may be asked of an engine, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import EncoderError, UsageError
from core.index.base import Mode, SearchEngine, SearchRequest
from core.text.analyse import analyse, analyse_query
from tests.contract.engines import EngineTests, batch
from tests.support.indexed import DIMENSION, ask, indexed, toward


class Asking(EngineTests):
    """The part of the suite about requests."""

    def test_a_keyword_search_without_terms_finds_nothing(self, filled: SearchEngine) -> None:
        assert filled.search(ask(mode=Mode.KEYWORD)) == []

    def test_unknown_terms_find_nothing(self, filled: SearchEngine) -> None:
        assert filled.search(ask("unheardof", "zzz")) == []

    def test_a_hybrid_search_without_keyword_hits_keeps_the_vector_order(self, filled: SearchEngine) -> None:
        semantic = filled.search(ask(vector=toward(1), mode=Mode.SEMANTIC))
        hybrid = filled.search(ask("unheardof", vector=toward(1), mode=Mode.HYBRID))
        assert [hit.passage for hit in hybrid] == [hit.passage for hit in semantic]

    def test_a_zero_vector_is_near_to_nothing(self, filled: SearchEngine) -> None:
        zero = np.zeros(DIMENSION, np.float32)
        assert filled.search(ask(vector=zero, mode=Mode.SEMANTIC)) == []
        keyword = filled.search(ask("beta"))
        hybrid = filled.search(ask("beta", vector=zero, mode=Mode.HYBRID))
        assert [hit.passage for hit in hybrid] == [hit.passage for hit in keyword]

    def test_a_search_by_meaning_without_a_vector_is_refused(self, filled: SearchEngine) -> None:
        for mode in (Mode.SEMANTIC, Mode.HYBRID):
            with pytest.raises(UsageError):
                filled.search(ask("alpha", mode=mode))

    def test_a_repeated_term_counts_once(self, filled: SearchEngine) -> None:
        assert filled.search(ask("alpha", "alpha")) == filled.search(ask("alpha"))

    def test_a_weight_scales_what_a_term_adds(self, filled: SearchEngine) -> None:
        once = filled.search(ask("alpha", top_k=60))
        half = filled.search(SearchRequest((("alpha", 0.5),), None, Mode.KEYWORD, top_k=60))
        assert {hit.passage: hit.score for hit in half} == pytest.approx(
            {hit.passage: hit.score / 2 for hit in once}, abs=1e-3
        )

    def test_a_term_without_weight_finds_nothing(self, filled: SearchEngine) -> None:
        assert filled.search(SearchRequest((("alpha", 0.0),), None, Mode.KEYWORD)) == []

    @pytest.mark.parametrize(
        "text",
        ["O'Neil/AND (x:y) ^~* \"quoted\"", "日本語の契約書", "ŒUVRE naïve Ångström", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
         "हिन्दी दस्तावेज़", "עברית", "😀 emoji", "a" * 5000],
    )  # fmt: skip
    def test_odd_text_is_found_by_itself(self, engine: SearchEngine, text: str) -> None:
        engine.apply(batch(1, indexed(1, "odd", text), indexed(2, "plain", "plain words")))
        query = analyse_query(text)
        assert [hit.passage for hit in engine.search(SearchRequest(query.terms, None, Mode.KEYWORD))] == [1]

    def test_text_without_any_term_is_indexed_all_the_same(self, engine: SearchEngine) -> None:
        engine.apply(batch(1, indexed(1, "a", " \t— \ud800 …", vector=toward(1)), indexed(2, "b", "")))
        assert engine.status().passages == 2
        assert [hit.passage for hit in engine.search(ask(vector=toward(1), top_k=1))] == [1]

    def test_title_and_section_are_searched_with_the_text(self, engine: SearchEngine) -> None:
        engine.apply(batch(1, indexed(1, "a", "body", title="Lease", section=("Term", "Renewal"))))
        for word in ("body", "lease", "term", "renewal"):
            assert len(engine.search(ask(*analyse(word)))) == 1, word

    def test_a_phrase_must_stand_together(self, engine: SearchEngine) -> None:
        engine.apply(
            batch(
                1,
                indexed(1, "a", "the force of law and majeure"),
                indexed(2, "b", "a force majeure event"),
                indexed(3, "c", "majeure force"),
            )
        )
        request = ask("forc", "majeur", phrases=(("forc", "majeur"),))
        assert [hit.passage for hit in engine.search(request)] == [2]

    def test_every_phrase_must_be_there(self, engine: SearchEngine) -> None:
        engine.apply(batch(1, indexed(1, "a", "alpha beta gamma delta"), indexed(2, "b", "alpha beta")))
        request = ask("alpha", phrases=(("alpha", "beta"), ("gamma", "delta")))
        assert [hit.passage for hit in engine.search(request)] == [1]

    def test_a_phrase_restricts_and_adds_nothing_to_the_score(self, filled: SearchEngine) -> None:
        free = {hit.passage: hit.score for hit in filled.search(ask("alpha", "beta", top_k=60))}
        bound = filled.search(ask("alpha", "beta", top_k=60, phrases=(("alpha", "beta"),)))
        assert 0 < len(bound) < len(free)
        assert {hit.passage: hit.score for hit in bound} == pytest.approx(
            {hit.passage: free[hit.passage] for hit in bound}
        )

    def test_a_query_vector_that_does_not_fit_is_refused(self, filled: SearchEngine) -> None:
        for vector in (np.ones(3, np.float32), np.full(DIMENSION, np.nan, np.float32)):
            with pytest.raises(EncoderError):
                filled.search(ask(vector=vector, mode=Mode.SEMANTIC))
