from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app import services
from core.workbench.facade import Workbench


@pytest.fixture
def open_home(tmp_path: Path) -> Iterator[Workbench]:
    """A new home that this process serves."""
    opened = Workbench.open(home=tmp_path / "home", verify_encoder=False)
    services.use(opened)
    services._warmed.set()
    yield opened
    services.close()
