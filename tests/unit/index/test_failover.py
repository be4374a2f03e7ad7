from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from core.domain.upkeep import IndexFacts, RepairReport
from core.errors import IndexUnavailableError
from core.index.base import (
    EngineHit,
    EngineStatus,
    IndexBatch,
    SearchRequest,
)
from core.index.failover import FailoverEngine
from core.index.rebuildable import ServerStart
from tests.support.indexed import SIGNATURE, ask, indexed
from tests.support.memory_engine import Memory, MemoryEngine


class Local(MemoryEngine):
    """A standby."""

    name = "embedded"
    repairs = 0
    rebuilds = 0

    def rebuild(self, records: object, on_progress: object = None) -> str:
        self.rebuilds += 1
        return f"{self.name}-2"

    def repair(self, records: object, on_progress: object = None) -> RepairReport:
        self.repairs += 1
        return RepairReport(checked=1, missing=0, lost=0, surplus=0, repaired=0)

    def facts(self) -> IndexFacts:
        status = self.status()
        return IndexFacts(self.name, "here", "c", "c1", status.passages, status.sequence, None, "none")

    def is_mostly_dead(self) -> bool:
        return False


class Server(Local):
    """An engine on a server that can be switched off."""

    name = "weaviate"
    is_off = False

    def _need(self) -> None:
        if self.is_off:
            raise IndexUnavailableError("It did not answer within 2 s.", next_step="Start it.")

    def search(self, request: SearchRequest) -> list[EngineHit]:
        self._need()
        return super().search(request)

    def apply(self, batch: IndexBatch) -> None:
        self._need()
        super().apply(batch)

    def repair(self, records: object, on_progress: object = None) -> RepairReport:
        self._need()
        return super().repair(records, on_progress)

    def facts(self) -> IndexFacts:
        self._need()
        return super().facts()

    def start(self) -> ServerStart:
        self._need()
        return ServerStart("first", is_certain=True)


class Looks:
    """Says when the probe looks; each `look` lets it look once and waits until it has."""

    def __init__(self) -> None:
        self._go, self._done = threading.Semaphore(0), threading.Semaphore(0)
        self._has_looked = False

    def wait(self, closed: threading.Event, _seconds: float) -> bool:
        if self._has_looked:
            self._done.release()
        self._has_looked = True
        self._go.acquire()
        return closed.is_set()

    def look(self) -> None:
        self._go.release()

    def end(self) -> None:
        self._go.release()


class Feed:
    """Records that hold what was applied."""

    def __init__(self, batch: IndexBatch) -> None:
        self.batch = batch
        self.changes = self
        self.passages = self

    def data_version(self) -> int:
        return self.batch.sequence

    def since(self, sequence: int) -> object:
        from core.store.base import ChangesUpTo

        left = self.batch.documents if sequence < self.batch.sequence else frozenset()
        return ChangesUpTo(max(sequence, self.batch.sequence), left)

    def of_documents(self, wanted: object, /) -> object:
        return self.batch.passages


def batch(sequence: int, text: str) -> IndexBatch:
    passage = indexed(sequence, f"d{sequence}", text)
    return IndexBatch(sequence, frozenset({passage.stored.passage.document}), (passage,))


@pytest.fixture
def looks() -> Looks:
    return Looks()


@pytest.fixture
def server() -> Server:
    return Server(Memory(SIGNATURE))


@pytest.fixture
def engine(server: Server, looks: Looks) -> Iterator[FailoverEngine]:
    engine = FailoverEngine(lambda: server, Local(Memory(SIGNATURE)), wait=looks.wait)
    yield engine
    engine.close()
    looks.end()


def test_a_server_that_answers_is_asked(engine: FailoverEngine) -> None:
    engine.apply(batch(1, "alpha"))
    assert [hit.passage for hit in engine.search(ask("alpha"))] == [1]
    assert engine.degradation() == ""
    assert engine.status().engine == "weaviate"


def test_while_the_server_is_away_the_standby_answers_and_says_so(
    engine: FailoverEngine, server: Server
) -> None:
    engine.apply(batch(1, "alpha"))
    engine.search(ask("alpha"))
    server.is_off = True
    assert [hit.passage for hit in engine.search(ask("alpha"))] == [1]
    assert "did not answer within 2 s" in engine.degradation()
    assert engine.status().engine == "memory"


def test_a_server_that_missed_a_batch_serves_only_after_it_was_restored(
    engine: FailoverEngine, server: Server
) -> None:
    engine.apply(batch(1, "alpha"))
    server.is_off = True
    engine.apply(batch(2, "beta"))
    server.is_off = False
    engine.apply(batch(3, "gamma"))
    assert [hit.passage for hit in engine.search(ask("beta"))] == [2]
    assert engine.degradation()
    assert engine.restore(Feed(batch(3, "gamma")))
    assert engine.degradation() == ""
    assert server.status().sequence == 3


def test_a_server_that_cannot_be_opened_stands_aside(looks: Looks) -> None:
    def refuse() -> Server:
        raise IndexUnavailableError("Nothing listens on port 8080.", next_step="Start it.")

    engine = FailoverEngine(refuse, Local(Memory(SIGNATURE)), wait=looks.wait)
    engine.apply(batch(1, "alpha"))
    assert [hit.passage for hit in engine.search(ask("alpha"))] == [1]
    assert "Nothing listens" in engine.degradation()
    engine.close()
    looks.end()


