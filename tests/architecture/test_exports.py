"""Whatever writes sheets guards them: a cell of a person's text is no formula."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
WRITERS = {"writer", "DictWriter", "to_csv", "WriteOnlyCell"}


def names(tree: ast.AST) -> set[str]:
    """Names of everything that a module calls."""
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in called}


def test_every_writer_of_sheets_guards_its_cells() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): names(ast.parse(path.read_text("utf-8")))
        for top in ("app", "core", "crawler")
        for path in (ROOT / top).rglob("*.py")
    }
    writers = {name for name, called in found.items() if called & WRITERS}
    assert "core/spreadsheet.py" in writers
    assert sorted(name for name in writers if "safe" not in found[name]) == []
