"""The whole workbench on a Weaviate server that goes away: what is answered, and what is put right."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.models import Settings
from core.domain.job import JobState
from core.domain.search import SearchQuery
from core.domain.upkeep import Repair
from core.index.weaviate.connection import Connection
from core.jobs.worker import complete
from core.workbench import Workbench
from core.workbench.wiring import Parts
from core.workbench.work.handlers import Handlers
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.waiting import wait_for
from tests.support.weaviate_server import WeaviateServer

LEASE = "The monthly rent of the {} warehouse is ${},000, payable on the first day of each month."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twelve short documents."""
    (tmp_path / "in").mkdir()
    for number in range(12):
        (tmp_path / "in" / f"{number}.txt").write_text(LEASE.format(f"Road{number}", number + 10))
    return tmp_path / "in"


@pytest.fixture
def settings(own_weaviate: WeaviateServer, tmp_path: Path, collection: str) -> Settings:
    own_weaviate.start()
    return Settings(home=tmp_path / "home", index=own_weaviate.settings(collection, deadline_s=10.0))


@pytest.fixture
def parts(settings: Settings) -> Iterator[Parts]:
    with contextlib.closing(PartsWith(settings, HashedEncoder())) as opened:
        yield opened


class Worker:
    """What a worker does between jobs and for one, on our thread."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._handlers = Handlers(parts)

    def upkeep(self) -> None:
        self._handlers.upkeep()

    def repaired(self, after: Repair | None) -> Repair:
        """The next repair that it makes by itself."""
        bench = Workbench(self._parts)

        def look() -> Repair | None:
            self.upkeep()
            for job in bench.local.jobs.list():
                if job.kind == "repair" and not job.state.is_ended:
                    home = self._parts.settings.home
                    ended = complete(self._parts.records, home, job.id, self._handlers.make)
                    assert ended.state is JobState.DONE, ended.error
            found = self._parts.records.repairs.last("weaviate")
            return found if found != after else None

        return wait_for(look, 60)


def test_a_kill_that_nobody_saw_is_noticed_and_what_it_cost_is_put_right(
    own_weaviate: WeaviateServer, parts: Parts, folder: Path
) -> None:
    from weaviate.classes.query import Filter

    worker, bench = Worker(parts), Workbench(parts)
    worker.upkeep()
    bench.ingest([folder])
    worker.upkeep()
    assert parts.records.repairs.last("weaviate") is None, "a new collection has nothing to lose"
    with contextlib.closing(Connection(parts.settings.index)) as connection:
        # What a killed server may lose, made certain: it is gone when it comes back.
        some = Filter.by_property("since").greater_or_equal(0)
        name = parts.engines.facts("weaviate").version
        connection.write(lambda client, _: client.collections.use(name).data.delete_many(where=some))
    own_weaviate.kill9()
    own_weaviate.start()

    repair = worker.repaired(after=None)

    assert "started again" in repair.reason
    assert (repair.report.checked, repair.report.missing, repair.report.repaired) == (12, 12, 12)
    assert parts.records.repairs.suspicion() is None
    assert len(bench.search(SearchQuery("monthly rent", top_k=20)).hits) == 12
    overview = bench.local.index.overview()
    server, local = overview.engines
    assert (server.name, local.name, local.is_standby) == ("weaviate", "embedded", True)
    assert server.repair == repair
    assert server.facts is not None
    assert (server.facts.passages, server.facts.waiting, server.facts.quantiser) == (12, 0, "rq8")
    assert overview.passages == 12
    own_weaviate.stop()
    away = bench.local.index.overview().engines[0]
    assert away.facts is None
    assert away.next_step
    own_weaviate.start()
    worker.upkeep()
    bench.local.index.rebuild(engine="weaviate")
    after = wait_for(lambda: bench.local.index.overview().engines[0].facts, 30)
    assert after.version > server.facts.version
    assert after.passages == 12
    assert local.facts is not None
    assert parts.engines.facts("embedded").version == local.facts.version
