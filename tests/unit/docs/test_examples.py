"""The examples of the documentation run, in the order in which they stand, in a home of their own.

A block ```python is run; one with a name behind its language (```python acme_vtt.py) is a file of the next
```toml pyproject.toml, whose entry points are installed with it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core import plugins
from tests.support.little_distribution import install

DOCS = Path(__file__).parents[3] / "docs"
PROJECT = "pyproject.toml"
MOST_LINES = 20
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block. name: of the file that it is; "" for none."""

    language: str
    name: str
    text: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    text = (DOCS / page).read_text("utf-8")
    for match in BLOCK.finditer(text):
        yield Block(match[1], match[2] or "", match[3], text.count("\n", 0, match.start(3)) + 1)


@pytest.mark.parametrize("page", ["extending.md", "tutorial.md"])
def test_the_examples_of_a_page_run_in_order(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWORK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GROUNDWORK_INDEX__ENGINE", "embedded")  # examples change it; put back as it was
    monkeypatch.chdir(tmp_path)
    files: dict[str, str] = {}
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.name == PROJECT:
            project = tomllib.loads(block.text)["project"]
            install(tmp_path, project["name"], project["entry-points"], files, monkeypatch)
            files = {}
        elif block.name:
            files[block.name] = block.text
        elif block.language == "python":
            code = compile("\n" * (block.line - 1) + block.text, str(DOCS / page), "exec")
            exec(code, names)
            assert plugins.registry().left_out() == []
    assert files == {}, "a file that no pyproject.toml takes"


def test_each_seam_has_an_example_of_at_most_twenty_lines() -> None:
    groups = set()
    sizes = {}
    for block in blocks("extending.md"):
        if block.name == PROJECT:
            groups |= set(tomllib.loads(block.text)["project"]["entry-points"])
        sizes[f"{block.name}:{block.line}"] = sum(bool(line.strip()) for line in block.text.splitlines())

    assert groups == set(plugins.GROUPS)
    assert {name: size for name, size in sizes.items() if size > MOST_LINES} == {}
