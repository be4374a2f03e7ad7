"""The product may only shrink, and what reads questions most of all: lines, patterns, lists of words."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bench.size import PATTERN, growth, recorded

ROOT = Path(__file__).parents[2]
READING = ("core/plan/**/*.py", "core/ask/**/*.py", "core/search/classify.py")
RUNNING = ("core/plan/operators", "core/plan/run", "core/plan/ir/sql_tables.py")
LINES = 23_936
"""Lines of all modules that read questions. It may only shrink; 118 are the operation `connect` (0040), 386
questions over two tables and denials that a name has (0037)."""
PATTERNS = 56
"""Patterns that these compile. It may only shrink: what a question says is learnt from marked questions."""
WORD_LISTS = 52
"""Lists of words of the core. It may only shrink, for the same reason."""


def modules() -> list[str]:
    paths = [path for pattern in READING for path in ROOT.glob(pattern)]
    return [
        path.read_text("utf-8")
        for path in paths
        if not any(map(path.is_relative_to, map(ROOT.joinpath, RUNNING)))
    ]


def word_lists() -> list[str]:
    files = sorted((ROOT / "core/text/words").glob("*.toml"))
    return [f"{file.stem}.{name}" for file in files for name in tomllib.loads(file.read_text("utf-8"))]


@pytest.mark.parametrize(
    ("found", "most"),
    [
        (sum(len(text.splitlines()) for text in modules()), LINES),
        (sum(len(PATTERN.findall(text)) for text in modules()), PATTERNS),
        (len(word_lists()), WORD_LISTS),
    ],
    ids=("lines", "patterns", "lists of words"),
)
def test_what_reads_questions_only_shrinks(found: int, most: int) -> None:
    assert 0 < found <= most


def test_no_package_grows_unnamed() -> None:
    """docs/size.md is written by `python -m bench.size --write`, which refuses growth that nobody named."""
    assert dict(recorded())
    assert growth() == {}


def test_every_list_of_words_is_used() -> None:
    """No module names a list that nothing asks for."""
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "core").rglob("*.py"))
    assert [
        each for each in word_lists() if not any(f"{q}{each.partition('.')[2]}{q}" in code for q in "\"'")
    ] == []