def test_server_and_standby_can_each_be_asked(engine: FailoverEngine, server: Server) -> None:
    engine.apply(batch(1, "alpha"))
    first, second = engine.each()
    assert first.engine is server
    assert second.name == "embedded"
    assert second.engine is not None
    assert [hit.passage for hit in second.engine.search(ask("alpha"))] == [1]


def test_a_server_that_is_away_says_why_it_cannot_be_asked(engine: FailoverEngine, server: Server) -> None:
    engine.apply(batch(1, "alpha"))
    server.is_off = True
    engine.search(ask("alpha"))
    first, second = engine.each()
    assert first.engine is None
    assert "did not answer within 2 s" in first.reason
    assert second.engine is not None


def test_an_outage_is_told_once_and_not_by_the_thread_that_searches(server: Server, looks: Looks) -> None:
    told: list[tuple[str, str]] = []
    heard = threading.Event()

    def tell(reason: str) -> None:
        told.append((reason, threading.current_thread().name))
        heard.set()

    engine = FailoverEngine(lambda: server, Local(Memory(SIGNATURE)), on_away=tell, wait=looks.wait)
    engine.apply(batch(1, "alpha"))
    server.is_off = True
    engine.search(ask("alpha"))
    engine.search(ask("alpha"))
    assert heard.wait(5)
    engine.close()
    looks.end()
    assert told == [("It did not answer within 2 s.", "search-server-probe")]


def test_each_of_both_is_repaired_and_built_anew_by_its_name(server: Server, looks: Looks) -> None:
    local = Local(Memory(SIGNATURE))
    engine = FailoverEngine(lambda: server, local, server_name="weaviate", wait=looks.wait)
    engine.apply(batch(1, "alpha"))
    records = Feed(batch(1, "alpha"))
    engine.repair(records, only="embedded")
    assert engine.rebuild(records, only="weaviate") == "weaviate-2"
    engine.repair(records, only="weaviate")
    assert engine.rebuild(records, only="embedded") == "embedded-2"
    assert (local.repairs, local.rebuilds, server.repairs, server.rebuilds) == (1, 1, 1, 1)
    engine.rebuild(records)
    assert (local.rebuilds, server.rebuilds) == (2, 2)
    engine.close()
    looks.end()


def test_a_server_that_is_away_has_neither_facts_nor_a_start_nor_a_repair(
    server: Server, looks: Looks
) -> None:
    engine = FailoverEngine(lambda: server, Local(Memory(SIGNATURE)), server_name="weaviate", wait=looks.wait)
    engine.apply(batch(1, "alpha"))
    assert engine.start() == ServerStart("first", is_certain=True)
    assert engine.facts("weaviate").engine == "weaviate"
    server.is_off = True
    with pytest.raises(IndexUnavailableError, match="did not answer") as away:
        engine.facts("weaviate")
    assert away.value.next_step == "Start it."
    assert engine.start() is None
    assert engine.facts("embedded").engine == "embedded"
    with pytest.raises(IndexUnavailableError, match="did not answer"):
        engine.repair(Feed(batch(1, "alpha")), only="weaviate")
    engine.close()
    looks.end()


def test_a_collection_that_was_replaced_while_the_server_is_up_is_caught_up(
    engine: FailoverEngine, server: Server
) -> None:
    engine.apply(batch(1, "alpha"))
    assert engine.check()
    server._memory = Memory(SIGNATURE)

    assert not engine.check()
    assert "behind the records" in engine.degradation()
    assert [hit.passage for hit in engine.search(ask("alpha"))] == [1]
    assert engine.restore(Feed(batch(1, "alpha")))
    assert engine.check()
    assert server.status().sequence == 1


def test_a_server_that_is_ahead_of_the_records_is_not_level_and_is_built_anew(
    server: Server, looks: Looks
) -> None:
    records = Feed(batch(1, "alpha"))
    server.apply(batch(7, "omega"))
    engine = FailoverEngine(
        lambda: server, Local(Memory(SIGNATURE)), newest=records.data_version, wait=looks.wait
    )
    engine.apply(batch(1, "alpha"))
    assert [hit.passage for hit in engine.search(ask("alpha"))] == [1]
    assert "ahead of the records" in engine.degradation()
    assert server.rebuilds == 0
    assert engine.restore(records)
    assert server.rebuilds == 1
    engine.close()
    looks.end()


def test_a_server_that_is_ahead_of_the_standby_alone_is_level(server: Server, looks: Looks) -> None:
    server.apply(batch(2, "alpha"))
    engine = FailoverEngine(lambda: server, Local(Memory(SIGNATURE)), newest=lambda: 2, wait=looks.wait)
    assert engine.check()
    engine.close()
    looks.end()


def test_a_server_that_cannot_be_brought_up_is_opened_anew(looks: Looks) -> None:
    class Gone(Server):
        """Its collection can be taken away."""

        def status(self) -> EngineStatus:
            self._need()
            return super().status()

    opened: list[Server] = []

    def open_server() -> Server:
        opened.append(Gone(Memory(SIGNATURE)))
        return opened[-1]

    engine = FailoverEngine(open_server, Local(Memory(SIGNATURE)), wait=looks.wait)
    engine.apply(batch(1, "alpha"))
    opened[0].is_off = True
    assert not engine.check()
    assert not engine.restore(Feed(batch(1, "alpha")))
    assert engine.restore(Feed(batch(1, "alpha")))
    assert len(opened) == 2
    assert opened[1].status().sequence == 1
    engine.close()
    looks.end()
