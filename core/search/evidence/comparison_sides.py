"""Sides of a comparison: whose a sentence is, by what names it and not the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.search.sentences import ScoredSentence
from core.text.analyse import STOP_WORDS, analyse

_PART = re.compile(r"\s{0,8}(?:,|;|\band\b|\bor\b)\s{0,8}", re.IGNORECASE)
_SAMPLE = 3  # sentences of one side


@dataclass(frozen=True, slots=True)
class SideNames:
    """One side. wanted: the terms of its name; of_others: for each other side the terms that only it has."""

    subject: str
    wanted: frozenset[str]
    of_others: tuple[frozenset[str], ...] = ()
    own: frozenset[str] = frozenset()

    def may_be_of(self, sentence: ScoredSentence) -> bool:
        """True unless a sentence, or the row that it is, names another side and not what only this one has.

        Where this side has no word of its own ("VACUUM" beside "RBU vacuum"), what names another is that
        one's. A sentence that names no side is of the one whose document it stands in.
        """
        said = set(analyse(sentence.text))
        is_of_another = any(terms and terms <= said for terms in self.of_others)
        if is_of_another:
            return bool(self.own) and self.own <= said
        stored = sentence.candidate.stored
        named = set(analyse(f"{stored.title} {stored.source} {' '.join(stored.passage.section)}"))
        if any(terms and terms <= named for terms in self.of_others) and not self.own <= named:
            return self.wanted <= said
        return True


def sides_of(subjects: Sequence[str]) -> tuple[SideNames, ...]:
    """The sides of a comparison, in order."""
    named = [_terms(subject) for subject in subjects]
    sides = []
    for at, subject in enumerate(subjects):
        others = [terms for other, terms in enumerate(named) if other != at]
        own = named[at] - frozenset().union(*others)
        sides.append(SideNames(subject, named[at], tuple(terms - named[at] for terms in others), own))
    return tuple(sides)


def _terms(subject: str) -> frozenset[str]:
    return frozenset(term for term in analyse(subject) if term not in STOP_WORDS)


def best_of_parts(topic: str, sentences: Sequence[ScoredSentence]) -> tuple[ScoredSentence, ...]:
    """The best sentence for each part of the topic ("disk space and CPU"), each once; () where it has one.

    sentences: best first. A part that none speaks of has none.
    """
    parts = [terms for part in _PART.split(topic) if (terms := set(analyse(part)) - STOP_WORDS)]
    if len(parts) < 2:
        return ()
    chosen: list[ScoredSentence] = []
    for terms in parts:
        speaking = [(len(terms & set(analyse(each.text))), -at) for at, each in enumerate(sentences)]
        shared, at = max(speaking, default=(0, 0))
        if shared and sentences[-at] not in chosen:
            chosen.append(sentences[-at])
    return tuple(chosen[:_SAMPLE])
