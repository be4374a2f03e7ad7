"""Pages driven by AppTest over the workbench in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from tests.support.api_server import ApiServer, api_server
from tests.support.fake_workbench import FakeWorkbench

MAIN = str(Path(__file__).parents[2] / "app" / "main.py")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[FakeWorkbench]:
    workbench = FakeWorkbench(tmp_path / "home")
    services.use(workbench)  # type: ignore[arg-type]
    yield workbench
    services.close()


@pytest.fixture
def empty_bench(tmp_path: Path) -> Iterator[FakeWorkbench]:
    workbench = FakeWorkbench(tmp_path / "home", samples=False)
    services.use(workbench)  # type: ignore[arg-type]
    yield workbench
    services.close()


@pytest.fixture(autouse=True)
def no_warming(monkeypatch: pytest.MonkeyPatch) -> None:
    services._warmed.set()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiServer]:
    with api_server(tmp_path_factory.mktemp("served") / "home") as running:
        yield running


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(MAIN, default_timeout=20)
