"""`groundwork experiments`, over a home and a variant that needs no vectors of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from core.cli.main import groundwork
from tests.support.variants import opened_home


def run(home: Path, *arguments: str) -> Any:
    found = CliRunner().invoke(groundwork, ["experiments", *arguments, "--json", "--home", str(home)])
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


def test_a_variant_is_built_compared_switched_to_rolled_back_and_removed(tmp_path: Path) -> None:
    with opened_home(tmp_path) as bench:
        bench.ask("What is the monthly rent?", offline=True)
    home = tmp_path / "home"
    made = run(home, "build", "words", "--set", "retrieval.alpha=0.2")["variant"]
    assert (made["status"], made["settings"]) == ("ready", {"retrieval.alpha": "0.2"})
    assert run(home, "compare", "words")["questions"] == 1
    assert run(home, "switch", "words")["variant"]["name"] == "words"
    assert [each["status"] for each in run(home, "list")["variants"]] == ["ready", "live"]
    assert run(home, "rollback")["variant"]["name"] == "home"
    assert run(home, "remove", "words") == {"schema": 1, "removed": "words"}
    wrong = CliRunner().invoke(groundwork, ["experiments", "build", "x", "--set", "y", "--home", str(home)])
    assert "no setting" in str(wrong.exception)
