from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.models import Settings
from core.records.store import Records


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with Records.open(Settings(home=tmp_path)) as opened:
        yield opened
