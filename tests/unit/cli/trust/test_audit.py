from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from core.cli.main import groundwork
from core.errors import UsageError
from core.store.store_file import RECORDS_FILE


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    run(home, "accounts", "add", "root", "--role", "admin")
    run(home, "accounts", "add", "ann", "--as", "root")
    run(home, "accounts", "disable", "ann", "--as", "root")
    return home


def run(home: Path, *arguments: str, code: int = 0) -> dict[str, Any]:
    result = CliRunner().invoke(
        groundwork, [*arguments, "--home", str(home), "--json"], standalone_mode=False
    )
    if result.exception is not None:
        raise result.exception
    assert (result.return_value or 0) == code
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_entries_are_listed_by_who_what_and_when(home: Path) -> None:
    listed = run(home, "audit", "list")
    assert [row["deed"] for row in listed["entries"]] == ["account.disable", "account.add", "account.add"]
    assert (listed["entries"][0]["account"], listed["entries"][0]["origin"]) == ("root", "cli")
    assert run(home, "audit", "list", "--account", "root", "--limit", "1")["total"] == 2
    assert run(home, "audit", "list", "--deed", "account.", "--subject", "ann")["total"] == 2
    assert run(home, "audit", "list", "--since", "2999-01-01")["total"] == 0
    with pytest.raises(UsageError, match="no day"):
        run(home, "audit", "list", "--until", "tomorrow")


def test_a_row_that_was_edited_in_the_database_is_named(home: Path) -> None:
    assert run(home, "audit", "verify")["ok"]
    with sqlite3.connect(home / RECORDS_FILE) as connection:
        connection.execute("UPDATE audit_entries SET account = 'nobody' WHERE sequence = 2")

    report = run(home, "audit", "verify", code=1)

    assert (report["ok"], report["broken"]["sequence"], report["broken"]["fault"]) == (False, 2, "changed")


def test_a_copy_of_the_head_shows_that_the_end_was_cut_off(home: Path, tmp_path: Path) -> None:
    head = run(home, "audit", "head")
    assert head["sequence"] == 3
    copy = tmp_path / "heads.jsonl"
    copy.write_text((home / "audit" / "heads.jsonl").read_text())
    with sqlite3.connect(home / RECORDS_FILE) as connection:
        connection.execute("DELETE FROM audit_entries WHERE sequence = 3")
        connection.execute(
            "UPDATE audit_head SET sequence = 2, hash = (SELECT hash FROM audit_entries WHERE sequence = 2)"
        )

    report = run(home, "audit", "verify", "--heads", str(copy), code=1)

    assert (report["broken"]["sequence"], report["broken"]["fault"]) == (3, "head")


def test_entries_are_exported_and_redacted(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "audit.zip"
    assert run(home, "audit", "export", "--out", str(out))["entries"] == 3
    assert out.is_file()
    assert run(home, "audit", "redact", "2", "--reason", "asked to")["redacted"] == 1
    assert run(home, "audit", "verify")["ok"]
    row = next(row for row in run(home, "audit", "list")["entries"] if row["sequence"] == 2)
    assert (row["account"], row["redacted"]) == (None, True)


def test_people_get_tables_and_sentences(home: Path) -> None:
    for arguments in (("list", "--limit", "1"), ("verify",), ("head",), ("redact", "1", "--reason", "x")):
        result = CliRunner().invoke(
            groundwork, ["audit", *arguments, "--home", str(home)], standalone_mode=False
        )
        assert result.exception is None
        assert result.output
