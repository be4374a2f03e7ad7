from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from core.cli.main import groundwork
from core.config.models import Settings
from core.store.store import Records
from tests.support.contradicting import bills


def invoke(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(
        groundwork, ["contradictions", *arguments, "--home", str(home)], standalone_mode=False
    )


def test_contradictions_are_listed_side_by_side_and_written_to_a_file(tmp_path: Path) -> None:
    with Records.open(Settings(home=tmp_path / "home")) as records:
        bills(records)
    shown = invoke(tmp_path / "home", "--bucket", "bills")
    given = json.loads(invoke(tmp_path / "home", "--json", "--state", "open", "--field", "total").stdout)
    invoke(tmp_path / "home", "--out", str(tmp_path / "found.csv"))

    assert "USD 10" in shown.stdout
    assert "USD 12" in shown.stdout
    assert "1 contradiction: 1 open, 0 possible, 0 resolved." in shown.stderr
    assert [side["value"] for side in given["contradictions"][0]["sides"]] == ["10", "12"]
    assert (tmp_path / "found.csv").read_text("utf-8-sig").count("\n") == 3
    assert (
        json.loads(invoke(tmp_path / "home", "--json", "--state", "resolved").stdout)["contradictions"] == []
    )
