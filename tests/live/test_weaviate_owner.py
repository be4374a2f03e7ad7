"""One server, one collection name, two installations: the second is refused and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.config.models import IndexSettings, Settings
from core.domain.search import SearchQuery
from core.errors import IndexUnavailableError
from core.index.sync import catch_up
from core.index.weaviate import WeaviateEngine, rebuild
from core.index.weaviate.connection import Connection
from core.index.weaviate.state import IndexState, read_state
from core.workbench import Workbench
from core.workbench.work.handlers import Handlers
from tests.support.feed import MemoryFeed
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.indexed import SIGNATURE, ask, indexed
from tests.support.weaviate_server import WeaviateServer

pytestmark = pytest.mark.usefixtures("weaviate_client")


def feed(*documents: str) -> MemoryFeed:
    records = MemoryFeed()
    records.publish(*(indexed(number, name, "word") for number, name in enumerate(documents, 1)))
    return records


@pytest.fixture
def settings(weaviate_server: WeaviateServer, collection: str) -> IndexSettings:
    return weaviate_server.settings(collection)


@pytest.fixture
def first(settings: IndexSettings) -> Iterator[WeaviateEngine]:
    """An engine whose collection holds three documents."""
    records = feed("a", "b", "c")
    with closing(WeaviateEngine.open(settings, SIGNATURE, "first")) as engine:
        catch_up(engine, records)
        yield engine


def put(settings: IndexSettings, change: Callable[[IndexState], IndexState]) -> None:
    """Change the state object of the collection behind the alias."""
    with closing(Connection(settings)) as way:

        def write(client: object, _deadline: object) -> None:
            collection = client.collections.use(settings.collection)  # type: ignore[attr-defined]
            state = read_state(collection)
            assert state is not None
            change(state).write(collection)

        way.write(write)


def test_another_installation_neither_opens_nor_rebuilds_it(
    first: WeaviateEngine, settings: IndexSettings
) -> None:
    other = "second"
    before = first.status()
    with pytest.raises(IndexUnavailableError, match="belongs to another installation") as caught:
        WeaviateEngine.open(settings, SIGNATURE, other)
    assert "index.collection" in caught.value.next_step
    with pytest.raises(IndexUnavailableError, match="belongs to another installation"):
        rebuild(settings, SIGNATURE, feed("x"), owner=other)
    assert first.status() == before
    assert len(first.search(ask("word"))) == 3


def test_one_that_had_it_open_writes_and_reads_nothing_once_it_is_another_s(
    first: WeaviateEngine, settings: IndexSettings
) -> None:
    put(settings, lambda state: replace(state, installation="second"))
    records = feed("a", "b", "c", "d")
    for call in (
        lambda: catch_up(first, records),
        lambda: first.repair(records),
        lambda: first.rebuild(records),
        lambda: first.search(ask("word")),
    ):
        with pytest.raises(IndexUnavailableError, match="belongs to another installation"):
            call()
    with closing(WeaviateEngine.open(settings, SIGNATURE, "second")) as theirs:
        assert (theirs.status().sequence, theirs.status().passages) == (3, 3)


def test_a_collection_that_names_nobody_is_nobody_s(first: WeaviateEngine, settings: IndexSettings) -> None:
    put(settings, lambda state: replace(state, installation=""))
    with pytest.raises(IndexUnavailableError, match="belongs to another installation"):
        WeaviateEngine.open(settings, SIGNATURE, "first")


def test_a_second_home_leaves_the_first_one_s_collection_alone_and_is_answered_locally(
    settings: IndexSettings, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "lease.txt").write_text("The monthly rent of the Mill Road warehouse is $15,000.")
    (tmp_path / "memo.txt").write_text("The settlement with Kappa Haulage costs $90,000.")
    one, other = (
        PartsWith(Settings(home=tmp_path / name, index=settings), HashedEncoder()) for name in ("h1", "h2")
    )
    with Workbench(one) as mine, Workbench(other) as theirs:
        mine.ingest([tmp_path / "in"])
        assert mine.search(SearchQuery("monthly rent")).hits
        before = one.engines.facts("weaviate")
        theirs.ingest([tmp_path / "memo.txt"])
        assert theirs.search(SearchQuery("settlement with Kappa")).hits
        assert "belongs to another installation" in other.engines.degradation()
        assert one.engines.degradation() == ""
        assert one.engines.facts("weaviate") == before


def test_a_collection_put_back_or_ahead_under_a_running_server_is_brought_up_by_the_worker(
    settings: IndexSettings, tmp_path: Path
) -> None:
    (tmp_path / "lease.txt").write_text("The monthly rent of the Mill Road warehouse is $15,000.")
    parts = PartsWith(Settings(home=tmp_path / "home", index=settings), HashedEncoder())
    with Workbench(parts) as bench:
        bench.ingest([tmp_path / "lease.txt"])
        newest = parts.records.changes.data_version()
        generation = parts.engines.facts("weaviate").version
        for sequence in (0, newest + 5):
            put(settings, lambda state, sequence=sequence: replace(state, sequence=sequence))
            handlers = Handlers(parts)
            handlers.upkeep()  # sees that it is not level
            handlers.upkeep()  # brings it up
            assert parts.engines.degradation() == ""
            assert parts.engines.facts("weaviate").sequence == newest
            assert bench.search(SearchQuery("monthly rent")).hits
        assert parts.engines.facts("weaviate").version > generation
