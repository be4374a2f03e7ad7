"""Reads typed values out of sentences: what a hop needs, and only answers know how to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.domain.answer import Value


class ValueReader(Protocol):
    """Finds the values that a sentence states of the sort that a question asks for."""

    def __call__(self, question: str, sentence: str) -> Sequence[Value]:
        """Every such value; none where the sentence states none."""
        ...
