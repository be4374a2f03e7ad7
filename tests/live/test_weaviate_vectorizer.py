"""The server's module text2vec-transformers over our own encoder: for other programs, beside our passages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
import weaviate

from core.domain.passage import Vector
from core.encode.identity import find_model
from core.encode.minilm import MiniLm
from core.errors import IndexUnavailableError
from core.index.base import Filter, Mode, SearchRequest
from core.index.sync import catch_up
from core.index.weaviate import WeaviateEngine
from core.index.weaviate.collection import VECTOR
from core.index.weaviate.state import STATE_ID
from core.text.analyse import analyse
from tests.support.feed import MemoryFeed
from tests.support.indexed import indexed
from tests.support.weaviate_server import WeaviateServer

MODULE = "text2vec-transformers"
TEXTS = (
    "The monthly rent of the Mill Road warehouse is $15,000.",
    "The turbine blades are inspected every six months by the vendor.",
    "Either party may end this agreement with ninety days of notice.",
)


@pytest.fixture(scope="module")
def encoder() -> MiniLm:
    return MiniLm.load(find_model("minilm"))


@pytest.fixture(scope="module")
def encode_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `groundwork encode-server`, as it says it itself."""
    process = subprocess.Popen(
        [sys.executable, "-m", "core.cli", "encode-server", "--port", "0"],
        env={**os.environ, "GROUNDWORK_HOME": str(tmp_path_factory.mktemp("encode"))},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process, process.stdout:
        found = re.search(r"http://[\d.:]+", process.stdout.readline())
        assert found is not None
        yield found.group()
        process.terminate()
        assert process.wait(30) == 0


@pytest.fixture
def server(own_weaviate: WeaviateServer, encode_server: str) -> WeaviateServer:
    """A server with the module."""
    own_weaviate.more = {"ENABLE_MODULES": MODULE, "TRANSFORMERS_INFERENCE_API": encode_server}
    return own_weaviate.start()


@pytest.fixture
def feed(encoder: MiniLm) -> MemoryFeed:
    """Three passages with the vectors that an ingest gives them."""
    made = MemoryFeed()
    for number, (text, vector) in enumerate(zip(TEXTS, encoder.encode_queries(TEXTS), strict=True), start=1):
        made.publish(indexed(number, f"d{number}", text, vector=vector))
    return made


def hybrid(encoder: MiniLm, question: str) -> SearchRequest:
    terms = tuple((term, 1.0) for term in analyse(question))
    vector = encoder.encode_queries([question])[0]
    return SearchRequest(terms=terms, vector=vector, mode=Mode.HYBRID, top_k=10, filter=Filter())


def test_other_programs_search_by_near_text_and_our_searches_stay_as_they_are(
    server: WeaviateServer, encoder: MiniLm, feed: MemoryFeed, collection: str
) -> None:
    settings = server.settings(collection, vectorizer=MODULE)
    with (
        closing(WeaviateEngine.open(settings, encoder.signature)) as engine,
        weaviate.connect_to_local(
            port=int(server.url.rpartition(":")[2]), grpc_port=server.grpc_port, skip_init_checks=True
        ) as client,
    ):
        catch_up(engine, feed)
        theirs = client.collections.use(collection)
        state = theirs.query.fetch_object_by_id(STATE_ID, include_vector=True)
        nearest = theirs.query.near_text(
            "How much does the depot cost a month?", limit=9, include_vector=True
        )
        added = theirs.data.insert({"content": "Rent is due on the first day of the month."})
        stored = theirs.query.fetch_object_by_id(added, include_vector=True)
        question = "monthly rent of the warehouse"
        hits = engine.search(hybrid(encoder, question))
        report = engine.repair(feed)
        unlike = engine.facts().unlike_settings

    assert state is not None
    assert not state.vector  # or it would be near to something
    assert [row.properties["passage"] for row in nearest.objects][:1] == [1]
    assert len(nearest.objects) == len(TEXTS)
    for row in nearest.objects:
        text = str(row.properties["content"])
        np.testing.assert_allclose(vector_of(row), encoder.encode_queries([text])[0], atol=1e-4)
    assert stored is not None
    np.testing.assert_allclose(
        vector_of(stored), encoder.encode_queries([str(stored.properties["content"])])[0], atol=1e-4
    )
    assert [hit.passage for hit in hits][:1] == [1]
    assert sorted(hit.passage for hit in hits) == [1, 2, 3]
    assert report.is_clean
    assert not unlike


def test_a_server_that_lost_the_module_is_said_to_and_serves_again_without_it(
    server: WeaviateServer, encoder: MiniLm, feed: MemoryFeed, collection: str
) -> None:
    wanted, plain = server.settings(collection, vectorizer=MODULE), server.settings(collection)
    with closing(WeaviateEngine.open(wanted, encoder.signature)) as engine:
        catch_up(engine, feed)
    with closing(WeaviateEngine.open(plain, encoder.signature)) as engine:
        unlike = engine.facts().unlike_settings

    server.more = {}
    server.restart()  # it now hides every collection that names the module
    with pytest.raises(IndexUnavailableError, match="without its module") as caught:
        WeaviateEngine.open(wanted, encoder.signature)
    with closing(WeaviateEngine.open(plain, encoder.signature)) as engine:
        catch_up(engine, feed)
        hits = engine.search(hybrid(encoder, "monthly rent"))
        report = engine.repair(feed)
        facts = engine.facts()

    assert f"made with vectorizer '{MODULE}'" in unlike
    assert "ENABLE_MODULES" in caught.value.next_step
    assert sorted(hit.passage for hit in hits) == [1, 2, 3]
    assert report.is_clean
    assert (facts.passages, facts.unlike_settings) == (3, "")


def vector_of(row: object) -> Vector:
    return np.asarray(row.vector[VECTOR], np.float32)  # type: ignore[attr-defined]
