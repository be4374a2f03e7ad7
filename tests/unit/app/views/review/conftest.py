from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from core.domain.ids import TraceId
from core.workbench import Workbench
from tests.support.contracts_at_hand import contracts_at_hand

MAIN = str(Path(__file__).parents[5] / "app" / "main.py")
ASKED = ("What is the governing law of Cobalt?", "What is the governing law of Acme?")


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """Ten contracts, with two answers that did not please."""
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    services._warmed.set()
    with contracts_at_hand(tmp_path / "home") as found:
        for question in ASKED:
            trace = TraceId(found.bench.ask(question).trace_id)
            found.bench.local.feedback.give(trace, "down")
        services.use(found.bench)
        yield found.bench
        services.close()


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(MAIN, default_timeout=20)
