"""Tests of operators run on SQLite, and with `-m live` on Postgres too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from core.config.models import RecordsSettings, Settings
from core.store.store import Records
from tests.support.operating import Desk


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.live)])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    url = request.getfixturevalue("records_url") if request.param == "postgres" else ""
    settings = Settings(home=tmp_path / "home", records=RecordsSettings(url=SecretStr(url)))
    with Records.open(settings) as records:
        yield Desk(records)
