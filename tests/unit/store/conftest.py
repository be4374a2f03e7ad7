"""Every test that asks for `settings` or `records` runs on SQLite, and with `-m live` on Postgres too.

`tests.support.databases.on_sqlite` marks what is about SQLite's file itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from core.config.models import RecordsSettings, Settings
from core.store.store import Records

_DATABASES = ["sqlite", pytest.param("postgres", marks=pytest.mark.live)]


@pytest.fixture(params=_DATABASES)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return _settings(request, tmp_path, "records_url")


@pytest.fixture(params=_DATABASES)
def untouched(request: pytest.FixtureRequest, tmp_path: Path, real_tables: None) -> Settings:
    """A home whose tables nobody has made yet."""
    return _settings(request, tmp_path, "postgres_url")


def _settings(request: pytest.FixtureRequest, home: Path, database: str) -> Settings:
    url = request.getfixturevalue(database) if request.param == "postgres" else ""
    return Settings(
        home=home / "home", records=RecordsSettings(url=SecretStr(url), busy_timeout_s=20, pool_size=4)
    )


@pytest.fixture
def records(settings: Settings) -> Iterator[Records]:
    with Records.open(settings) as opened:
        yield opened
