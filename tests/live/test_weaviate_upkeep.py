"""Rebuilding a collection under load, and finding again what an outage lost."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest

from core.domain.ids import DocumentId
from core.encode.base import EncoderSignature
from core.errors import EncoderError, GroundworkError
from core.index.base import Filter
from core.index.sync import catch_up
from core.index.weaviate import WeaviateEngine, rebuild
from core.index.weaviate.connection import Connection
from tests.support.examples import IS_FULL
from tests.support.feed import MemoryFeed
from tests.support.indexed import DIMENSION, SIGNATURE, ask, indexed, random_vector, toward
from tests.support.weaviate_server import WeaviateServer


def feed(count: int, *, documents: int = 40) -> MemoryFeed:
    """Records of passages with a vector of their own each."""
    records = MemoryFeed()
    records.publish(
        *(indexed(number, f"d{number % documents}", f"words {number}") for number in range(1, count + 1))
    )
    return records


class TestRebuild:
    def test_searches_go_on_and_are_right_while_a_collection_is_rebuilt(
        self, weaviate_server: WeaviateServer, collection: str
    ) -> None:
        records = feed(300)
        settings = weaviate_server.settings(collection)
        with closing(WeaviateEngine.open(settings, SIGNATURE)) as engine:
            catch_up(engine, records)
            before, faults, searches = engine.status().generation, [], [0]
            over = threading.Event()

            def read() -> None:
                with closing(WeaviateEngine.open(settings, SIGNATURE)) as own:
                    while not over.is_set():
                        try:
                            hits = own.search(ask("word", vector=toward(1), top_k=300, pool=300))
                            searches[0] += 1
                            if {hit.passage for hit in hits} != set(range(1, 301)):
                                faults.append(f"{len(hits)} hits")
                        except GroundworkError as error:
                            faults.append(str(error))

            readers = [threading.Thread(target=read) for _ in range(3)]
            for reader in readers:
                reader.start()
            names = [engine.rebuild(records) for _ in range(3)]
            over.set()
            for reader in readers:
                reader.join()
            assert faults == []
            assert searches[0] > 3
            assert len({before, *names}) == 4
            assert engine.status().generation == names[-1]
            assert (engine.status().sequence, engine.status().passages) == (40, 300)
        with closing(Connection(settings)) as connection:
            left = connection.write(lambda client, _: list(client.collections.list_all()))
        assert [name for name in left if name.startswith(collection)] == [names[-1]]

    def test_a_collection_of_another_encoder_can_be_built_anew(
        self, weaviate_server: WeaviateServer, collection: str
    ) -> None:
        settings = weaviate_server.settings(collection)
        old = EncoderSignature("older", DIMENSION, "f" * 64)
        WeaviateEngine.open(settings, old).close()
        with pytest.raises(EncoderError):
            WeaviateEngine.open(settings, SIGNATURE)
        rebuild(settings, SIGNATURE, feed(20))
        with closing(WeaviateEngine.open(settings, SIGNATURE)) as engine:
            assert engine.status().passages == 20

    def test_a_rebuild_that_fails_leaves_the_old_collection_serving(
        self, weaviate_server: WeaviateServer, collection: str
    ) -> None:
        records = feed(20)
        settings = weaviate_server.settings(collection)
        with closing(WeaviateEngine.open(settings, SIGNATURE)) as engine:
            catch_up(engine, records)
            records.publish(indexed(99, "bad", "bad", vector=random_vector(1)[:3]))
            with pytest.raises(EncoderError):
                engine.rebuild(records)
            assert len(engine.search(ask("word", top_k=50))) == 20
            with closing(Connection(settings)) as connection:
                left = connection.write(lambda client, _: list(client.collections.list_all()))
            assert [name for name in left if name.startswith(collection)] == [engine.status().generation]


class TestRepair:
    def test_a_sound_collection_needs_none(self, weaviate_server: WeaviateServer, collection: str) -> None:
        records = feed(100)
        with closing(WeaviateEngine.open(weaviate_server.settings(collection), SIGNATURE)) as engine:
            catch_up(engine, records)
            report = engine.repair(records)
            assert (report.checked, report.is_clean, report.repaired) == (100, True, 0)

    def test_what_is_missing_or_too_much_is_put_right(
        self, weaviate_server: WeaviateServer, collection: str
    ) -> None:
        from weaviate.classes.query import Filter

        records = feed(100)
        settings = weaviate_server.settings(collection)
        with closing(WeaviateEngine.open(settings, SIGNATURE)) as engine:
            catch_up(engine, records)
            name = engine.status().generation
            with closing(Connection(settings)) as connection:
                some = Filter.by_property("passage").contains_any([3, 4, 5])
                connection.write(lambda client, _: client.collections.use(name).data.delete_many(where=some))
                stray = {"passage": 777, "document": "stray", "stems": "word", "since": 1, "open": True}
                connection.write(lambda client, _: client.collections.use(name).data.insert(stray))
            report = engine.repair(records)
            assert (report.missing, report.surplus, report.repaired) == (3, 1, 4)
            assert report.unrepaired == ()
            assert engine.repair(records).is_clean
            assert engine.status().passages == 100
            assert {hit.passage for hit in engine.search(ask("word", top_k=200))} == set(range(1, 101))

    @pytest.mark.parametrize("asynchronous", [True, False] if IS_FULL else [True])
    def test_after_kills_every_acknowledged_passage_is_found_by_vector_keyword_and_filter(
        self, own_weaviate: WeaviateServer, collection: str, asynchronous: bool
    ) -> None:
        server = WeaviateServer(own_weaviate.folder, asynchronous=asynchronous).start()
        try:
            records = MemoryFeed()
            settings = server.settings(collection, quantizer="none")
            with closing(WeaviateEngine.open(settings, SIGNATURE)) as engine:
                for turn in range(3):
                    first = turn * 600 + 1
                    records.publish(
                        *(indexed(n, f"d{n % 10}-{turn}", f"words {n}") for n in range(first, first + 600))
                    )
                    catch_up(engine, records)
                    server.kill9()
                    server.start()
                report = engine.repair(records)
                assert report.checked == 1_800
                assert report.missing == 0
                assert report.unrepaired == ()
                if asynchronous:
                    assert report.lost == 0
                again = engine.repair(records)
                assert again.is_clean
                everything = set(range(1, 1_801))
                assert {hit.passage for hit in engine.search(ask("word", top_k=2_000))} == everything
                for number in range(1, 1_801, 60):
                    near = ask(vector=random_vector(number), top_k=1)
                    assert [hit.passage for hit in engine.search(near)] == [number]
                for turn in range(3):
                    for name in (f"d{n}-{turn}" for n in range(10)):
                        only = Filter(documents=frozenset({DocumentId(name)}))
                        found = {hit.passage for hit in engine.search(ask("word", top_k=99, within=only))}
                        assert len(found) == 60
                        everything -= found
                assert everything == set()
        finally:
            server.stop()
