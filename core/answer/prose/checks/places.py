"""Check of places: a number, unit, name or denial that a source has otherwise between the same words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from core.answer.prose.checks.quantities import MARKER, is_unit, unit_stem
from core.answer.prose.checks.tokens import WordToken, token_sentences
from core.domain.answer import Check
from core.text.words import word_list
from core.values.dates import month_number
from core.values.numbers import parse_cardinal, parse_ordinal, read_digits

_AROUND = ((3, 2), (2, 2), (1, 3))  # words before and behind by which a place is known
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PERCENT = re.compile(r"(?<=\d)[ ]?%")
_LETTERS = re.compile(r"[^a-z ]")

_Around = tuple[str, ...]


class _Filling(NamedTuple):
    """What stands in a place. kind: "number", "unit", "name", or "denial", of which none is one, too."""

    meaning: str
    kind: str
    written: str


_END = _Filling(".", "", ".")
_NOTHING = _Filling("", "denial", "nothing")


def check_places(text: str, sources: Sequence[str]) -> Check:
    """Places of a claim that the sources have with another filling of the same kind, and never with its own.

    >>> check_places("The fee is not due in May.", ["The fee is due in May."]).detail
    "says 'not' where the source says 'nothing'"
    """
    theirs = [_places(source) for source in sources]
    faults = []
    for around, ours in _places(text, is_claim=True).items():
        told = {filling.meaning: filling for each in theirs for filling in each.get(around, ())}
        for own in ours:
            other = next((each for each in told.values() if each.kind == own.kind), None)
            if other is not None and own.meaning not in told:
                faults.append(f"says {own.written!r} where the source says {other.written!r}")
    return Check(name="places", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


@lru_cache(maxsize=512)
def _places(text: str, *, is_claim: bool = False) -> dict[_Around, list[_Filling]]:
    """The fillings of a text by the words around in their sentence; between any two words stands nothing.

    is_claim: each by the most words around that there are, and not by all numbers of them.
    """
    found: dict[_Around, list[_Filling]] = {}
    for words in _sentences(text):
        for at, word in enumerate(words):
            for filling, end in ((word, at + 1), (_NOTHING, at)):
                fitting = [each for each in _AROUND if each[0] <= at and end + each[1] <= len(words)]
                for before, behind in (fitting[:1] if is_claim else fitting) if filling.kind else ():
                    around = (*(each.meaning for each in words[at - before : at]), "_")
                    around += tuple(each.meaning for each in words[end : end + behind])
                    found.setdefault(around, []).append(filling)
    return found


def _sentences(text: str) -> list[list[_Filling]]:
    plain = MARKER.sub("\n", _PERCENT.sub(" percent", _THOUSANDS.sub("", text)))
    return [[*map(_filling, sentence.tokens), _END] for sentence in token_sentences(plain)]


@lru_cache(maxsize=1 << 14)
def _filling(token: WordToken) -> _Filling:
    if (number := _number(token.word)) is not None:
        return _Filling(str(number.normalize()), "number", token.written)
    if is_unit(token.word):
        return _Filling(unit_stem(token.written), "unit", token.written)
    if token.word in word_list("claims", "denials"):
        return _Filling("not", "denial", token.written)
    meaning = str(month_number(token.written) or token.term or token.word)
    is_name = bool(token.term) and token.written != token.written.lower()
    return _Filling(meaning, "name" if is_name else "", token.written)


def _number(word: str) -> Decimal | None:
    if word[0].isdigit() and (digits := read_digits(word)) is not None:
        return digits
    cardinal = parse_cardinal(word) if not _LETTERS.search(word) else None
    ordinal = parse_ordinal(word) if cardinal is None else None
    return next((Decimal(each) for each in (cardinal, ordinal) if each is not None), None)
