from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.workbench.facade import Workbench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(home=tmp_path / "home", verify_encoder=False) as opened:
        yield opened
