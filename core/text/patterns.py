"""Patterns that are compiled once they are used: half of them are not while a question is answered."""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


class _Late:
    def __init__(self, text: str, flags: int) -> None:
        self._made = text, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._made)
        vars(self).update({each: getattr(compiled, each) for each in _METHODS})
        return getattr(compiled, name)


def late_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern, compiled at its first use; all those of a command take .2 s."""
    return cast("re.Pattern[str]", _Late(text, flags))


def any_case(*patterns: str) -> re.Pattern[str]:
    """A pattern for any of some, in small and in large letters alike."""
    return late_pattern("|".join(patterns), re.IGNORECASE)


def is_within(words: str, text: str) -> bool:
    """True where words stand in a text, not in the middle of a number: 14 is not in 114."""
    before, after = "(?<!\\d)" if words[:1].isdigit() else "", "(?!\\d)" if words[-1:].isdigit() else ""
    return re.search(f"{before}{re.escape(words)}{after}", text) is not None
