from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.examples import IS_FULL

ROOT = Path(__file__).parents[3]
OURS = ("app", "bench", "core", "crawler", "samples", "tests")
FILES = sorted((ROOT / "bench").rglob("*.py"))


def test_every_bench_finds_what_it_imports() -> None:
    """Of ours also what it imports only as it runs."""
    missing = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in FILES
        for module, names in imports(ast.parse(path.read_text("utf-8")))
        for name in sought(module, names)
    ]
    missing += [
        f"{path.relative_to(ROOT)}: {module}"
        for path in FILES
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for module, _ in imports(node)
        if not is_ours(module) and find_spec(module.partition(".")[0]) is None
    ]

    assert missing == []


@pytest.mark.skipif(not IS_FULL, reason="imports torch, Streamlit and the rest: half a minute")
def test_every_bench_is_imported() -> None:
    paths = [path.relative_to(ROOT).with_suffix("") for path in FILES]
    names = sorted(".".join(path.parts) for path in paths if path.name != "__init__")

    # In a process of its own: some choose the number of threads before they import numpy.
    ended = subprocess.run(
        [sys.executable, "-c", f"import {', '.join(names)}"], cwd=ROOT, capture_output=True, text=True
    )

    assert ended.returncode == 0, ended.stderr


def is_ours(module: str) -> bool:
    return module.partition(".")[0] in OURS


def imports(tree: ast.AST) -> Iterator[tuple[str, list[str]]]:
    """Modules that a file imports, with the names that it takes of each."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((each.name, []) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield node.module or "", [each.name for each in node.names]


def sought(module: str, names: list[str]) -> Iterator[str]:
    """What of an import of ours is not there."""
    if not is_ours(module):
        return
    if (bound := bound_in(module)) is None:
        yield module
        return
    yield from (f"{module}.{name}" for name in names if name not in bound and not file_of(f"{module}.{name}"))


@cache
def bound_in(module: str) -> frozenset[str] | None:
    """Names that one of our modules binds at its top, also under a condition; None where it is not there."""
    path = file_of(module)
    if path is None:
        return None
    found: set[str] = set()
    if path.is_dir():
        return frozenset()
    nodes: list[ast.AST] = list(ast.parse(path.read_text("utf-8")).body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        nodes += ast.iter_child_nodes(node)
    return frozenset(found)


def file_of(module: str) -> Path | None:
    """The file of one of our modules; a folder without one is a package too."""
    path = ROOT.joinpath(*module.split("."))
    candidates = (path.with_suffix(".py"), path / "__init__.py", path)
    return next((each for each in candidates if each.exists()), None)
