"""Words of names: how people and documents write them, and by what they are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from core.text.analyse import analyse
from core.text.words import word_lines, word_list, word_set

_WORD = re.compile(r"[^\W_]+(?:[.'’&+][^\W_]+)*\.?")
_HUMPS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.){2,}")
_JOINTS = re.compile(r"[-\u2010\u2011\u2012&+]")
_SIGNS = re.compile(r"[.'’&+]")
_LONGEST = 30

INNER = word_set("of and the for de to in on by van von du des e et y")
"""Small words within names."""

FORMS = word_list("naming", "forms")
"""Legal forms, which tell no names apart."""


class NameWord(NamedTuple):
    """A word of a name: `key` is compared, text[start:end] is written. joined: only a joint is before it."""

    key: str
    written: str
    start: int
    end: int
    joined: bool = False

    @property
    def is_capital(self) -> bool:
        """True where it is written as names are."""
        return self.written[0].isupper() or any(map(str.isdigit, self.written))


@lru_cache(maxsize=131_072)
def folded(word: str) -> str:
    """A word in lower case without accents, signs and possessive: `Reynolds'` is reynolds, `S.p.A.` spa."""
    if not word.isascii():
        decomposed = unicodedata.normalize("NFKD", word.replace("’", "'"))
        word = "".join(char for char in decomposed if not unicodedata.combining(char))
    word = word.casefold()
    if word.endswith("'s"):
        word = word[:-2]
    return _SIGNS.sub("", word)[:_LONGEST]


@lru_cache(maxsize=131_072)
def key_of(word: str) -> str:
    """By what a written word is compared: its stem, folded."""
    plain = folded(word)
    if not plain.isalpha() or len(plain) < 4:
        return plain
    terms = analyse(plain)
    return terms[0] if terms else plain


def name_words(text: str) -> list[NameWord]:
    """The words of a text in order; "Co-Branding" are two, the second joined to the first."""
    found: list[NameWord] = []
    last = -1
    for match in _WORD.finditer(text):
        start, end = match.span()
        written = match[0]
        if written[-1] == "." and not _DOTTED.fullmatch(written):
            written, end = written[:-1], end - 1
        key = key_of(written)
        if key:
            is_joined = 0 <= last == start - 1 and bool(_JOINTS.match(text, last))
            found.append(NameWord(key, written, start, end, is_joined))
        last = end
    return found


def humps(written: str) -> tuple[str, ...]:
    """The words that are run together with capitals: `PlanetCAD` are planet and CAD; () for a single one."""
    parts = tuple(_HUMPS.findall(written)) if written.isascii() and not written.isdigit() else ()
    return parts if len(parts) > 1 and max(map(len, parts)) > 2 else ()


def initials(words: Sequence[str]) -> str:
    """The first letters of some words: "Johns Hopkins University" is jhu; "" for fewer than two."""
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def list_keys(*lists: str) -> frozenset[str]:
    """The keys of lists of naming words."""
    return frozenset(key_of(word) for word in word_list("naming", *lists))


def _alike() -> dict[str, frozenset[str]]:
    groups: dict[str, frozenset[str]] = {}
    for line in word_lines("naming", "alike"):
        group = frozenset(map(key_of, line))
        for word in group:
            groups[word] = groups.get(word, frozenset()) | group
    return groups


ALIKE = _alike()
"""Words of kinds with all that say much the same."""
