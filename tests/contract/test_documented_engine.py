"""The engine of the tutorial does what a search engine must."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from core.index.base import SearchEngine
from tests.contract.search_engine import SearchEngineContract
from tests.support.indexed import SIGNATURE

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"


def _engine() -> Any:
    code = re.search(r"^```python acme_engine\.py\n(.*?)^```$", TUTORIAL.read_text("utf-8"), re.M | re.S)
    assert code is not None
    names: dict[str, Any] = {}
    exec(compile(code[1], str(TUTORIAL), "exec"), names)
    return names["MemoryEngine"]


class TestDocumentedEngine(SearchEngineContract):
    engine_class = staticmethod(_engine())
    places: dict[Path, Any] = {}  # noqa: RUF012

    @classmethod
    def open(cls, place: Path) -> SearchEngine:
        """A new one, with what the last one at this place held: a home feeds it from the records."""
        opened: Any = cls.engine_class(SimpleNamespace(signature=SIGNATURE))
        if place in cls.places:
            opened.held = cls.places[place].held
        cls.places[place] = opened
        engine: SearchEngine = opened
        return engine
