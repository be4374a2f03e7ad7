"""Check of the parts that parties play: who pays, to whom, from whom, in active and passive sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from core.answer.prose.checks.align import AlignedSentence, TokenSentence, WordToken
from core.domain.answer import Check
from core.text.words import word_lines, word_list

_NEAR = 0.6
_REPEATED = 0.8  # coverage from which on a claim repeats its source, whatever the deed
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_DETERMINERS = frozenset({"the", "a", "an", "each", "such", "any", "that", "this", "either"})
_LIGHT = frozenset(
    {
        "agrees",
        "agree",
        "hereby",
        "also",
        "to",
        "not",
        "only",
        "then",
        "promptly",
        "has",
        "have",
        "had",
        "must",
        "may",
    }
)
_PREPOSITIONS = frozenset({"by", "to", "from"})
_REACH = 4  # words between a party and its verb
_FAR = 14  # words between a verb and whom it goes to


_PAPERS = frozenset({"agreement", "contract", "section", "claus", "annex", "schedul", "amend", "leas"})


class _Part(NamedTuple):
    """A party's part in a deed. role: "does", "bears", "to" or "from"."""

    party: tuple[str, ...]
    role: str
    verb: str


def check_parts(aligned: Sequence[AlignedSentence]) -> Check:
    """Parties that do in the claim what another does in the source, where the source speaks of both."""
    faults = []
    for pair in aligned:
        if pair.best_coverage < _NEAR:
            continue
        ours = _parts(pair.claim)
        if not ours:
            continue
        stated = {part for source in pair.sources for part in _parts(source)}
        here = {party for party, _, _ in _mentions(pair.claim)}
        named = {party for source in pair.sources for party, _, _ in _mentions(source)}
        for part in sorted(ours - stated):
            others = {each.party for each in stated if each[1:] == part[1:]}
            is_told = (
                part.verb in _forms()
                or others & here
                or (pair.best_coverage >= _REPEATED and not any(_PAPERS & set(other) for other in others))
            )
            is_same = any(set(other) <= set(part.party) or set(part.party) <= set(other) for other in others)
            if others and is_told and not is_same and part.party in named:
                faults.append(f"{' '.join(part.party)!r} has the part of {' '.join(min(others))!r}")
    return Check(name="parts", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


def _mentions(sentence: TokenSentence) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Runs of capitalised words, with where they begin and end among the tokens."""
    tokens, at = sentence.tokens, 0
    while at < len(tokens):
        end = at
        while end < len(tokens) and tokens[end].term and tokens[end].written[0].isupper():
            end += 1
        if end > at:
            yield tuple(token.term for token in tokens[at:end]), at, end
        at = max(end, at + 1)


@lru_cache(maxsize=512)
def _parts_of(
    tokens: tuple[WordToken, ...], mentions: tuple[tuple[tuple[str, ...], int, int], ...]
) -> frozenset[_Part]:
    found = set()
    for party, start, end in mentions:
        before = start - 1
        while before >= 0 and tokens[before].word in _DETERMINERS:
            before -= 1
        led = tokens[before].word if before >= 0 else ""
        if led in _PREPOSITIONS:
            reach = _REACH if led == "by" else _FAR
            verb = next(
                (v for token in reversed(tokens[max(0, before - reach) : before]) if (v := _deal(token))), ""
            )
            if verb:
                found.add(_Part(party, "does" if led == "by" else led, verb))
        elif (deed := _deed(tokens[end : end + _REACH])) is not None:
            found.add(_Part(party, *deed))
    return frozenset(found)


def _parts(sentence: TokenSentence) -> frozenset[_Part]:
    return _parts_of(sentence.tokens, tuple(_mentions(sentence)))


def _deed(tokens: Sequence[WordToken]) -> tuple[str, str] | None:
    """What the party before these words does, or what is done to it."""
    role, is_led = "does", False
    for token in tokens:
        if token.word in word_list("asking", "auxiliaries") or token.word in _LIGHT or token.word in _BE:
            role = "bears" if token.word in _BE else role
            is_led = True
        elif token.term and token.written.islower():
            verb = _deal(token) or (token.term if is_led else "")
            return (role, verb) if verb else None
        else:
            return None
    return None


def _deal(token: WordToken) -> str:
    return _forms().get(token.word, "")


@cache
def _forms() -> dict[str, str]:
    return {form: verb for verb, *forms in word_lines("claims", "verb_forms") for form in (verb, *forms)}
