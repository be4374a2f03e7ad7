"""What `.ci/run` takes for granted about the tests."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MARK = re.compile(r"mark\.(live|browser|alone)\b")


def test_what_needs_a_browser_or_a_server_stands_where_the_gate_looks() -> None:
    [folders] = re.findall(r"^marked=\((.*)\)$", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE)
    marked = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").rglob("*.py")
        if MARK.search(path.read_text("utf-8"))
    ]

    assert len(marked) > 10
    assert [
        path for path in marked if not path.startswith(tuple(f"{each}/" for each in folders.split()))
    ] == []
    assert [each for each in folders.split() if not (ROOT / each).is_dir()] == []
