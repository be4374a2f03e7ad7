from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from tests.support.contracts_at_hand import Contracts, contracts_at_hand

MAIN = str(Path(__file__).parents[5] / "app" / "main.py")
QUESTION = "What is the governing law of Cobalt?"


@pytest.fixture
def contracts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contracts]:
    """Ten contracts, a question about one, and a bucket that was added."""
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    services._warmed.set()
    with contracts_at_hand(tmp_path / "home") as found:
        found.bench.ask(QUESTION)
        found.bench.local.documents.add_bucket("later")
        services.use(found.bench)
        yield found
        services.close()


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(MAIN, default_timeout=20)
