from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from core.workbench import Workbench
from tests.support.mapped import papers
from tests.support.row_files import SPEND, written


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


def data(test: AppTest, key: str) -> dict[str, Any]:
    found = (json.loads(each.proto.json)[0] for each in test.get("bidi_component") if each.proto.json)
    return next(each for each in found if key in each)


def test_a_home_of_datasets_alone_is_told_where_these_are_joined(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.views.map.page.draw_page_link", lambda *_given, **_to: None)  # no pages here
    assert "There are no documents yet" in drawn().info[0].value

    written(tmp_path, "spend.csv", SPEND)
    bench.local.datasets.register([tmp_path / "spend.csv"])

    said = drawn().info[0].value
    assert "no documents yet, only 1 dataset" in said
    assert "under Joins" in said


def test_the_address_opens_the_whole_map_a_node_or_what_is_found(bench: Workbench) -> None:
    papers(bench._parts.records)
    whole = data(drawn(), "nodes")
    node = drawn(node="party:delta freight")
    found = data(drawn(words="hx"), "rows")
    gone = drawn(node="party:nobody")

    assert {each["name"] for each in whole["nodes"]} >= {"ACME Widgets Ltd", "HX-900", "PO-77123"}
    assert {each["id"] for each in data(node, "nodes")["nodes"]} > {"party:delta freight"}
    assert any("names Delta Freight GmbH" in each.value for each in node.markdown)
    assert any("/documents?document=" in each.value for each in node.markdown)
    assert [each["cells"]["name"] for each in found["rows"]] == ["HX-900"]
    assert "not on this map" in gone.warning[0].value
