"""The citation marks of an answer, read back from its Markdown."""

from __future__ import annotations

import re

_MARK = re.compile(r"(?<!\\)\[(\d+)\]")


def cited_numbers(markdown: str) -> set[int]:
    """The numbers of all citation marks that are not escaped."""
    return {int(number) for number in _MARK.findall(markdown)}
