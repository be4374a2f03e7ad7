from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from core.workbench import Workbench
from tests.support.contradicting import bills


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(home=tmp_path / "home") as workbench:
        bills(workbench._parts.records)
        services.use(workbench)
        yield workbench
        services.close()


def draw() -> None:
    from app import services as here
    from app.views.matrix.contradictions import draw_contradictions

    draw_contradictions("bills", here.session().matrix.columns("bills", None))


def said(**address: str) -> list[str]:
    test = AppTest.from_function(draw)
    for name, value in address.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    return [each.value for each in test.markdown]


def test_filters_of_the_address_choose_what_is_counted(bench: Workbench) -> None:
    assert "**1 contradiction** of 1" in said()
    assert "**0 contradictions** of 1" in said(state="resolved")
    assert "**0 contradictions** of 1" in said(words="nobody")
    assert "**1 contradiction** of 1" in said(about="total", sort_of="documents")
