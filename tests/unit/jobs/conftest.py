"""Every test that asks for `records` runs on SQLite, and with `-m live` on Postgres too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from core.config.models import RecordsSettings, Settings
from core.store.store import Records


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.live)])
def records(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Records]:
    url = request.getfixturevalue("records_url") if request.param == "postgres" else ""
    with Records.open(Settings(home=tmp_path, records=RecordsSettings(url=SecretStr(url)))) as opened:
        yield opened
