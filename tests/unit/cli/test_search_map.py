from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.cli.main import groundwork
from core.config.models import Settings
from core.errors import UsageError
from core.store.store import Records
from tests.support.mapped import papers


def invoke(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(groundwork, ["map", *arguments, "--home", str(home)], standalone_mode=False)


def test_the_map_is_shown_walked_and_written(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Records.open(Settings(home=home)) as records:
        papers(records)
    given = json.loads(invoke(home, "--from", "ACME Widgets", "--to", "Beta", "--json").stdout)
    whole = json.loads(invoke(home, "--json", "--kind", "product").stdout)
    way = invoke(home, "--from", "ACME Widgets", "--to", "Beta")
    around = invoke(home, "--from", "HX-900")
    invoke(home, "--out", str(tmp_path / "map.graphml"))

    assert given["schema"] == 1
    assert given["from"]["name"] == "ACME Widgets Ltd"
    assert given["paths"][0]["edges"][0]["places"][0]["quote"] == "ACME Widgets Ltd"
    assert {each["kind"] for each in whole["nodes"]} == {"product", "document"}
    assert "names Delta Freight GmbH" in way.stdout
    assert "states Model: HX-900" in around.stdout
    assert "nodes," in invoke(home).stderr
    assert (tmp_path / "map.graphml").read_text().startswith("<graphml")
    with pytest.raises(UsageError, match="--from"):
        raise invoke(home, "--to", "Beta").exception or AssertionError
