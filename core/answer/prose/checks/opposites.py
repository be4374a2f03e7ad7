"""Check of words that turn a meaning: must for may, before for after, unlimited for limited."""

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
_RESTRICTING = frozenset({"only", "solely", "exclusively"})


def check_opposites(aligned: Sequence[AlignedSentence]) -> Check:
    """Words of each sentence of a claim against opposites of them that its best source has instead.

    Two words are held against each other where both stand beside a common word, and both or neither are
    denied. Opposites are those of our list and of WordNet, and a word with and without a denying prefix.
    """
    faults = [fault for pair in aligned if (fault := _fault(pair))]
    return Check(name="opposites", ok=not faults, detail="; ".join(faults))


def _fault(pair: AlignedSentence) -> str:
    return pair.fault(_turned) if pair.best_coverage >= _NEAR else ""


def _turned(claim: TokenSentence, source: TokenSentence) -> str:
    ours, theirs = polar(claim), polar(source)
    for at, token in enumerate(claim.tokens):
        own = _around(claim, at)
        for other in _opposites(token, source):
            instead = source.tokens[other]
            around = _around(source, other)
            common = own & around
            said = [_around(claim, place) & around for place in _occurrences(instead, claim)]
            if any(len(each) >= len(common) for each in said):
                continue  # the claim has it, too, in its place
            if not _is_beside(claim, at, source, other, common) or not _is_alike(ours, at, theirs, other):
                continue
            same = [own & _around(source, place) for place in _places(token, instead, source)]
            if all(_is_nearer(common, each) for each in same):
                return f"says {token.word!r} where the source says {instead.word!r}"
    return ""


def _opposites(token: WordToken, source: TokenSentence) -> Iterator[int]:
    """Places of a source at which an opposite of a word stands."""
    return (at for at, other in enumerate(source.tokens) if _excludes(token, other))


def _places(token: WordToken, instead: WordToken, source: TokenSentence) -> list[int]:
    """Places of a source at which a word itself stands, or another opposite of what stands there instead."""
    return [
        at
        for at, other in enumerate(source.tokens)
        if other.word == token.word or (token.term and other.term == token.term) or _excludes(other, instead)
    ]


def _is_beside(claim: TokenSentence, at: int, source: TokenSentence, other: int, common: set[str]) -> bool:
    """True where both words stand next to the same telling word, or among three; modals before the same."""
    if claim.tokens[at].word in _modals():
        return bool(_next(claim, at) & _next(source, other)) and not _is_limited(claim) | _is_limited(source)
    return len(common) >= _REACH or not _neighbours(claim, at).isdisjoint(_neighbours(source, other))


def _next(sentence: TokenSentence, at: int) -> set[str]:
    return set([token.term for token in sentence.tokens[at + 1 :] if token.term][:1])


def _is_limited(sentence: TokenSentence) -> bool:
    """True where a sentence denies or restricts: "may only" is said of "shall only", and "may not" too."""
    return bool(polar(sentence).denials) or any(token.word in _RESTRICTING for token in sentence.tokens)


def _neighbours(sentence: TokenSentence, at: int) -> set[str]:
    before = [token.term for token in sentence.tokens[:at] if token.term][-1:]
    return {*before, *_next(sentence, at)}


def _occurrences(word: WordToken, sentence: TokenSentence) -> list[int]:
    wanted = word.term or word.word
    return [at for at, token in enumerate(sentence.tokens) if (token.term or token.word) == wanted]


def _excludes(one: WordToken, other: WordToken) -> bool:
    if other.word in listed_opposites().get(one.word, ()):
        return True
    return bool(one.term and other.term) and are_opposite(one.word, other.word)


def _is_alike(ours: PolarSentence, at: int, theirs: PolarSentence, other: int) -> bool:
    """True where both words are denied or neither is; what may be either counts as the other's contrary."""
    mine, yours = ours.parity[at], theirs.parity[other]
    return mine == yours if None not in (mine, yours) else bool(ours.denials) == bool(theirs.denials)


def _is_nearer(common: set[str], same: set[str]) -> bool:
    """True where the words around are those of the opposite and not those of the word itself."""
    more = len(common) - len(same)
    return more > 1 or (more == 1 and any(re.search(r"\d", word) for word in common - same))


def _around(sentence: TokenSentence, at: int) -> set[str]:
    """The telling words next to a place, on both sides."""
    before = [token.term for token in sentence.tokens[:at] if token.term][-_REACH:]
    after = [token.term for token in sentence.tokens[at + 1 :] if token.term][:_REACH]
    return {*before, *after}


@cache
def _modals() -> frozenset[str]:
    """Words for what somebody must or may: the line of opposites that has "must"."""
    sides = (",".join(line).split(",") for line in word_lines("claims", "opposites"))
    return frozenset(next(words for words in sides if "must" in words))


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
