"""Check of words that turn a meaning: must for may, before for after, more for less, all for some."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from core.answer.prose.checks.align import AlignedSentence, TokenSentence
from core.domain.answer import Check
from core.text.words import word_lines, word_list

_REACH = 3  # words on either side by which two places speak of one thing
_NEAR = 0.5


class Opposites(NamedTuple):
    """Words of two sides that exclude each other."""

    one: frozenset[str]
    other: frozenset[str]


@cache
def opposites() -> tuple[Opposites, ...]:
    """All pairs, in the order of their list."""
    return tuple(
        Opposites(frozenset(one.split(",")), frozenset(other.split(",")))
        for one, other in word_lines("claims", "opposites")
    )


def check_opposites(aligned: Sequence[AlignedSentence]) -> Check:
    """Sides that each sentence of a claim takes against those that its best source takes."""
    faults = [fault for pair in aligned if (fault := _fault(pair))]
    return Check(name="opposites", ok=not faults, detail="; ".join(faults))


def _fault(pair: AlignedSentence) -> str:
    return pair.fault(_turned) if pair.best_coverage >= _NEAR else ""


def _turned(claim: TokenSentence, source: TokenSentence) -> str:
    ours, theirs = {t.word for t in claim.tokens}, {t.word for t in source.tokens}
    for sides in opposites():
        for one, other in (sides, sides[::-1]):
            said, instead = (ours & one) - theirs, (theirs & other) - ours
            if said and instead and not ours & other and not theirs & one:
                mine, yours = _nearby(claim, said), _nearby(source, instead)
                if mine & yours and _negates(claim) == _negates(source):
                    return f"says {min(said)!r} where the source says {min(instead)!r}"
    return ""


def _nearby(sentence: TokenSentence, words: set[str] | frozenset[str]) -> set[str]:
    places = [at for at, token in enumerate(sentence.tokens) if token.word in words]
    return {
        token.term or token.word
        for at in places
        for token in (*sentence.tokens[max(0, at - _REACH) : at], *sentence.tokens[at + 1 : at + 1 + _REACH])
        if token.term
    }


def _negates(sentence: TokenSentence) -> bool:
    cues = word_list("claims", "negations")
    return any(token.word in cues for token in sentence.tokens)
