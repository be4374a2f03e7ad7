"""What can go wrong with a Weaviate server: said in plain words, within the deadline, and nothing is lost."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from core.config.models import IndexSettings
from core.domain.ids import DocumentId
from core.encode.base import EncoderSignature
from core.errors import EncoderError, IndexUnavailableError
from core.index.base import IndexBatch
from core.index.weaviate import WeaviateEngine
from core.index.weaviate.connection import Connection
from core.index.weaviate.state import IndexState, Phase, read_state
from core.index.weaviate.writing import Writer, object_id, properties_of
from core.store.base import IndexedPassage
from tests.support.indexed import DIMENSION, SIGNATURE, ask, indexed, random_vector, toward
from tests.support.weaviate_server import WeaviateServer

pytestmark = pytest.mark.usefixtures("weaviate_client")

SLACK_S = 3.0  # beyond a deadline, for a busy machine


def batch(sequence: int, *passages: IndexedPassage) -> IndexBatch:
    return IndexBatch(sequence, frozenset(one.stored.passage.document for one in passages), passages)


def many(count: int, words: str, *, start: int = 1) -> list[IndexedPassage]:
    return [indexed(number, f"d{number % 50}", f"{words} {number}") for number in range(start, start + count)]


@contextmanager
def within(seconds: float) -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < seconds


@contextmanager
def silent_port() -> Iterator[int]:
    """A port that takes connections and says nothing."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        yield int(listener.getsockname()[1])


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def direct(server: WeaviateServer) -> Connection:
    """A way to the server beside the engine."""
    return Connection(server.settings())


