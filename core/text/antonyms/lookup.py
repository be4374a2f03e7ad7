"""Opposites of an English word: those that WordNet 3.0 has, and its own stem with a denying prefix or ending.

The file `pairs.txt` holds a word and those of its opposites that follow it in the alphabet, a line each. It
is built by `bench/build_antonyms.py`; the licence of WordNet stands beside it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from pathlib import Path

from core.text.analyse import analyse
from core.text.words import word_lines, word_list

_SHORTEST = 4  # letters of a word that a prefix can deny
_DENYING = re.compile(r"(?:un|non-?)(?P<base>[a-z]+)")
_DENYING_SHORTER = re.compile(
    r"(?:in|im|ir|il|dis)(?P<base>[a-z]{3,}(?:able|ible|ent|ant|ate|ive|al|id|ct|ed|ar|ous|ly|ence|ance|ity))"
)
_DENYING_ENDING = re.compile(r"(?P<base>[a-z]{3,})(?:-free|less)")
_FORMS = (
    ("ies", "y"), ("ied", "y"), ("es", ""), ("es", "e"), ("s", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
    ("ing", ""), ("ly", ""), ("er", ""), ("er", "e"), ("est", ""), ("est", "e"),
)  # fmt: skip


def are_opposite(one: str, other: str) -> bool:
    """True where two words in lower case exclude each other, in any of their forms. Thread-safe.

    >>> are_opposite("unlimited", "limited"), are_opposite("begins", "ended"), are_opposite("fee", "fees")
    (True, True, False)
    """
    return stem(one) in opposites_of(other) or stem(other) in opposites_of(one)


@lru_cache(maxsize=1 << 14)
def opposites_of(word: str) -> frozenset[str]:
    """Stems of the words that exclude a word in lower case; none for a word that has no opposite."""
    found = {stem(other) for base in _bases(word) for other in _pairs().get(base, ())}
    if base := denied_base(word):
        found.add(stem(base))
    return frozenset(found - {stem(word)})


@lru_cache(maxsize=1 << 14)
def denied_base(word: str) -> str:
    """The word that a prefix or an ending denies: "limited" of "unlimited", "interest" of "interest-free".

    "" where nothing is denied. That the rest is a word is not checked: it tells only where it is met.
    """
    if word in word_list("antonyms", "undenied"):
        return ""
    for pattern in (_DENYING, _DENYING_SHORTER, _DENYING_ENDING):
        match = pattern.fullmatch(word)
        if match and len(match["base"]) >= _SHORTEST:
            return match["base"]
    return ""


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """The first term of a word in the index's analysis, or the word itself."""
    terms = analyse(word)
    return terms[0] if terms else word


def _bases(word: str) -> set[str]:
    """Dictionary forms that a word may be a form of, itself among them (detachment rules of morphy(7WN))."""
    found = {word, *_irregular().get(word, ())}
    for ending, instead in _FORMS:
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            base = word[: -len(ending)] + instead
            found.add(base)
            if not instead and len(base) > 3 and base[-1] == base[-2]:
                found.add(base[:-1])
    return found


@cache
def _irregular() -> dict[str, tuple[str, ...]]:
    return {form: (base,) for base, *forms in word_lines("antonyms", "irregular") for form in forms}


@cache
def _pairs() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in (Path(__file__).parent / "pairs.txt").read_text(encoding="utf-8").splitlines():
        one, *others = line.split()
        for other in others:
            found[one].add(other)
            found[other].add(one)
    return {word: frozenset(others) for word, others in found.items()}
