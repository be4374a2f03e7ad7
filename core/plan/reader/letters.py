"""Vectors of a text's letters, so that mistyped and cut words still resemble the right ones."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from core.domain.passage import Matrix
from core.encode.tokens import unit

SIZE = 384
_WORD = re.compile(r"\w+")


def abbreviates(short: str, word: str) -> bool:
    """True where a word of a header is a shorter form of a word: "Qty" of quantity, "Cust." of customer."""
    cut = short.casefold().rstrip(".")
    letters, own = [each for each in cut if each.isalpha()], word.casefold()
    if not 2 <= len(letters) < len(own) or letters[0] != own[:1]:
        return False
    if short.endswith(".") and own.startswith(cut):
        return True
    rest = iter(own)
    is_cut = short.endswith(".") or "'" in short or not set(letters[1:]) & set("aeiou")
    return is_cut and all(each in rest for each in letters)


def letter_vectors(texts: Sequence[str]) -> Matrix:
    """(len(texts), SIZE), unit norm: runs of three letters of each word, hashed; equal for equal words."""
    rows = np.zeros((len(texts), SIZE), dtype=np.float32)
    for number, text in enumerate(texts):
        for word in _WORD.findall(text.casefold()):
            for place, weight in _runs(word):
                rows[number, place] += weight
    return unit(rows)


@lru_cache(maxsize=20_000)
def _runs(word: str) -> tuple[tuple[int, float], ...]:
    padded = f"^{word}$"
    weight = 1.0 if len(word) > 3 else 0.35
    runs = [padded[at : at + 3] for at in range(max(1, len(padded) - 2))]
    return tuple((zlib.crc32(run.encode()) % SIZE, weight) for run in runs)
