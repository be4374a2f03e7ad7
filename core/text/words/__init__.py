"""Lists of English words that several rooms need: one file a kind of word, read when first asked for."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


def word_set(words: str) -> frozenset[str]:
    """The words of a text, as they are written."""
    return frozenset(words.split())


@cache
def word_list(kind: str, *names: str) -> frozenset[str]:
    """The words of some lists of one kind, together: `word_list("naming", "forms", "endings")`.

    Raises KeyError for a list that its file does not have.
    """
    lists = _lists(kind)
    return frozenset(word for name in names for word in lists[name].split())


@cache
def word_lines(kind: str, name: str) -> tuple[tuple[str, ...], ...]:
    """The words of a list line by line, where a line is a group. Raises KeyError as `word_list` does."""
    return tuple(tuple(line.split()) for line in _lists(kind)[name].splitlines() if line.strip())


@cache
def word_groups(kind: str, name: str) -> dict[str, frozenset[str]]:
    """The same groups, by their first word."""
    return {line[0]: frozenset(line) for line in word_lines(kind, name)}


@cache
def _lists(kind: str) -> dict[str, str]:
    return tomllib.loads((Path(__file__).parent / f"{kind}.toml").read_text(encoding="utf-8"))


def table(module: str, name: str) -> dict[str, Any]:
    """The TOML table of that name beside a module (its `__file__`)."""
    found: dict[str, Any] = tomllib.loads((Path(module).parent / f"{name}.toml").read_text("utf-8"))
    return found
