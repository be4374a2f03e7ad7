"""Real servers, one of each for a whole test run, in temporary folders and on free loopback ports."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from core.index.weaviate.connection import load
from tests.support.weaviate_server import WeaviateServer


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/live" in item.path.as_posix():
            item.add_marker(pytest.mark.live)


@pytest.fixture(scope="session")
def weaviate_client() -> None:
    """Importing the client takes seconds, which no deadline of a server counts."""
    load()


@pytest.fixture(scope="session")
def weaviate_server(
    tmp_path_factory: pytest.TempPathFactory, weaviate_client: None
) -> Iterator[WeaviateServer]:
    """A server with asynchronous indexing, as Groundwork recommends."""
    server = WeaviateServer(tmp_path_factory.mktemp("weaviate")).start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def synchronous_server(
    tmp_path_factory: pytest.TempPathFactory, weaviate_client: None
) -> Iterator[WeaviateServer]:
    """A server in Weaviate's default mode."""
    server = WeaviateServer(tmp_path_factory.mktemp("weaviate-sync"), asynchronous=False).start()
    yield server
    server.stop()


@pytest.fixture
def own_weaviate(tmp_path: Path, weaviate_client: None) -> Iterator[WeaviateServer]:
    """A server for one test, which may kill it; not started."""
    server = WeaviateServer(tmp_path / "weaviate")
    yield server
    server.stop()


@pytest.fixture
def collection(tmp_path: Path) -> str:
    """A collection name that no other test has."""
    return collection_at(tmp_path)


def collection_at(place: Path) -> str:
    return "Live" + sha256(str(place).encode()).hexdigest()[:12]
