"""Abbreviations in headers: words of a question that a short header may stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_VOWELS = frozenset("aeiou")
_PART = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_SHORTEST_BEGINNING = 3
_LONGEST = 6


@lru_cache(maxsize=16_384)
def abbreviates(short: str, word: str) -> bool:
    """True where a short form may stand for a word: "reg" for registration, "pkgd" for packaged.

    It is the beginning of the word, or its consonants in order; both in small letters.
    """
    begin, mark, end = short.partition("'")
    if mark and begin and end:
        return len(word) > len(begin) + len(end) and word.startswith(begin) and word.endswith(end)
    if not 2 <= len(short) <= _LONGEST or len(word) < len(short) + 2 or short[0] != word[0]:
        return False
    if len(short) >= _SHORTEST_BEGINNING and word.startswith(short):
        return True
    if set(short[1:]) & _VOWELS or not _is_within(short, word):
        return False
    ends_alike = short[-1] == word.rstrip("e")[-1:]
    return ends_alike or len(short) >= _SHORTEST_BEGINNING


def _is_within(short: str, word: str) -> bool:
    signs = iter(word)
    return all(sign in signs for sign in short)


def short_forms(header: str) -> tuple[str, ...]:
    """The parts of a header that may be short for something, in small letters; none of brackets."""
    bare = re.sub(r"[(\[][^)\]]*[)\]]", " ", header)
    return tuple(part.casefold() for part in _PART.findall(bare))


def are_initials(header: str, words: Sequence[str]) -> bool:
    """True where a header of capitals has the first letters of several words: "OG" of original gravity."""
    bare = re.sub(r"[(\[][^)\]]*[)\]]", " ", header).strip().rstrip(".")
    if not bare.isalpha() or not bare.isupper() or len(bare) != len(words) or len(words) < 2:
        return False
    return all(word[:1] == sign for word, sign in zip(words, bare.casefold(), strict=True))
