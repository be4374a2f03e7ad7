"""The fake engine of other tests does what a search engine must."""

from __future__ import annotations

from pathlib import Path

from core.index.base import SearchEngine
from tests.contract.search_engine import SearchEngineContract
from tests.support.indexed import SIGNATURE
from tests.support.memory_engine import Memory, MemoryEngine


class TestMemoryEngine(SearchEngineContract):
    places: dict[Path, Memory] = {}  # noqa: RUF012

    @classmethod
    def open(cls, place: Path) -> SearchEngine:
        return MemoryEngine(cls.places.setdefault(place, Memory(SIGNATURE)))
