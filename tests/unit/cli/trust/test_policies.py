from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from core.cli.main import groundwork
from core.cli.output import FAILED, REFUSED
from core.errors import PolicyFileError


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def run(home: Path, *arguments: str) -> Result:
    result = CliRunner().invoke(
        groundwork, ["policies", *arguments, "--home", str(home)], standalone_mode=False
    )
    if result.exception is not None:
        raise result.exception
    return result


def as_json(home: Path, *arguments: str) -> Any:
    return json.loads(run(home, *arguments, "--json").stdout)


def test_policies_are_listed_with_their_files_and_what_they_are_about(home: Path) -> None:
    found = as_json(home, "list")

    assert {each["id"] for each in found["policies"]} >= {"may_query", "compliance", "financial_aggregates"}
    assert not any(each["own"] for each in found["files"])
    assert "Sums, averages and extremes" in run(home, "list").stdout


def test_the_rights_of_roles_are_a_table(home: Path) -> None:
    rights = as_json(home, "list", "--role", "contract_read")["rights"]
    assert [(each["action"], each["allowed"]) for each in rights][:2] == [("query", True), ("query", False)]

    said = run(home, "list", "--role", "contract_read").stdout
    assert "ask where it computes over amounts of money" in said
    assert "finance_read" in said


def test_a_question_is_explained_by_its_plan(home: Path) -> None:
    question = "Which contracts lack audit rights?"
    found = as_json(home, "explain", question, "--role", "contract_read")
    assert (found["allowed"], found["traits"], found["lacking"]) == (
        False,
        ["compliance"],
        ["compliance_officer"],
    )

    refused = run(home, "explain", question, "--role", "contract_read")
    assert refused.return_value == REFUSED
    assert "Refused by query.cedar:compliance. The role 'compliance_officer' is lacking." in refused.stdout
    assert run(home, "explain", question).return_value == 0  # as the local admin


def test_the_cases_find_a_policy_that_decides_otherwise(home: Path) -> None:
    assert run(home, "test").return_value == 0
    written = as_json(home, "copy")["files"]
    assert str(home / "policies" / "cases.toml") in written

    (home / "policies" / "review.cedar").write_text("// nobody reviews")
    result = run(home, "test")
    assert result.return_value == FAILED
    assert "WRONG  reviewers resolve flags: refused" in result.stdout


def test_a_broken_file_is_named_with_its_line(home: Path) -> None:
    run(home, "copy")
    (home / "policies" / "query.cedar").write_text("// fine\n\npermit (principal, action;\n")

    for command in (("list",), ("test",)):
        with pytest.raises(PolicyFileError, match=r"query\.cedar, line 3"):
            run(home, *command)
