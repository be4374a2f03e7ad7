"""The Weaviate engine does what a search engine must, on real servers in both modes of indexing."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import ClassVar

import pytest

from core.index.base import SearchEngine
from core.index.weaviate import WeaviateEngine
from tests.contract.search_engine import SearchEngineContract
from tests.support.indexed import SIGNATURE
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
