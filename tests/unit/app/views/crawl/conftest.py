"""The page Crawl, driven by AppTest over a real home."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from core.config.load import load_settings
from core.store.store import Records
from core.workbench import Workbench
from tests.support.crawl_page import CrawlPage
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder

MAIN = str(Path(__file__).parents[5] / "app" / "main.py")


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    """The records of the home that the page shows."""
    parts = PartsWith(load_settings(tmp_path / "home"), HashedEncoder())
    services._warmed.set()
    with Workbench(parts) as bench:
        services.use(bench)
        yield parts.records
        services.close()


@pytest.fixture
def page(records: Records) -> CrawlPage:
    """The page, not drawn yet."""
    return CrawlPage(AppTest.from_file(MAIN, default_timeout=20), records)
