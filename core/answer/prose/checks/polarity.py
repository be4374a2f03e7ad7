"""Polarity of a sentence's words: which of them the sentence denies, and by what.

A word is denied where an odd number of denials reaches it. Reach is read from the order of the words alone: a
denial reaches from its place to the next comma, "and" or end of the clause; what stands further on in its
clause, and before a denial in it, may be denied or not, so nothing is told of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from core.answer.prose.checks.align import TokenSentence, WordToken
from core.text.antonyms.lookup import are_opposite, denied_base, stem
from core.text.words import word_list

FOCUS = 3  # telling words behind a denial by which it is held against another sentence
_LONGEST = 4  # words of a cue
_SHORT = 4  # words that "without" and the like deny
_HARD = re.compile(r"[;:!?\u2014\u2013]|\.\s")
_SOFT = re.compile(r",")


@dataclass(frozen=True, slots=True)
class Denial:
    """A denial in a sentence. focus: places of the first words that it denies; before: of those before it.

    is_case: it excepts a case from what the sentence says.
    """

    cue: str
    focus: tuple[int, ...]
    before: tuple[int, ...]
    is_case: bool


@dataclass(frozen=True, slots=True)
class PolarSentence:
    """A sentence with its denials. parity: of a word 1 where it is denied, 0 where not, None for either."""

    tokens: tuple[WordToken, ...]
    parity: tuple[int | None, ...]
    denials: tuple[Denial, ...]
    is_negative: bool

    def says(self, word: str) -> set[int | None]:
        """Parities in which the sentence has a word in any form; else those of its opposites, turned."""
        told = [each for each in zip(self.tokens, self.parity, strict=True) if each[0].term]
        found = {parity for token, parity in told if stem(token.word) == stem(word)}
        return found or {_turned(parity) for token, parity in told if are_opposite(token.word, word)}


def polar(sentence: TokenSentence) -> PolarSentence:
    """Denials of a sentence and what they reach. Thread-safe."""
    return _polar(sentence.text, sentence.tokens)


@lru_cache(maxsize=1_024)
def _polar(text: str, tokens: tuple[WordToken, ...]) -> PolarSentence:
    hard, soft = _borders(text, tokens)
    parity: list[int | None] = [0] * len(tokens)
    denials = []
    found = cues(tokens)
    for cue, start, end, kind in found:
        is_behind = kind == "behind"
        first = _clause_start(tokens, hard, start)
        last = min((at for at in hard if at > start), default=len(tokens))
        near = min((at for at in soft if end < at < last), default=last)
        if _says_only_with(tokens[end:last]) or (kind == "denial" and _is_led_by_case(found, start, first)):
            near = end
        if kind == "short":
            first, last, near = start, min(near, end + _SHORT), min(near, end + _SHORT)
            if len(found) > 1:
                near = end  # "no renewal without a writing": what is meant is said by both
        reached = [*range(first, start), *range(end, near)] if is_behind else list(range(end, near))
        for at in range(first, last):
            if at in reached:
                parity[at] = 1 if cue == "nor" else _turned(parity[at])
            elif kind != "refusal" and cue != "nor" and not start <= at < end:
                parity[at] = None
        if is_behind:
            reached = [*range(start - 1, first - 1, -1), *range(end, near)]
        focus = tuple(at for at in reached if tokens[at].term and not _is_light(tokens[at]))[:FOCUS]
        if focus:
            opens = start > 0 and tokens[start - 1].word == "and"
            before = (
                [] if opens else [at for at in range(start - 1, first - 1, -1) if tokens[at].term][:FOCUS]
            )
            denials.append(Denial(cue, focus, () if is_behind else tuple(before), kind == "short"))
    for at, token in enumerate(tokens):
        if token.word in ("only", "solely", "exclusively"):
            first = max((each for each in (*hard, *soft) if each <= at), default=0)
            parity[first:at] = [None] * (at - first)
    is_negative = bool(denials) or any(denied_base(token.word) for token in tokens)
    return PolarSentence(tokens, tuple(parity), tuple(denials), is_negative)


def _clause_start(tokens: Sequence[WordToken], hard: Sequence[int], start: int) -> int:
    """Where the clause of a denial begins; "but not for breach" is said of the clause before it."""
    borders = [0, *(at for at in hard if at <= start)]
    is_short = len(borders) > 1 and borders[-1] == start - 1 and tokens[start - 1].word == "but"
    return borders[-2] if is_short else borders[-1]


def _turned(parity: int | None) -> int | None:
    return None if parity is None else 1 - parity


def cues(tokens: Sequence[WordToken]) -> list[tuple[str, int, int, str]]:
    """Denials: the cue, where it starts and ends, and its kind; "behind" denies what stands before it too."""
    words = [token.word for token in tokens]
    found, at = [], 0
    while at < len(words):
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            phrase = "_".join(words[at : at + length])
            kind = _cue_kinds().get(phrase, "")
            if phrase in word_list("claims", "no_denials"):
                at += length - 1
                break
            if not kind or (kind == "denial" and _is_bound(words, at, at + length)):
                continue
            if kind == "behind" and (at == 0 or words[at - 1] not in word_list("claims", "being")):
                kind = "refusal"
            found.append((" ".join(words[at : at + length]), at, at + length, kind))
            at += length - 1
            break
        at += 1
    return found


def _is_bound(words: Sequence[str], start: int, end: int) -> bool:
    """True where the denial sets a bound or adds: "no later than", "not only", "not to exceed"."""
    behind = [word for word in words[end : end + 2] if word not in ("to", "be")]
    return bool(behind) and behind[0] in word_list("claims", "limits")


@cache
def _cue_kinds() -> dict[str, str]:
    kinds = dict.fromkeys(word_list("claims", "refusals"), "refusal")
    kinds |= dict.fromkeys(word_list("claims", "denials"), "denial")
    kinds |= dict.fromkeys(word_list("claims", "lacking"), "short")
    return kinds | dict.fromkeys(word_list("claims", "denied_behind"), "behind")


def _says_only_with(tokens: Sequence[WordToken]) -> bool:
    """True where a denial is taken back for a case: "not without", "no ... unless"."""
    return any(token.word in ("without", "unless", "except", "until", "but", "only") for token in tokens)


def _is_led_by_case(found: Sequence[tuple[str, int, int, str]], start: int, first: int) -> bool:
    """True where a case without something stands before a denial: "without consent, no cap is raised"."""
    return any(kind == "short" and first <= at < start for _, at, _, kind in found)


def _is_light(token: WordToken) -> bool:
    return token.word in word_list("claims", "light")


def _borders(text: str, tokens: Sequence[WordToken]) -> tuple[list[int], list[int]]:
    """Places of tokens at which a clause begins, and at which a part of one may."""
    hard, soft = [], []
    for at in range(1, len(tokens)):
        gap = text[tokens[at - 1].start + len(tokens[at - 1].written) : tokens[at].start]
        words = {tokens[at].word, "_".join(token.word for token in tokens[at : at + 2])}
        if _HARD.search(gap) or words & word_list("claims", "clause_borders"):
            hard.append(at)
        elif _SOFT.search(gap) or tokens[at].word == "and":
            soft.append(at)
    return hard, soft
