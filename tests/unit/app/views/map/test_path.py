from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from core.workbench import Workbench
from tests.support.mapped import papers


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(home=tmp_path / "home") as workbench:
        services.use(workbench)
        yield workbench
        services.close()


@pytest.fixture(autouse=True)
def wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is shown before the map is there, however busy the machine is."""
    monkeypatch.setattr("app.views.map.page._WAIT_S", 30)


def draw() -> None:
    from app.views.map.page import page

    page()


def drawn(**address: str) -> AppTest:
    test = AppTest.from_function(draw, default_timeout=20)
    for name, value in address.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    return test


def test_ways_are_said_step_by_step_or_why_there_are_none(bench: Workbench) -> None:
    papers(bench._parts.records)
    ways = drawn(**{"from": "ACME Widgets", "to": "Beta"})
    none = drawn(**{"from": "ACME Widgets", "to": "HX-900", "kind": "product"})
    same = drawn(**{"from": "Beta", "to": "Beta Foods Inc."})

    assert any(
        "way** from ACME Widgets Ltd to Beta Foods Inc" in each.value.replace("ways", "way")
        for each in ways.markdown
    )
    assert any("Nothing on the map is called" in each.value for each in none.error)
    assert "Both names mean" in same.info[0].value
