"""A token counter without a model: a word or a mark is a token."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\w+|[^\w\s]")


class WordCounter:
    """A TokenCounter that counts words and punctuation marks."""

    def __init__(self, window: int = 254) -> None:
        self._window = window

    @property
    def window(self) -> int:
        return self._window

    def offsets(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in _TOKEN.finditer(text)]
