"""Statements of policy files: the text of each policy with its file, first line and id."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A string, a comment, or the end of a statement; what is within the first two ends nothing.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|;')
_ID = re.compile(r'@id\(\s*"((?:[^"\\]|\\.)*)"\s*\)')
_FIRST = re.compile(r"(?:\s|//[^\n]*)*")


@dataclass(frozen=True, slots=True)
class PolicyText:
    """One policy of a file. line: where it begins, from 1. id: of its `@id`, or "line N" without one."""

    file: str
    line: int
    id: str
    text: str

    @property
    def name(self) -> str:
        """By what decisions name it: `query.cedar:compliance`."""
        return f"{self.file}:{self.id}"

    @property
    def note(self) -> str:
        """The comment above it in one line; "" without one."""
        before = self.text[: self.text.find("@") if "@" in self.text else 0]
        return " ".join(line.strip().lstrip("/").strip() for line in before.splitlines()).strip()


def policy_texts(file: str, text: str) -> Iterator[PolicyText]:
    """The policies of a file in order, each with the comment above it; also one that never ends."""
    begin = 0
    ends = [match.end() for match in _TOKEN.finditer(text) if match[0] == ";"]
    for end in (*ends, len(text)):
        statement = text[begin:end]
        first = _FIRST.match(statement)
        skipped = first.end() if first is not None else 0
        if skipped < len(statement):
            line = text.count("\n", 0, begin + skipped) + 1
            found = _ID.search(statement)
            yield PolicyText(file, line, found[1] if found else f"line {line}", statement.strip())
        begin = end
