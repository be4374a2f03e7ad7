"""What doctor says of plug-ins."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from core import plugins
from core.cli.main import groundwork
from core.workbench.status import examine_plugins
from tests.support.little_distribution import SCHEMA, Install, of_parsers, parser


def test_a_schema_with_a_rule_that_nobody_knows_is_found_by_doctor(installed: Install) -> None:
    text = SCHEMA.replace('method = "key_value", keys = ["rent"]', 'method = "rule", rule = "astrology"')
    installed("acme-rules", {plugins.SCHEMAS: {"leases": "acme_rules"}}, {"acme_rules/leases.toml": text})

    others, left_out = examine_plugins()

    assert others == []
    assert "astrology" in left_out[0].reason


def test_doctor_names_what_is_left_out_and_ends_well(installed: Install, tmp_path: Path) -> None:
    installed("acme-note", of_parsers("acme_well"), {"acme_well.py": parser()})
    installed("acme-gone", {plugins.ENGINES: {"memory": "acme_never:ENGINE"}}, {})

    said = CliRunner().invoke(
        groundwork, ["doctor", "--home", str(tmp_path / "home"), "--json"], standalone_mode=False
    )

    [check] = [check for check in json.loads(said.stdout)["checks"] if check["name"] == "plug-ins"]
    assert said.return_value == 0
    assert check["detail"].startswith("1 beside our own (note of acme-note). 'memory' (groundwork.engines)")
    assert "uninstall 'acme-gone'" in check["next_step"]
