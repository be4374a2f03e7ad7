"""What `.ci/run` takes for granted about the tests."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MARK = re.compile(r"mark\.(live|browser|alone)\b")


def test_what_needs_a_browser_or_a_server_stands_where_the_gate_looks() -> None:
    folders = _named("marked")
    marked = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").rglob("*.py")
        if MARK.search(path.read_text("utf-8"))
    ]

    assert len(marked) > 10
    assert [path for path in marked if not path.startswith(tuple(f"{each}/" for each in folders))] == []
    assert [each for each in folders if not (ROOT / each).is_dir()] == []


def test_what_runs_on_postgres_only_after_a_change_is_part_of_what_else_runs() -> None:
    databases = _named("databases")

    assert databases
    assert set(databases) < set(_named("marked"))


def _named(array: str) -> list[str]:
    """The folders of an array of the gate."""
    [folders] = re.findall(rf"^{array}=\((.*)\)$", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE)
    return str(folders).split()
