from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.crawling import CrawlHome


@pytest.fixture
def make_home(tmp_path: Path) -> Iterator[Callable[..., CrawlHome]]:
    made: list[CrawlHome] = []

    def make(base: str, **more: object) -> CrawlHome:
        made.append(CrawlHome.make(tmp_path / f"home{len(made)}", base, **more))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for home in made:
        home.close()
