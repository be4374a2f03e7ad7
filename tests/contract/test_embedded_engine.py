"""The embedded engine does what a search engine must."""

from __future__ import annotations

from pathlib import Path

from core.index.base import SearchEngine
from core.index.embedded import EmbeddedEngine
from tests.contract.search_engine import SearchEngineContract
from tests.support.indexed import SIGNATURE


class TestEmbeddedEngine(SearchEngineContract):
    @classmethod
    def open(cls, place: Path) -> SearchEngine:
        return EmbeddedEngine.open(place, SIGNATURE)
