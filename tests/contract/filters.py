"""Filters hold before the ranking."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.ids import DocumentId, PassageId
from core.index.base import Filter, SearchEngine, SearchRequest
from core.store.base import AccessChanges
from tests.contract.engines import BUCKETS, GROUPS, TYPES, WORDS, EngineTests, batch, corpus
from tests.support.examples import examples
from tests.support.indexed import ask, indexed, random_vector, toward


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


class Filters(EngineTests):
    """The part of the suite about filters."""

    @given(
        wanted=FILTERS,
        terms=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
        top_k=st.integers(1, 70),
    )
    # Each subclass runs it with an executor of its own; nothing is shared but the strategy.
    @settings(
        max_examples=examples(120),
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.differing_executors],
    )
    def test_filters_hold_exactly_before_ranking(
        self, filled: SearchEngine, wanted: Filter, terms: list[str], top_k: int
    ) -> None:
        query = random_vector(11)
        admitted = {one.stored.id for one in corpus() if wanted.admits(one)}
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

    def test_access_that_is_newer_than_the_index_holds_before_the_ranking(self, engine: SearchEngine) -> None:
        engine.apply(
            batch(
                3,
                indexed(1, "closed", "memo"),
                indexed(2, "opened", "memo", acl=("finance",)),
                indexed(3, "open", "memo"),
                indexed(4, "finance", "memo", acl=("finance",)),
            )
        )
        asked: list[int] = []

        def since(sequence: int) -> AccessChanges:
            asked.append(sequence)
            return AccessChanges(frozenset({DocumentId("opened")}), frozenset({DocumentId("closed")}))

        within = Filter(groups=frozenset({"legal"}), access_since=since)
        hits = engine.search(ask("memo", vector=toward(1), within=within))
        assert sorted(hit.passage for hit in hits) == [2, 3]
        assert set(asked) == {3}
        counted = engine.document_frequencies(["memo", "none"], within)
        assert (counted.passages, counted.of_terms) == (2, {"memo": 2, "none": 0})
        assert len(engine.search(ask("memo", within=Filter(access_since=since)))) == 4  # who sees everything

    def test_a_filter_may_name_fifty_thousand_documents(self, filled: SearchEngine) -> None:
        many = frozenset(DocumentId(f"x{number}") for number in range(50_000)) | {DocumentId("d4")}
        hits = filled.search(ask("alpha", vector=toward(1), within=Filter(documents=many), top_k=60))
        assert {hit.document for hit in hits} == {"d4"}
        rest = filled.search(ask(vector=toward(1), within=Filter(excluded_documents=many), top_k=60))
        assert len(rest) == 57
