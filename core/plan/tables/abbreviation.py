"""Abbreviations in headers: words of a question that a short header may stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from core.text.analyse import STOP_WORDS
from core.text.words import word_lines, word_list

_VOWELS = frozenset("aeiou")
_PART = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_SHORTEST_BEGINNING = 3
_LONGEST = 6
_MOST_CODES = 8


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


def plural(noun: str) -> str:
    """The plural of a regular noun."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun if noun.endswith("s") and not noun.endswith("ss") else f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


@lru_cache(maxsize=8_192)
def expansions(header: str) -> tuple[str, ...]:
    """A header with each of its short forms written out in every known way: "Ch." as "children"."""
    found = []
    for match in _PART.finditer(re.sub(r"[(\[][^)\]]*[)\]]", " ", header)):
        short = match[0].casefold()
        is_marked = header[match.end() : match.end() + 1] in (".", "/")
        if len(short) > _LONGEST or short in word_list("tables", "header_nouns") or short in STOP_WORDS:
            continue
        for noun in sorted(word_list("tables", "header_nouns")):
            begins = is_marked and noun.startswith(short) and len(noun) > len(short) + 1
            if begins or abbreviates(short, noun):
                rest = header[match.end() :].lstrip(".")
                found += [f"{header[: match.start()]}{form}{rest}" for form in (noun, plural(noun))]
    return tuple(found)


def spoken_codes(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """How questions say the letters of a column that holds nothing else: "F" of women; {} for none."""
    wanted = {text.casefold().strip(): text for text in texts}
    if not 2 <= len(wanted) <= _MOST_CODES:
        return {}
    for family in _families():
        if wanted.keys() <= family.keys():
            return {text: family[code] for code, text in wanted.items()}
    return {}


@lru_cache(maxsize=1)
def _families() -> tuple[dict[str, tuple[str, ...]], ...]:
    """By the letters of each family what they stand for."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for family, letters, *spoken in word_lines("tables", "codes"):
        found.setdefault(family, {})[letters] = tuple(spoken)
    return tuple(found.values())


def _is_within(short: str, word: str) -> bool:
    signs = iter(word)
    return all(sign in signs for sign in short)


def short_forms(header: str) -> tuple[str, ...]:
    """The parts of a header that may be short for something, in small letters; none of brackets."""
    bare = re.sub(r"[(\[][^)\]]*[)\]]", " ", header)
    return tuple(part.casefold() for part in _PART.findall(bare))


def are_initials(header: str, words: Sequence[str]) -> bool:
    """True where capitals in a header are the first letters of several words: "OG" of original gravity."""
    return any(
        len(part) == len(words) > 1
        and part.isupper()
        and all(word[:1] == sign for word, sign in zip(words, part.casefold(), strict=True))
        for part in _PART.findall(re.sub(r"[(\[][^)\]]*[)\]]", " ", header))
    )
