from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from core.cli.main import groundwork
from core.errors import NotFoundError, RefusedError, UsageError


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def run(home: Path, *arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(
        groundwork, [*arguments, "--home", str(home), "--json"], standalone_mode=False
    )
    if result.exception is not None:
        raise result.exception
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_accounts_are_added_changed_disabled_and_removed(home: Path) -> None:
    with pytest.raises(UsageError, match="no admin left"):
        run(home, "accounts", "add", "ann", "--role", "analyst")
    root = run(home, "accounts", "add", "root", "--role", "admin")
    assert root["password"]
    ann = run(home, "accounts", "add", "ann", "--role", "analyst", "--group", "legal", "--display", "Ann Lee")
    assert (ann["roles"], ann["groups"], ann["must_change_password"]) == (["analyst"], ["legal"], True)

    assert run(home, "accounts", "change", "ann", "--role", "reviewer")["roles"] == ["reviewer"]
    assert run(home, "accounts", "change", "ann", "--no-roles", "--no-groups")["groups"] == []
    assert run(home, "accounts", "reset-password", "ann")["password"]
    assert run(home, "accounts", "disable", "ann")["disabled"]
    with pytest.raises(UsageError, match="disabled"):
        run(home, "documents", "list", "--as", "ann")
    assert not run(home, "accounts", "enable", "ann")["disabled"]
    assert [row["name"] for row in run(home, "accounts", "list")["accounts"]] == ["ann", "root"]
    assert run(home, "accounts", "remove", "ann")["removed"] == "ann"
    with pytest.raises(NotFoundError):
        run(home, "accounts", "disable", "ann")


def test_groups_are_set_listed_and_removed(home: Path) -> None:
    run(home, "accounts", "add", "root", "--role", "admin", "--group", "finance")
    group = run(home, "accounts", "set-group", "finance", "--role", "finance_read", "--note", "Money")

    assert (group["roles"], group["members"], group["note"]) == (["finance_read"], ["root"], "Money")
    assert run(home, "accounts", "groups")["groups"][0]["name"] == "finance"
    assert run(home, "accounts", "set-group", "finance", "--no-roles")["roles"] == []
    run(home, "accounts", "remove-group", "finance")
    assert run(home, "accounts", "groups")["groups"] == []


def test_an_account_acts_with_its_roles_on_the_command_line(home: Path) -> None:
    run(home, "accounts", "add", "root", "--role", "admin")
    run(home, "accounts", "add", "ann")

    assert len(run(home, "accounts", "list", "--as", "root")["accounts"]) == 2
    with pytest.raises(RefusedError):
        run(home, "accounts", "list", "--as", "ann")


def test_a_token_is_shown_once_and_revoked(home: Path) -> None:
    run(home, "accounts", "add", "root", "--role", "admin")
    made = run(home, "tokens", "add", "nightly", "--account", "root", "--scope", "read", "--days", "3")
    assert made["token"].startswith("gwk_")

    [listed] = run(home, "tokens", "list")["tokens"]
    assert (listed["id"], listed["state"], listed["scopes"]) == (made["id"], "active", ["read"])
    assert made["token"] not in str(listed)
    run(home, "tokens", "revoke", made["id"])
    assert run(home, "tokens", "list")["tokens"][0]["state"] == "revoked"


def test_people_get_tables(home: Path) -> None:
    for arguments in (
        ("accounts", "add", "root", "--role", "admin"),
        ("accounts", "list"),
        ("accounts", "set-group", "g"),
        ("accounts", "groups"),
        ("tokens", "add", "x", "--account", "root", "--scope", "ask"),
        ("tokens", "list"),
        ("accounts", "reset-password", "root"),
    ):
        result = CliRunner().invoke(groundwork, [*arguments, "--home", str(home)], standalone_mode=False)
        assert result.exception is None
        assert result.output


def test_an_address_that_others_reach_is_served_to_accounts_alone(home: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    refused = CliRunner().invoke(
        groundwork, ["up", "--host", "0.0.0.0", "--port", port, "--home", str(home)], standalone_mode=False
    )
    assert isinstance(refused.exception, UsageError)
    assert "would be admin here" in refused.exception.message
    assert "groundwork accounts add" in refused.exception.next_step
