"""The Weaviate engine does what a search engine must, on real servers in both modes of indexing."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

import pytest

from core.index.base import Mode, SearchEngine, SearchRequest
from core.index.embedded import EmbeddedEngine
from core.index.weaviate import WeaviateEngine
from tests.contract.engines import WORDS, batch, corpus
from tests.contract.search_engine import SearchEngineContract
from tests.support.indexed import SIGNATURE, ask, indexed, random_vector, toward
from tests.support.weaviate_server import WeaviateServer


class _OnAServer(SearchEngineContract):
    server: ClassVar[WeaviateServer]

    @classmethod
    def open(cls, place: Path) -> SearchEngine:
        name = "Contract" + sha256(str(place).encode()).hexdigest()[:12]
        return WeaviateEngine.open(cls.server.settings(name), SIGNATURE)


class TestAsynchronousIndexing(_OnAServer):
    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def served(cls, weaviate_server: WeaviateServer) -> None:
        cls.server = weaviate_server


class TestSynchronousIndexing(_OnAServer):
    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def served(cls, synchronous_server: WeaviateServer) -> None:
        cls.server = synchronous_server


@pytest.fixture
def both(
    weaviate_server: WeaviateServer, tmp_path: Path, collection: str
) -> Iterator[tuple[SearchEngine, ...]]:
    """The embedded engine and the Weaviate engine with the same passages."""
    with (
        closing(EmbeddedEngine.open(tmp_path, SIGNATURE)) as embedded,
        closing(WeaviateEngine.open(weaviate_server.settings(collection), SIGNATURE)) as served,
    ):
        for engine in (embedded, served):
            engine.apply(batch(1, *corpus()))
        yield embedded, served


def test_both_engines_rank_alike(both: tuple[SearchEngine, ...]) -> None:
    shared: dict[Mode, list[int]] = {mode: [] for mode in Mode}
    for seed in range(12):
        first, second, third = WORDS[seed % 5], WORDS[(seed + 1 + seed // 5) % 5], WORDS[(seed + 2) % 5]
        terms = ((first, 1.0), (second, 0.5), (third, 0.2))
        for mode in Mode:
            request = SearchRequest(terms, random_vector(seed), mode, alpha=0.4, top_k=10, pool=30)
            embedded, served = ({hit.passage: hit for hit in engine.search(request)} for engine in both)
            common = embedded.keys() & served.keys()
            shared[mode].append(len(common))
            for passage in common:
                ours, theirs = served[passage], embedded[passage]
                assert (ours.keyword or 0) == pytest.approx(theirs.keyword or 0, rel=0.05, abs=0.06)
                assert (ours.cosine or 0) == pytest.approx(theirs.cosine or 0, abs=2e-6)
                assert ours.score == pytest.approx(theirs.score, abs=0.05, rel=0.05)
    # tantivy rounds the lengths of passages, and Weaviate counts its state object as a passage: near ties may
    # come the other way round.
    assert all(statistics.fmean(counts) >= 9 and min(counts) >= 7 for counts in shared.values()), shared


def test_a_reader_sees_what_another_has_written_at_its_next_search(
    weaviate_server: WeaviateServer, collection: str
) -> None:
    settings = weaviate_server.settings(collection)
    with (
        closing(WeaviateEngine.open(settings, SIGNATURE)) as writer,
        closing(WeaviateEngine.open(settings, SIGNATURE)) as reader,
    ):
        for sequence in range(1, 6):
            writer.apply(batch(sequence, indexed(sequence, "doc", "alpha")))
            assert [hit.passage for hit in reader.search(ask("alpha", vector=toward(1)))] == [sequence]
            assert reader.document_frequencies(["alpha"]).of_terms == {"alpha": 1}
