"""Words of a question, and which tokens of an encoder belong to which."""

from __future__ import annotations

import re

import numpy as np

from core.encode.tokens import Integers

_WORD = re.compile(
    r"w/o\b"
    r"|\d[\d.,]*\d(?!\w)"
    r"|\w+(?:(?:[.\-&]|['’](?!s\b))\w+)*"
    r"|['’]s\b"
    r"|\S",
    re.IGNORECASE,
)


def question_words(text: str) -> list[tuple[int, int]]:
    """The words of a text as character spans, in order; a possessive "'s" and each sign are words, too."""
    return [match.span() for match in _WORD.finditer(text)]


def word_of_tokens(starts: Integers, ends: Integers, words: list[tuple[int, int]]) -> Integers:
    """For each token the number of the word in which it begins; -1 for a token outside of all words."""
    edges = np.asarray(words, dtype=np.int64).reshape(-1, 2)
    found = np.searchsorted(edges[:, 1], starts, side="right")
    inside = found < len(edges)
    safe = np.minimum(found, max(0, len(edges) - 1))
    inside &= (edges[safe, 0] < np.maximum(ends, starts + 1)) if len(edges) else False
    return np.where(inside, found, -1).astype(np.int64)