class TestNotThere:
    def test_a_server_that_is_absent_is_named_at_once(self) -> None:
        settings = IndexSettings(engine="weaviate", url=f"http://127.0.0.1:{closed_port()}")
        with (
            within(SLACK_S),
            pytest.raises(IndexUnavailableError, match="No Weaviate server answers") as caught,
        ):
            WeaviateEngine.open(settings, SIGNATURE)
        assert "index.url" in caught.value.next_step

    def test_a_server_that_says_nothing_is_given_up(self) -> None:
        with silent_port() as port:
            settings = IndexSettings(engine="weaviate", url=f"http://127.0.0.1:{port}")
            with within(SLACK_S), pytest.raises(IndexUnavailableError):
                WeaviateEngine.open(settings, SIGNATURE)

    def test_a_closed_grpc_port_is_named(self, weaviate_server: WeaviateServer, collection: str) -> None:
        port = closed_port()
        settings = weaviate_server.settings(collection, grpc_port=port)
        with within(SLACK_S), pytest.raises(IndexUnavailableError, match=f"gRPC port {port}"):
            WeaviateEngine.open(settings, SIGNATURE)

    def test_a_silent_grpc_port_is_named(self, weaviate_server: WeaviateServer, collection: str) -> None:
        with silent_port() as port:
            settings = weaviate_server.settings(collection, grpc_port=port, deadline_s=1.0)
            with within(1 + SLACK_S), pytest.raises(IndexUnavailableError, match=f"gRPC port {port}"):
                WeaviateEngine.open(settings, SIGNATURE)

    def test_another_version_is_refused(self) -> None:
        class Old(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = json.dumps({"version": "1.24.1", "hostname": "", "modules": {}}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Old) as old, silent_port() as grpc_port:
            threading.Thread(target=old.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{old.server_address[1]}"
            settings = IndexSettings(engine="weaviate", url=url, grpc_port=grpc_port)
            with within(SLACK_S), pytest.raises(IndexUnavailableError, match=r"version|too old|1\.24"):
                WeaviateEngine.open(settings, SIGNATURE)
            old.shutdown()


class TestKeys:
    @pytest.fixture(scope="class")
    @classmethod
    def locked(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WeaviateServer]:
        server = WeaviateServer(tmp_path_factory.mktemp("locked"), keys=("secret-a", "secret-b")).start()
        yield server
        server.stop()

    def test_the_right_key_opens(self, locked: WeaviateServer, collection: str) -> None:
        with closing(WeaviateEngine.open(locked.settings(collection), SIGNATURE)) as engine:
            engine.apply(batch(1, indexed(1, "a", "alpha")))
            assert engine.status().passages == 1

    @pytest.mark.parametrize("key", ["", "wrong"])
    def test_a_wrong_key_is_said_to_be_one(self, locked: WeaviateServer, collection: str, key: str) -> None:
        with within(SLACK_S), pytest.raises(IndexUnavailableError, match="refused the key") as caught:
            WeaviateEngine.open(locked.settings(collection, api_key=key), SIGNATURE)
        assert "index.api_key" in caught.value.next_step
        assert "wrong" not in str(caught.value)

    def test_a_key_that_only_reads_searches_and_does_not_write(
        self, locked: WeaviateServer, collection: str
    ) -> None:
        with closing(WeaviateEngine.open(locked.settings(collection), SIGNATURE)) as engine:
            engine.apply(batch(1, indexed(1, "a", "alpha")))
        reading = locked.settings(collection, api_key="secret-b")
        with closing(WeaviateEngine.open(reading, SIGNATURE)) as engine:
            assert len(engine.search(ask("alpha"))) == 1
            with pytest.raises(IndexUnavailableError, match="refused the key"):
                engine.apply(batch(2, indexed(2, "b", "beta")))
            assert engine.status().sequence == 1


class TestOutages:
    def test_a_stopped_server_fails_fast_and_is_used_again_when_it_is_back(
        self, own_weaviate: WeaviateServer, collection: str
    ) -> None:
        own_weaviate.start()
        with closing(
            WeaviateEngine.open(own_weaviate.settings(collection, deadline_s=10.0), SIGNATURE)
        ) as engine:
            engine.apply(batch(1, indexed(1, "a", "alpha")))
            own_weaviate.stop()
            with within(SLACK_S), pytest.raises(IndexUnavailableError):
                engine.search(ask("alpha"))
            for _ in range(5):
                with within(SLACK_S), pytest.raises(IndexUnavailableError):
                    engine.search(ask("alpha"))
            own_weaviate.start()
            assert [hit.passage for hit in engine.search(ask("alpha", vector=toward(1)))] == [1]
            engine.apply(batch(2, indexed(2, "b", "alpha")))
            assert engine.status().passages == 2

    def test_a_hanging_server_costs_no_more_than_the_deadline(
        self, own_weaviate: WeaviateServer, collection: str
    ) -> None:
        own_weaviate.start()
        settings = own_weaviate.settings(collection, deadline_s=1.5, write_deadline_s=10.0)
        with closing(WeaviateEngine.open(settings, SIGNATURE)) as engine:
            engine.apply(batch(1, indexed(1, "a", "alpha")))
            own_weaviate.freeze()
            threads = threading.active_count()
            for _ in range(8):
                with within(1.5 + SLACK_S), pytest.raises(IndexUnavailableError):
                    engine.search(ask("alpha", vector=toward(1)))
            assert threading.active_count() < threads + 8
            own_weaviate.thaw()
            back = time.monotonic() + 30
            while True:
                try:
                    assert len(engine.search(ask("alpha"))) == 1
                    break
                except IndexUnavailableError:
                    assert time.monotonic() < back

    def test_killed_in_the_middle_of_a_batch_old_state_stays_and_the_batch_can_be_repeated(
        self, own_weaviate: WeaviateServer, collection: str
    ) -> None:
        own_weaviate.start()
        settings = own_weaviate.settings(collection, write_deadline_s=20.0)
        with closing(WeaviateEngine.open(settings, SIGNATURE)) as engine:
            engine.apply(batch(1, *many(50, "first")))
            change = batch(2, *many(3_000, "second", start=1_000))
            killer = threading.Timer(0.4, own_weaviate.kill9)
            killer.start()
            with pytest.raises(IndexUnavailableError):
                engine.apply(change)
            killer.join()
            own_weaviate.start()
            assert engine.status().sequence == 1
            assert len(engine.search(ask("first", top_k=100))) == 50
            assert engine.search(ask("second")) == []
            near = engine.search(ask(vector=random_vector(1000), top_k=100))
            assert all(hit.passage <= 50 for hit in near)
            engine.apply(change)
            assert (engine.status().sequence, engine.status().passages) == (2, 3_000)
            assert engine.search(ask("first")) == []
            assert len(engine.search(ask("second", top_k=5_000))) == 3_000
            for number in range(1_000, 4_000, 100):
                assert engine.search(ask(vector=random_vector(number), top_k=1))[0].passage == number

    def test_a_read_only_store_is_named_and_nothing_changes(
        self, weaviate_server: WeaviateServer, collection: str
    ) -> None:
        with closing(WeaviateEngine.open(weaviate_server.settings(collection), SIGNATURE)) as engine:
            engine.apply(batch(1, indexed(1, "a", "alpha")))
            name = engine.status().generation
            _set_shards(weaviate_server, name, "READONLY")
            with pytest.raises(IndexUnavailableError, match=r"(?i)read-?only"):
                engine.apply(batch(2, indexed(2, "b", "alpha")))
            assert [hit.passage for hit in engine.search(ask("alpha"))] == [1]
            _set_shards(weaviate_server, name, "READY")
            engine.apply(batch(2, indexed(2, "b", "alpha")))
            assert engine.status().passages == 2


def _set_shards(server: WeaviateServer, name: str, status: str) -> None:
    with closing(direct(server)) as connection:
        connection.write(lambda client, _: client.collections.use(name).config.update_shards(status))


class TestForeign:
    def test_a_collection_of_another_is_refused_and_left_alone(
        self, weaviate_server: WeaviateServer, collection: str
    ) -> None:
        with closing(direct(weaviate_server)) as connection:
            connection.write(lambda client, _: client.collections.create(collection))
            connection.write(lambda client, _: client.collections.use(collection).data.insert({}))
            with pytest.raises(IndexUnavailableError, match="did not make") as caught:
                WeaviateEngine.open(weaviate_server.settings(collection), SIGNATURE)
            assert "index.collection" in caught.value.next_step
            count = connection.write(lambda client, _: len(client.collections.use(collection)))
        assert count == 1

    def test_an_alias_of_another_is_refused(self, weaviate_server: WeaviateServer, collection: str) -> None:
        with closing(direct(weaviate_server)) as connection:
            connection.write(lambda client, _: client.collections.create(f"{collection}_v000001"))
            connection.write(
                lambda client, _: client.alias.create(
                    alias_name=collection, target_collection=f"{collection}_v000001"
                )
            )
            with pytest.raises(IndexUnavailableError, match="properties differ"):
                WeaviateEngine.open(weaviate_server.settings(collection), SIGNATURE)
            assert connection.write(lambda client, _: client.collections.exists(f"{collection}_v000001"))

    def test_vectors_of_another_encoder_are_refused(
        self, weaviate_server: WeaviateServer, collection: str
    ) -> None:
        WeaviateEngine.open(weaviate_server.settings(collection), SIGNATURE).close()
        for other in (
            EncoderSignature("toy", DIMENSION * 2, "0" * 64),
            EncoderSignature("toy", DIMENSION, "1" * 64),
        ):
            with pytest.raises(EncoderError, match="holds vectors"):
                WeaviateEngine.open(weaviate_server.settings(collection), other)

    def test_several_that_open_at_once_make_one_collection(
        self, weaviate_server: WeaviateServer, collection: str
    ) -> None:
        opened: list[WeaviateEngine] = []
        threads = [
            threading.Thread(
                target=lambda: opened.append(
                    WeaviateEngine.open(weaviate_server.settings(collection), SIGNATURE)
                )
            )
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        names = {engine.status().generation for engine in opened}
        for engine in opened:
            engine.close()
        assert (len(opened), len(names)) == (4, 1)


class TestOddPassages:
    def test_odd_text_everywhere_fails_no_batch(
        self, weaviate_server: WeaviateServer, collection: str, tmp_path: Path
    ) -> None:
        odd = indexed(
            1, "a", "nul \0 and \ud800 lone", bucket="b\udc00ucket", title="t\0", section=("s\ud801", "\0"),
            acl=("group \ud800",), doc_type="\0x",
        )  # fmt: skip
        with closing(WeaviateEngine.open(weaviate_server.settings(collection), SIGNATURE)) as engine:
            engine.apply(batch(1, odd, indexed(2, "b", "x" * 100_000), indexed(3, "c", "nul plain")))
            assert engine.status().passages == 3
            assert sorted(hit.passage for hit in engine.search(ask("nul"))) == [1, 3]
            assert [hit.document for hit in engine.search(ask("lone"))] == [DocumentId("a")]


class TestLateRequests:
    def test_what_arrives_of_a_batch_after_it_was_undone_is_never_seen(
        self, weaviate_server: WeaviateServer, collection: str
    ) -> None:
        settings = weaviate_server.settings(collection)
        with (
            closing(WeaviateEngine.open(settings, SIGNATURE)) as engine,
            closing(Connection(settings)) as way,
        ):
            engine.apply(batch(1, indexed(1, "a", "alpha")))
            name = engine.status().generation
            writer = Writer(way, settings, name)
            begun = way.write(lambda client, _: _begin(client, name))
            writer.recover()
            late = indexed(2, "b", "alpha late")
            way.write(lambda client, _: _insert(client, name, late, begun.epoch + 1))
            state = way.write(lambda client, _: read_state(client.collections.use(name)))
            assert state is not None
            # `recover` forgets aborted batches when it is called again: put back what it knew then
            way.write(
                lambda client, _: replace(state, aborted=(begun.epoch + 1,)).write(
                    client.collections.use(name)
                )
            )
            for request in (ask("alpha"), ask(vector=toward(1)), ask("alpha", vector=toward(1))):
                assert [hit.passage for hit in engine.search(request)] == [1]
            assert engine.document_frequencies(["alpha"]).of_terms == {"alpha": 1}
            engine.apply(batch(2, indexed(3, "c", "alpha")))
            assert sorted(hit.passage for hit in engine.search(ask("alpha"))) == [1, 3]
            assert engine.status().passages == 2


def _begin(client: Any, name: str) -> IndexState:
    """Leave the state as a writer leaves it that dies in the middle of a batch."""
    state = read_state(client.collections.use(name))
    assert state is not None
    return replace(state, phase=Phase.ADDING).write(client.collections.use(name))


def _insert(client: Any, name: str, one: IndexedPassage, epoch: int) -> None:
    client.collections.use(name).data.insert(
        properties_of(one, epoch), uuid=object_id(one, epoch), vector={"embedding": one.vector.tolist()}
    )
