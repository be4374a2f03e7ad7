from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from app import services
from core.config.models import LlmSettings, Settings
from core.workbench import Workbench
from tests.app.conftest import MAIN
from tests.support.filled_matrix import fill

NOWHERE = "http://127.0.0.1:9/v1"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    fill(tmp_path / "home")
    yield tmp_path / "home"
    services.close()


def drawn(bench: Workbench) -> set[str]:
    """Keys of the buttons on the page."""
    services.use(bench)
    services._warmed.set()
    app = AppTest.from_file(MAIN, default_timeout=30).run()
    app._page_hash = calc_hash("matrix")  # the public switch_page knows page files only, ours are functions
    app.run()
    assert not app.exception
    return {str(button.key) for button in app.button}


def test_cells_can_be_read_by_a_model_where_one_is_configured(home: Path) -> None:
    with Workbench.open(settings=Settings(home=home, llm=LlmSettings(base_url=NOWHERE))) as bench:
        assert {"read-fields", "read-by-model"} <= drawn(bench)


def test_without_a_model_nothing_offers_it(home: Path) -> None:
    with Workbench.open(settings=Settings(home=home)) as bench:
        keys = drawn(bench)

    assert "read-fields" in keys
    assert "read-by-model" not in keys
