from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from core.cli.main import groundwork
from core.config.models import Settings
from core.errors import NotFoundError, RefusedError, UsageError
from core.store.store import Records
from tests.support.versions import new_version
from tests.unit.cli.trust.test_accounts import run


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with Records.open(Settings(home=tmp_path / "home")) as records:
        for name in ("a", "b"):
            records.documents.publish(new_version(name, passages=0))
    run(tmp_path / "home", "accounts", "add", "root", "--role", "admin")
    run(tmp_path / "home", "accounts", "add", "ann", "--group", "legal")
    run(tmp_path / "home", "accounts", "add", "bob", "--group", "board")
    return tmp_path / "home"


def test_access_is_set_shown_and_taken_back(home: Path) -> None:
    assert run(home, "access", "set", "--bucket", "b", "--group", "legal")["changed"] == 2
    first = run(home, "access", "what-can-see", "ann")["documents"][0]["id"]
    assert run(home, "access", "what-can-see", "bob")["total"] == 0
    assert run(home, "access", "set", "--document", first, "--user", "bob")["changed"] == 1

    shown = run(home, "access", "show")
    assert [(each["acl"], each["documents"], each["following"]) for each in shown["buckets"]] == [
        (["legal"], 2, 1)
    ]
    assert [(each["id"], each["own"]) for each in shown["documents"]] == [(first, ["user:bob"])]
    assert run(home, "access", "show", "--document", first)["documents"][0]["acl"] == ["user:bob"]
    assert run(home, "access", "show", "--bucket", "b")["documents"] == []

    assert run(home, "access", "set", "--document", first, "--as-bucket")["changed"] == 1
    assert run(home, "access", "set", "--bucket", "b", "--admins")["changed"] == 2
    assert run(home, "access", "what-can-see", "ann")["total"] == 0
    assert run(home, "access", "set", "--bucket", "b", "--everybody")["changed"] == 2
    assert run(home, "access", "what-can-see", "bob", "--limit", "1")["buckets"] == {"b": 2}


def test_what_would_change_is_said_and_nothing_is_changed(home: Path) -> None:
    sight = run(home, "access", "set", "--bucket", "b", "--group", "legal", "--for", "bob")
    assert (sight["before"], sight["after"], sight["lost"], len(sight["some_lost"])) == (2, 0, 2, 2)
    assert run(home, "access", "what-can-see", "bob")["total"] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["--group", "legal"],
        ["--bucket", "b"],
        ["--bucket", "b", "--document", "d", "--group", "legal"],
        ["--bucket", "b", "--group", "legal", "--everybody"],
        ["--bucket", "b", "--group", "nobody"],
        ["--bucket", "b", "--as-bucket"],
    ],
)
def test_what_cannot_be_meant_is_refused(home: Path, arguments: list[str]) -> None:
    with pytest.raises(UsageError):
        run(home, "access", "set", *arguments)


def test_others_than_admins_see_no_access_and_unknown_names_are_told(home: Path) -> None:
    with pytest.raises(RefusedError):
        run(home, "access", "show", "--as", "ann")
    with pytest.raises(RefusedError):
        run(home, "access", "set", "--bucket", "b", "--everybody", "--as", "ann")
    with pytest.raises(NotFoundError):
        run(home, "access", "show", "--bucket", "x")
    with pytest.raises(UsageError, match="Unknown user"):
        run(home, "access", "what-can-see", "eve")


def test_people_read_tables_and_sentences(home: Path) -> None:
    def said(*arguments: str) -> str:
        result = CliRunner().invoke(groundwork, [*arguments, "--home", str(home)], standalone_mode=False)
        assert result.exception is None
        return result.output

    assert "2 documents changed access" in said("access", "set", "--bucket", "b", "--group", "legal")
    assert "the group legal" in said("access", "show")
    assert "would see 2: 2 more, 0 fewer" in said(
        "access", "set", "--bucket", "b", "--everybody", "--for", "bob"
    )
    assert "bob sees 0 documents" in said("access", "what-can-see", "bob")
