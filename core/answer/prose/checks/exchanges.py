"""Check of words exchanged in a claim that else repeats its source: a number, a unit or a name for another.

A value that stands somewhere in the source can still be wrong in its place; the words around it tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from core.answer.prose.checks.align import WordToken, token_sentences
from core.answer.prose.checks.quantities import is_unit, unit_stem
from core.domain.answer import Check
from core.text.words import word_list
from core.values.dates import month_number
from core.values.numbers import parse_cardinal, parse_ordinal, read_digits

_BEFORE = _BEHIND = 3
_LEAST = 4  # words around, without which two places are not the same
_LONGEST = 3  # words that are exchanged
_SUBJECT = 2  # telling words at the head of a claim
_CLOSE, _FARTHER = 3, 6  # words before a value, in which its subject stands, and in which it does not
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PERCENT = re.compile(r"(?<=\d)[ ]?%")
_MARKER = re.compile(r"(?:^|(?<=\n))[ \t*\u2022-]{0,4}\(?\d{1,2}[.):]\s+")
_FIRST = 3  # characters of a sentence within which its first word begins
_LETTERS = re.compile(r"[^a-z ]")


_END = WordToken(".", "", ".", 0)  # between two sentences: a place is in one of them


class _Place(NamedTuple):
    """Words of one kind with those around them."""

    before: tuple[str, ...]
    words: tuple[WordToken, ...]
    after: tuple[str, ...]


def check_exchanges(text: str, sources: Sequence[str]) -> Check:
    """Numbers, units and names of a claim against those that a source has between the same words."""
    faults = []
    for place in _places(_tokens(text)):
        others = [other for source in sources for other in _between(place, source)]
        is_said = any(_is_same(place.words, other) for other in others)
        if others and not is_said and not _is_said_of_subject(place, text, sources):
            wrong = next((other for other in others if _is_exchanged(place, other)), None)
            if wrong is not None:
                faults.append(f"says {_written(place.words)!r} where the source says {_written(wrong)!r}")
    return Check(name="exchanges", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


@lru_cache(maxsize=512)
def _tokens(text: str) -> tuple[WordToken, ...]:
    plain = _MARKER.sub("", _PERCENT.sub(" percent", _THOUSANDS.sub("", text)))
    sentences = [sentence.tokens for sentence in token_sentences(plain) if sentence.tokens]
    return tuple(token for tokens in sentences for token in (*tokens, _END))[:-1]


@lru_cache(maxsize=512)
def _positions(text: str) -> dict[tuple[str, ...], list[int]]:
    """Where one, two and three words in a row end, by these words."""
    words = [token.word for token in _tokens(text)]
    found: dict[tuple[str, ...], list[int]] = {}
    for end in range(len(words) + 1):
        for length in range(min(end, _BEFORE) + 1):
            found.setdefault(tuple(words[end - length : end]), []).append(end)
    return found


def _places(tokens: Sequence[WordToken]) -> Iterator[_Place]:
    for start, token in enumerate(tokens):
        for end in range(start + 1, min(len(tokens), start + _LONGEST) + 1):
            if not _kind(tokens[end - 1]):
                break
            before = tuple(each.word for each in tokens[max(0, start - _BEFORE) : start])
            after = tuple(each.word for each in tokens[end : end + _BEHIND])
            is_whole = start == 0 or token.written[0].isdigit() or end == start + 1 or _kinds((token,))
            if (
                is_whole
                and after
                and (before or len(after) == _BEHIND)
                and len(before) + len(after) >= _near(before)
            ):
                yield _Place(before, tuple(tokens[start:end]), after)


def _near(before: Sequence[str]) -> int:
    return _LEAST if before else _BEHIND


def _between(place: _Place, source: str) -> Iterator[tuple[WordToken, ...]]:
    """What the source has between the words around a place."""
    tokens = _tokens(source)
    for start in _positions(source).get(place.before, ()):
        for end in range(start + 1, min(len(tokens), start + _LONGEST) + 1):
            if not _kind(tokens[end - 1]):
                break
            is_near = end < len(tokens) and tokens[end].word == place.after[0]
            if is_near and tuple(each.word for each in tokens[end : end + len(place.after)]) == place.after:
                yield tokens[start:end]


def _is_said_of_subject(place: _Place, text: str, sources: Sequence[str]) -> bool:
    """True where a source has the words of a place close behind the subject of the claim.

    "The fans are replaced every five years, and the hoses every eight": of the hoses eight is said.
    """
    tokens = _tokens(text)
    at = next((n for n in range(len(tokens)) if tokens[n] is place.words[0]), 0)
    subject = [token.term for token in tokens[:at] if token.term][:_SUBJECT]
    size = len(place.words)
    return bool(subject) and any(
        _is_same(place.words, theirs[start : start + size])
        and set(subject) & {token.term for token in theirs[max(0, start - _CLOSE) : start]}
        and not set(subject) & {token.term for token in theirs[start - _FARTHER : max(0, start - _CLOSE)]}
        for theirs in map(_tokens, sources)
        for start in range(_FARTHER, len(theirs) - size + 1)
    )


def _is_same(ours: Sequence[WordToken], theirs: Sequence[WordToken]) -> bool:
    mine, yours = sorted(map(_meaning, ours)), sorted(map(_meaning, theirs))
    is_shorter = _kinds(ours) == _kinds(theirs) == {"name"} and (
        set(mine) < set(yours) or set(yours) < set(mine)
    )
    return mine == yours or is_shorter


def _is_exchanged(place: _Place, theirs: Sequence[WordToken]) -> bool:
    """True where both are of one kind; first words of sentences only before an auxiliary: "Acme shall"."""
    kinds = _kinds(place.words)
    if kinds != _kinds(theirs) or (kinds != {"name"} and len(place.words) != len(theirs)):
        return False
    is_first = any(words[0].start < _FIRST for words in (place.words, theirs))
    return "name" not in kinds or not is_first or place.after[0] in word_list("asking", "auxiliaries")


@lru_cache(maxsize=1 << 14)
def _meaning(token: WordToken) -> str:
    if (number := _number(token.word)) is not None:
        return str(number.normalize())
    if month := month_number(token.written):
        return f"month {month}"
    return unit_stem(token.written) if is_unit(token.word) else token.term or token.word


@lru_cache(maxsize=1 << 14)
def _number(word: str) -> Decimal | None:
    if word[0].isdigit():
        digits = read_digits(word)
        return digits if digits is not None else _ordinal(word)
    cardinal = parse_cardinal(word) if not _LETTERS.search(word) else None
    return Decimal(cardinal) if cardinal is not None else _ordinal(word)


def _ordinal(word: str) -> Decimal | None:
    ordinal = parse_ordinal(word)
    return None if ordinal is None else Decimal(ordinal)


def _kinds(tokens: Sequence[WordToken]) -> frozenset[str]:
    """Kinds of the words: number, unit, name; none where one of them is an ordinary word."""
    kinds = [kind for token in tokens if (kind := _kind(token))]
    return frozenset(kinds) if len(kinds) == len(tokens) else frozenset()


@lru_cache(maxsize=1 << 14)
def _kind(token: WordToken) -> str:
    if _number(token.word) is not None:
        return "number"
    if is_unit(token.word):
        return "unit"
    return "name" if token.term and token.written != token.written.lower() else ""


def _written(tokens: Sequence[WordToken]) -> str:
    return " ".join(token.written for token in tokens)
