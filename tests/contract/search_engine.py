"""What every SearchEngine must do. Subclass, say how to open one, and pytest runs the suite on it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.ids import DocumentId, PassageId
from core.errors import EncoderError, GroundworkError, IndexUnavailableError, UsageError
from core.index.analyse import analyse, analyse_query
from core.index.base import Filter, IndexBatch, IndexedPassage, Mode, SearchEngine, SearchRequest
from core.index.fuse import Scored, fuse
from tests.support.indexed import DIMENSION, SIGNATURE, ask, indexed, random_vector, toward
from tests.support.memory_engine import admits

WORDS = ("alpha", "beta", "gamma", "delta", "omega")
BUCKETS, TYPES, GROUPS = ("contracts", "invoices"), ("pdf", "text"), ("finance", "legal")


def batch(sequence: int, *passages: IndexedPassage, stale: tuple[str, ...] = ()) -> IndexBatch:
    documents = {one.stored.passage.document for one in passages} | {DocumentId(name) for name in stale}
    return IndexBatch(sequence, frozenset(documents), passages)


def corpus() -> list[IndexedPassage]:
    """Sixty passages of twenty documents with every mixture of filter values, some of them equal."""
    rng = np.random.default_rng(7)
    made = []
    for number in range(1, 61):
        words = [WORDS[min(int(w), 4)] for w in rng.exponential(1.2, size=int(rng.integers(3, 12)))]
        acl = tuple(group for bit, group in enumerate(GROUPS) if (number // 3) >> bit & 1)
        made.append(
            indexed(
                number,
                f"d{number // 3}",
                " ".join(words),
                vector=random_vector(number // 2),
                bucket=BUCKETS[number // 3 % 2],
                doc_type=TYPES[number // 6 % 2],
                acl=acl,
            )
        )
    return made


def subsets(values: tuple[str, ...]) -> st.SearchStrategy[frozenset[str] | None]:
    return st.none() | st.frozensets(st.sampled_from((*values, "unheard-of")))


NAMES = tuple(f"d{number}" for number in range(21))
FILTERS = st.builds(
    Filter,
    buckets=subsets(BUCKETS),
    documents=subsets(NAMES),
    excluded_documents=st.frozensets(st.sampled_from(NAMES), max_size=5),
    doc_types=subsets(TYPES),
    groups=subsets(GROUPS),
    passages=st.none() | st.frozensets(st.integers(1, 65).map(PassageId), max_size=40),
)


class SearchEngineContract(ABC):
    """The suite."""

    @classmethod
    @abstractmethod
    def open(cls, place: Path) -> SearchEngine:
        """The engine that keeps its state at `place`, new or as it was left there."""

    @pytest.fixture
    def engine(self, tmp_path: Path) -> Iterator[SearchEngine]:
        engine = self.open(tmp_path)
        yield engine
        engine.close()

    @pytest.fixture(scope="class")
    @classmethod
    def filled(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
        """An engine that holds corpus(), put there in several batches, with deleted rows in between."""
        engine = cls.open(tmp_path_factory.mktemp("filled"))
        passages = corpus()
        engine.apply(batch(1, indexed(900, "gone", "alpha beta"), indexed(901, "d3", "alpha old version")))
        for at, start in enumerate(range(0, len(passages), 15)):
            group = {one.stored.passage.document for one in passages[start : start + 15]}
            whole = [one for one in passages if one.stored.passage.document in group]
            engine.apply(batch(2 + at, *whole))
        engine.apply(batch(9, stale=("gone",)))
        yield engine
        engine.close()

    # An engine without passages

    def test_an_empty_engine_finds_nothing(self, engine: SearchEngine) -> None:
        for mode in Mode:
            assert engine.search(ask("alpha", vector=toward(1), mode=mode)) == []

    def test_an_empty_engine_stands_at_sequence_0(self, engine: SearchEngine) -> None:
        status = engine.status()
        assert (status.sequence, status.passages, status.encoder) == (0, 0, SIGNATURE)
        assert engine.document_frequencies(["alpha"]) == {"alpha": 0}

    # Order

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
            [Scored(hit.passage, hit.score) for hit in keyword],
            [Scored(hit.passage, hit.score) for hit in semantic],
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

    # What is asked

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

    # Filters

    @given(
        wanted=FILTERS,
        terms=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
        top_k=st.integers(1, 70),
    )
    # Each subclass runs it with an executor of its own; nothing is shared but the strategy.
    @settings(
        max_examples=120,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.differing_executors],
    )
    def test_filters_hold_exactly_before_ranking(
        self, filled: SearchEngine, wanted: Filter, terms: list[str], top_k: int
    ) -> None:
        query = random_vector(11)
        admitted = {one.stored.id for one in corpus() if admits(wanted, one)}
        for request in (ask(*terms, top_k=60), ask(vector=query, top_k=60)):
            everything = [hit for hit in filled.search(request) if hit.passage in admitted]
            narrowed = SearchRequest(request.terms, request.vector, request.mode, top_k=top_k, filter=wanted)
            assert filled.search(narrowed) == everything[:top_k]

    def test_an_empty_set_matches_nothing(self, filled: SearchEngine) -> None:
        nothing: frozenset[str] = frozenset()
        for wanted in (Filter(buckets=nothing), Filter(documents=frozenset()), Filter(doc_types=nothing)):
            assert filled.search(ask("alpha", vector=toward(1), within=wanted)) == []

    def test_the_access_filter_admits_open_passages_and_shared_groups(self, engine: SearchEngine) -> None:
        engine.apply(
            batch(
                1,
                indexed(1, "open", "memo"),
                indexed(2, "legal", "memo", acl=("legal",)),
                indexed(3, "both", "memo", acl=("finance", "legal")),
                indexed(4, "finance", "memo", acl=("finance",)),
            )
        )
        seen = {}
        for name, groups in {
            "none": (),
            "legal": ("legal",),
            "other": ("x",),
            "two": ("finance", "legal"),
        }.items():
            hits = engine.search(ask("memo", vector=toward(1), within=Filter(groups=frozenset(groups))))
            seen[name] = sorted(hit.passage for hit in hits)
        assert seen == {"none": [1], "legal": [1, 2, 3], "other": [1], "two": [1, 2, 3, 4]}
        assert len(engine.search(ask("memo"))) == 4

    def test_a_filter_may_name_fifty_thousand_documents(self, filled: SearchEngine) -> None:
        many = frozenset(DocumentId(f"x{number}") for number in range(50_000)) | {DocumentId("d4")}
        hits = filled.search(ask("alpha", vector=toward(1), within=Filter(documents=many), top_k=60))
        assert {hit.document for hit in hits} == {"d4"}
        rest = filled.search(ask(vector=toward(1), within=Filter(excluded_documents=many), top_k=60))
        assert len(rest) == 57

    # Changes

    def test_status_and_frequencies_follow_every_batch(self, engine: SearchEngine) -> None:
        engine.apply(batch(4, indexed(1, "a", "alpha beta"), indexed(2, "b", "alpha")))
        assert (engine.status().sequence, engine.status().passages) == (4, 2)
        assert engine.document_frequencies(["alpha", "beta", "zzz"]) == {"alpha": 2, "beta": 1, "zzz": 0}
        engine.apply(batch(6, stale=("b",)))
        assert (engine.status().sequence, engine.status().passages) == (6, 1)
        assert engine.document_frequencies(["alpha", "beta"]) == {"alpha": 1, "beta": 1}

    def test_a_removed_document_is_found_no_more(self, engine: SearchEngine) -> None:
        engine.apply(batch(1, indexed(1, "a", "alpha"), indexed(2, "a", "alpha"), indexed(3, "b", "alpha")))
        engine.apply(batch(2, stale=("a", "never-there")))
        for mode in Mode:
            hits = engine.search(ask("alpha", vector=toward(1), mode=mode))
            assert [hit.passage for hit in hits] == [3]

    def test_a_new_version_replaces_the_old_one(self, engine: SearchEngine) -> None:
        engine.apply(batch(1, indexed(1, "a", "alpha"), indexed(2, "a", "beta")))
        engine.apply(batch(2, indexed(3, "a", "gamma")))
        assert engine.search(ask("alpha", "beta")) == []
        assert [hit.passage for hit in engine.search(ask("gamma", vector=toward(1)))] == [3]

    def test_a_batch_applied_twice_leaves_the_state_of_applying_it_once(self, engine: SearchEngine) -> None:
        change = batch(2, indexed(1, "a", "alpha beta"), indexed(2, "b", "beta"), stale=("c",))
        engine.apply(batch(1, indexed(7, "c", "alpha")))
        engine.apply(change)
        before = engine.search(ask("alpha", "beta", vector=toward(1)))
        engine.apply(change)
        assert [hit.passage for hit in engine.search(ask("alpha", "beta", vector=toward(1)))] == [
            hit.passage for hit in before
        ]
        assert (engine.status().sequence, engine.status().passages) == (2, 2)
        assert engine.document_frequencies(["alpha", "beta"]) == {"alpha": 1, "beta": 2}

    def test_a_batch_without_documents_moves_the_sequence(self, engine: SearchEngine) -> None:
        engine.apply(batch(12))
        assert engine.status().sequence == 12

    def test_the_sequence_never_falls(self, engine: SearchEngine) -> None:
        engine.apply(batch(5, indexed(1, "a", "alpha")))
        engine.apply(batch(3, indexed(1, "a", "alpha")))
        assert (engine.status().sequence, engine.status().passages) == (5, 1)

    def test_a_vector_that_does_not_fit_leaves_everything_as_it_was(self, engine: SearchEngine) -> None:
        engine.apply(batch(1, indexed(1, "a", "alpha")))
        for vector in (np.ones(3, np.float32), np.full(DIMENSION, np.inf, np.float32)):
            with pytest.raises(EncoderError):
                engine.apply(batch(2, indexed(2, "b", "beta"), indexed(3, "a", "gamma", vector=vector)))
        assert (engine.status().sequence, engine.status().passages) == (1, 1)
        assert [hit.passage for hit in engine.search(ask("alpha", "beta", "gamma"))] == [1]

    def test_the_state_outlives_the_engine(self, tmp_path: Path) -> None:
        engine = self.open(tmp_path)
        engine.apply(batch(1, indexed(1, "a", "alpha"), indexed(2, "b", "alpha beta")))
        engine.apply(batch(2, stale=("a",)))
        before = engine.search(ask("alpha", vector=toward(1)))
        engine.close()
        again = self.open(tmp_path)
        try:
            assert again.search(ask("alpha", vector=toward(1))) == before
            assert (again.status().sequence, again.status().passages) == (2, 1)
            again.apply(batch(3, indexed(3, "c", "alpha")))
            assert sorted(hit.passage for hit in again.search(ask("alpha"))) == [2, 3]
        finally:
            again.close()

    def test_a_closed_engine_says_so(self, tmp_path: Path) -> None:
        engine = self.open(tmp_path)
        engine.close()
        engine.close()
        with pytest.raises(IndexUnavailableError):
            engine.search(ask("alpha"))

    def test_readers_see_whole_batches_while_another_thread_writes(self, engine: SearchEngine) -> None:
        engine.apply(batch(1, *(indexed(i, "doc", "shared first") for i in range(1, 6))))
        faults: list[str] = []
        over = threading.Event()

        def read() -> None:
            while not over.is_set():
                try:
                    for mode in Mode:
                        found = [
                            hit.passage for hit in engine.search(ask("share", vector=toward(1), mode=mode))
                        ]
                        if len({(passage - 1) // 5 for passage in found}) != 1 or len(found) != 5:
                            faults.append(f"{mode}: {found}")
                except GroundworkError as error:
                    faults.append(str(error))

        readers = [threading.Thread(target=read) for _ in range(3)]
        for reader in readers:
            reader.start()
        for turn in range(1, 13):
            engine.apply(batch(turn + 1, *(indexed(turn * 5 + i, "doc", "shared next") for i in range(1, 6))))
            assert len(engine.search(ask("next"))) == 5
        over.set()
        for reader in readers:
            reader.join()
        assert faults == []
