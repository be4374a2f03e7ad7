"""What every SearchEngine must do. Subclass, say how to open one, and pytest runs the suite on it."""

from __future__ import annotations

from core.index.base import Mode, SearchEngine
from tests.contract.asking import Asking
from tests.contract.changes import Changes
from tests.contract.filters import Filters
from tests.contract.order import Order
from tests.support.indexed import SIGNATURE, ask, toward


class SearchEngineContract(Order, Asking, Filters, Changes):
    """The suite."""

    def test_an_empty_engine_finds_nothing(self, engine: SearchEngine) -> None:
        for mode in Mode:
            assert engine.search(ask("alpha", vector=toward(1), mode=mode)) == []

    def test_an_empty_engine_stands_at_sequence_0(self, engine: SearchEngine) -> None:
        status = engine.status()
        assert (status.sequence, status.passages, status.encoder) == (0, 0, SIGNATURE)
        assert engine.document_frequencies(["alpha"]).of_terms == {"alpha": 0}
