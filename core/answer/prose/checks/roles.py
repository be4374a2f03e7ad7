"""Check of who does what to whom, where it can be told cheaply: two names around one verb, exchanged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from core.answer.prose.checks.align import AlignedSentence, TokenSentence, WordToken
from core.domain.answer import Check

_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_NEAR = 0.6
_REACH = 8


class _Deed(NamedTuple):
    """A verb between two names, in the order in which the names act."""

    doer: str
    verb: str
    target: str


def check_roles(aligned: Sequence[AlignedSentence]) -> Check:
    """Names on both sides of a verb: a source has the two the other way round, and not this way."""
    faults = []
    for pair in aligned:
        if pair.best_coverage < _NEAR:
            continue
        stated = {deed for source in pair.sources for deed in _deeds(source)}
        faults += [
            f"{deed.doer!r} and {deed.target!r} have exchanged their parts"
            for deed in sorted(_deeds(pair.claim) - stated)
            if _Deed(deed.target, deed.verb, deed.doer) in stated
        ]
    return Check(name="roles", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


def _deeds(sentence: TokenSentence) -> set[_Deed]:
    """Every term in lower case between two neighbouring capitalised words, passives turned round."""
    tokens = sentence.tokens
    places = [at for at, token in enumerate(tokens) if token.term and token.written[0].isupper()]
    found = set()
    for one, other in pairwise(places):
        between = tokens[one + 1 : other]
        if tokens[one].term == tokens[other].term or not between or len(between) > _REACH:
            continue
        if re.search(
            r"[;.]|, (?:the|a|an|each|every)\b", sentence.text[tokens[one].start : tokens[other].start]
        ):
            continue
        is_passive = any(token.word in _BE for token in between) and any(
            token.word == "by" for token in between
        )
        for verb in _verbs(between):
            ends = (tokens[one].term, tokens[other].term)
            doer, target = reversed(ends) if is_passive else ends
            found.add(_Deed(doer, verb, target))
    return found


def _verbs(tokens: Sequence[WordToken]) -> list[str]:
    if any(token.word in ("and", "or") for token in tokens):
        return []
    return [token.term for token in tokens if token.term and token.term.isalpha()]
