"""The page Settings, driven by AppTest over the workbench in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from tests.support.fake_workbench import FakeWorkbench

MAIN = str(Path(__file__).parents[5] / "app" / "main.py")


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GROQ_API_KEY", "GROUNDWORK_LLM__API_KEY", "GROUNDWORK_LLM__BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[FakeWorkbench]:
    services._warmed.set()
    workbench = FakeWorkbench(tmp_path / "home")
    services.use(workbench)  # type: ignore[arg-type]
    yield workbench
    services.close()


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(MAIN, default_timeout=20)
