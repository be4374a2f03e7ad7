"""`matrix read`: the cost, the reading, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.cli.main import groundwork
from core.errors import UsageError
from tests.support.filled_matrix import fill
from tests.support.reading_cells import audits, reading
from tests.support.scripted_llm import ScriptedLlm
from tests.support.serve_model_cells import contracts


@pytest.fixture
def home(tmp_path: Path) -> Path:
    fill(tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedLlm]:
    with ScriptedLlm(reading(audits)) as server:
        monkeypatch.setenv("GROUNDWORK_LLM__BASE_URL", server.url)
        monkeypatch.setenv("GROUNDWORK_LLM__TOKENS_PER_MINUTE", "0")
        yield server


def invoke(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(groundwork, [*arguments, "--home", str(home)], standalone_mode=False)


def test_an_estimate_sends_nothing_and_a_reading_says_what_came_of_it(
    home: Path, scripted: ScriptedLlm
) -> None:
    bucket = ("matrix", "read", "--bucket", "contracts")
    estimate = json.loads(invoke(home, *bucket, "--field", "audit_rights", "--estimate", "--json").stdout)
    sent = len(scripted.requests)
    done = json.loads(invoke(home, *bucket, "--json").stdout)
    again = invoke(home, *bucket)

    assert (estimate["schema"], estimate["cells"], estimate["calls"], sent) == (1, 9, 9, 0)
    assert estimate["cost_usd"] is None
    assert (done["asked"], done["present"], done["read"]) == (11, 9, 11)
    assert done["job"]["state"] == "done"
    assert again.return_value == 0
    assert "No uncertain cell waits" in again.stderr


def test_the_matrix_itself_is_shown_as_before(home: Path) -> None:
    shown = json.loads(invoke(home, "matrix", "--bucket", "contracts", "--json").stdout)

    assert len(shown["documents"]) == 10


def test_without_a_model_it_is_wrong_usage(home: Path) -> None:
    found = invoke(home, "matrix", "read", "--bucket", "contracts")

    assert isinstance(found.exception, UsageError)


def test_contradictions_are_listed_with_both_quotes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedLlm(reading(contracts)) as server:
        monkeypatch.setenv("GROUNDWORK_LLM__BASE_URL", server.url)
        monkeypatch.setenv("GROUNDWORK_LLM__TOKENS_PER_MINUTE", "0")
        invoke(home, "matrix", "read", "--bucket", "contracts", "--field", "parties", "--all")

    [found] = json.loads(invoke(home, "matrix", "contradictions", "--json").stdout)["contradictions"]
    shown = invoke(home, "matrix", "contradictions", "--field", "parties").stdout
    assert (found["title"], found["field"]) == ("Acme agreement", "parties")
    assert (found["extraction"]["value"], found["model"]["value"]) == (
        ["Acme Corporation"],
        ["Nordwind GmbH"],
    )
    assert found["model"]["spans"][0]["quote"] == "Nordwind GmbH"
    assert "Nordwind GmbH" in shown
    assert (
        json.loads(
            invoke(
                home,
                "matrix",
                "contradictions",
                "--bucket",
                "contracts",
                "--field",
                "governing_law",
                "--json",
            ).stdout
        )["contradictions"]
        == []
    )
