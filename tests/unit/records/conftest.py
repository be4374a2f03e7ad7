from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.models import RecordsSettings, Settings
from core.records.store import Records


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", records=RecordsSettings(busy_timeout_s=20))


@pytest.fixture
def records(settings: Settings) -> Iterator[Records]:
    with Records.open(settings) as opened:
        yield opened
