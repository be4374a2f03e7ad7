"""Check of words that turn a meaning: must for may, before for after, more for less, unlimited for limited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from core.answer.prose.checks.align import AlignedSentence, TokenSentence, WordToken
from core.answer.prose.checks.polarity import PolarSentence, polar
from core.domain.answer import Check
from core.text.antonyms.lookup import are_opposite
from core.text.words import word_lines

_REACH = 3  # telling words on either side by which two places speak of one thing
_NEAR = 0.5


def check_opposites(aligned: Sequence[AlignedSentence]) -> Check:
    """Words of each sentence of a claim against opposites of them that its best source has instead.

    Two words are held against each other where both stand beside a common word and both or neither are denied.
    Opposites are those of our list and of WordNet, and a word with and without a denying prefix.
    """
    faults = [fault for pair in aligned if (fault := _fault(pair))]
    return Check(name="opposites", ok=not faults, detail="; ".join(faults))


def _fault(pair: AlignedSentence) -> str:
    return pair.fault(_turned) if pair.best_coverage >= _NEAR else ""


def _turned(claim: TokenSentence, source: TokenSentence) -> str:
    ours, theirs = polar(claim), polar(source)
    mine = {token.word for token in claim.tokens}
    for at, token in enumerate(claim.tokens):
        own = _around(claim, at)
        for other in _opposites(token, source):
            instead = source.tokens[other]
            if instead.word in mine and token.word not in {each.word for each in source.tokens}:
                continue
            common = own & _around(source, other)
            if not common or not _is_alike(ours, at, theirs, other):
                continue
            same = [own & _around(source, place) for place in _places(token, source)]
            if all(len(common) > len(each) and _has_value(common - each) for each in same):
                return f"says {token.word!r} where the source says {instead.word!r}"
    return ""


def _opposites(token: WordToken, source: TokenSentence) -> Iterator[int]:
    """Places of a source at which an opposite of a word stands."""
    known = listed_opposites().get(token.word, frozenset())
    for at, other in enumerate(source.tokens):
        if other.word in known or (token.term and other.term and are_opposite(token.word, other.word)):
            yield at


def _places(token: WordToken, source: TokenSentence) -> list[int]:
    """Places of a source at which the word itself stands, or one of its side."""
    sides = listed_opposites().get(token.word, frozenset())
    return [
        at
        for at, other in enumerate(source.tokens)
        if other.word == token.word
        or (token.term and other.term == token.term)
        or (sides and listed_opposites().get(other.word) == sides)
    ]


def _is_alike(ours: PolarSentence, at: int, theirs: PolarSentence, other: int) -> bool:
    """True where both words are denied or neither is; what may be either counts as the other's contrary."""
    mine, yours = ours.parity[at], theirs.parity[other]
    return mine == yours if None not in (mine, yours) else ours.is_negative == theirs.is_negative


def _has_value(words: set[str]) -> bool:
    return any(re.search(r"\d", word) for word in words)


def _around(sentence: TokenSentence, at: int) -> set[str]:
    """The telling words next to a place, on both sides."""
    before = [token.term for token in sentence.tokens[:at] if token.term][-_REACH:]
    after = [token.term for token in sentence.tokens[at + 1 :] if token.term][:_REACH]
    return {*before, *after}


@cache
def listed_opposites() -> dict[str, frozenset[str]]:
    """For each word of our list the words of the other side."""
    found: dict[str, frozenset[str]] = {}
    for one, other in word_lines("claims", "opposites"):
        sides = (frozenset(one.split(",")), frozenset(other.split(",")))
        for side, against in (sides, sides[::-1]):
            for word in side:
                found[word] = found.get(word, frozenset()) | against
    return found
