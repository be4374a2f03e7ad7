"""Evidence that words name a document: a figure for each way in which they agree or do not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.plan.names.index import NameIndex
from core.plan.names.naming import Naming, Sort, TellingWord
from core.plan.names.profile import NamePlace, NameProfile

_PLACES = {
    "short": (NamePlace.SHORT, 1.0), "party": (NamePlace.PARTY, 0.95), "file": (NamePlace.FILE, 0.9),
    "title": (NamePlace.TITLE, 0.75), "kind": (NamePlace.KIND, 0.7), "initials": (NamePlace.INITIALS, 0.6),
    "capital": (NamePlace.CAPITAL, 0.45), "word": (NamePlace.WORD, 0.25),
}  # fmt: skip
"""Figures of places, the strongest first, with what a word there weighs."""

FEATURES = (
    *_PLACES,
    "misspelt", "twice", "strange", "missing_name", "missing_kind", "missing_word", "missing_number",
    "kind_in_text",
    "kind_share", "first_side", "second_side", "day", "year", "other_year",
    "changes", "changes_unsaid", "changes_not", "number", "other_number", "whole",
    "only_name", "only_text", "all", "first_day",
)  # fmt: skip
"""The figures of a candidate, in order."""

NONE_FEATURES = ("none", "none_names", "none_kinds", "none_words", "none_strange")
"""Those of there being no such document."""

_MOST = 48  # candidates that are weighed
_OWN = NamePlace.SHORT | NamePlace.PARTY | NamePlace.FILE | NamePlace.TITLE
_PARTIES = NamePlace.PARTY | NamePlace.SHORT
_KINDS = NamePlace.KIND | NamePlace.TITLE
_FEW = 3  # documents up to which a word may be said to be theirs alone
_LEAST_ALONE = 3  # letters of a word that may be theirs alone
_BEGUN = 0.85  # likeness from which a word may be theirs alone
_SAME = 0.5  # likeness from which another word says the same kind
_MISSES = ("strange", "kind_in_text", "missing_name", "missing_kind", "missing_word", "missing_number")
_MISSING = {Sort.NAME: "missing_name", Sort.NUMBER: "missing_number"}
_STRONGEST = [next((name for name, (bit, _) in _PLACES.items() if at & bit), "") for at in range(256)]
_WEIGHTS = np.array([_PLACES[name][1] if name else 0.0 for name in _STRONGEST], dtype=np.float32)


def candidates(naming: Naming, index: NameIndex, allowed: NDArray[np.bool_] | None = None) -> list[int]:
    """Rows of the documents that may be meant, the likeliest of them; allowed: True for those to be found."""
    scores = np.zeros(len(index), dtype=np.float32)
    for word in naming.words:
        best = np.zeros(len(index), dtype=np.float32)
        for name, likeness in word.variants:
            rows, places = index.holders(name)
            strength = np.float32(likeness * (0.02 + index.rarity(name)))
            best[rows] = np.maximum(best[rows], _WEIGHTS[places] * strength)
        scores += best
    for name in naming.whole:
        scores[list(index.titled(name))] += 2.0
    if allowed is not None:
        scores[~allowed] = 0.0
    found = np.flatnonzero(scores > 0)
    if len(found) > _MOST:
        found = found[np.argpartition(-scores[found], _MOST)[:_MOST]]
    return [int(row) for row in found[np.lexsort((found, -scores[found]))]]


@dataclass(frozen=True, slots=True)
class _Match:
    """A variant of a word among the documents that are weighed.

    places: in each of them. alone: its likeness for each document that has it, where these are few; is_long:
    it is then longer than the word that is said.
    """

    word: str
    likeness: float
    rarity: float
    places: list[int]
    alone: float
    is_long: bool


def _matches(word: TellingWord, index: NameIndex, rows: NDArray[np.int32]) -> Iterator[_Match]:
    is_common = len(index.holders(word.key)[0]) > _FEW
    for name, likeness in word.variants:
        holders = len(index.holders(name)[0])
        is_long = len(name) > len(word.key) + _LEAST_ALONE
        is_rare = holders <= _FEW and len(name) >= _LEAST_ALONE and (is_long or not is_common)
        alone = likeness / holders if is_rare and likeness >= _BEGUN else 0.0
        places = index.places(rows, name).tolist()
        yield _Match(name, likeness, index.rarity(name), places, alone, alone > 0 and is_long)


def weigh(naming: Naming, index: NameIndex, rows: Sequence[int]) -> NDArray[np.float64]:
    """The figures of some documents: (len(rows), len(FEATURES))."""
    found = [_Candidate(index.profiles[row]) for row in rows]
    asked = np.array(rows, dtype=np.int32)
    for word in naming.words:
        matches = list(_matches(word, index, asked))
        for at, each in enumerate(found):
            each.weigh_word(word, [(match, match.places[at]) for match in matches if match.places[at]])
    for each in found:
        each.weigh_name(naming, index)
    figures = [[each.figures[name] for name in FEATURES] for each in found]
    return np.array(figures, dtype=np.float64).reshape(len(rows), len(FEATURES))


@dataclass(slots=True)
class _Candidate:
    """A document that is weighed. likeness: of the words that name it; kinds: those that say its kind."""

    profile: NameProfile
    figures: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    likeness: dict[str, float] = field(default_factory=dict)
    kinds: set[str] = field(default_factory=set)

    def weigh_word(self, word: TellingWord, own: Sequence[tuple[_Match, int]]) -> None:
        """Add what a word says. own: what the document has for it, with the places."""
        if not own:
            self._miss(word)
            return
        best, places = max(own, key=lambda one: _strength(*one))
        value = best.rarity * best.likeness
        self.figures[_STRONGEST[places]] += value
        self.figures["misspelt"] += best.rarity * (1.0 - best.likeness)
        exact = [at for match, at in own if match.likeness == 1.0]
        if any(at & NamePlace.FILE for at in exact) and any(at & _PARTIES for at in exact):
            self.figures["twice"] += value
        is_long = any(match.is_long for match, _ in own)
        if is_long or word.sort not in (Sort.FORM, Sort.KIND):
            alone = max(match.alone for match, _ in own)
            self.figures["only_name" if places & _OWN else "only_text"] += alone
        is_kind = any(at & _KINDS for match, at in own if match.likeness >= _SAME)
        if word.sort is Sort.KIND and not is_long and not is_kind:
            self.figures["kind_in_text"] += 1.0
        for match, at in own:
            if at & _OWN:
                self.likeness[match.word] = max(self.likeness.get(match.word, 0.0), match.likeness)
            if at & NamePlace.KIND:
                self.kinds.add(match.word)

    def _miss(self, word: TellingWord) -> None:
        if word.sort is Sort.NAME and not word.variants:
            self.figures["strange"] += 1.0
        elif word.sort is Sort.KIND:
            self.figures["missing_kind"] += 1.0
        elif word.sort is not Sort.FORM:
            self.figures[_MISSING.get(word.sort, "missing_word")] += 0.3 + 0.7 * word.rarity

    def weigh_name(self, naming: Naming, index: NameIndex) -> None:
        """Add what all words say together."""
        kind = self.profile.kind.split()
        if kind and any(word.sort is Sort.KIND for word in naming.words):
            self.figures["kind_share"] = len(self.kinds.intersection(kind)) / len(kind)
        self._weigh_sides(index)
        self._weigh_days(naming)
        self._weigh_changes(naming)
        self.figures["whole"] = float(any(name in self.profile.names for name in naming.whole))
        is_held = bool(naming.words) and not any(self.figures[name] for name in (*_MISSES, "misspelt"))
        self.figures["all"] = float(is_held)

    def _weigh_sides(self, index: NameIndex) -> None:
        """Shares of the names of one side and of another that were said."""
        shares: list[tuple[float, list[str]]] = []
        for side in map(str.split, self.profile.sides.split("|")):
            if said := sorted(self.likeness.keys() & set(side)):
                mass = sum(index.rarity(word) for word in side)
                of_said = sum(index.rarity(word) * self.likeness[word] for word in said)
                shares.append((-of_said / mass if mass else 0.0, said))
        if shares:
            (first, words), *others = sorted(shares)
            self.figures["first_side"] = -first
            apart = (-share for share, said in others if not set(said) & set(words))
            self.figures["second_side"] = max(apart, default=0.0)

    def _weigh_days(self, naming: Naming) -> None:
        own, filed = self.profile.days, self.profile.filed
        for day in naming.days:
            self.figures["first_day"] += float(any(each.startswith(day) for each in own[:1]))
            if len(day) > 4 and any(each.startswith(day) for each in (*own, *filed)):
                self.figures["day"] += 1.0
            elif any(each[:4] == day[:4] for each in own):
                self.figures["year"] += 1.0
            elif not any(each[:4] == day[:4] for each in filed):
                self.figures["other_year"] += 1.0

    def _weigh_changes(self, naming: Naming) -> None:
        if naming.changes and self.profile.changes:
            self.figures["changes"] = 1.0
            if naming.number and self.profile.number:
                self.figures["number" if naming.number == self.profile.number else "other_number"] = 1.0
        elif naming.changes:
            self.figures["changes_not"] = 1.0
        elif self.profile.changes:
            self.figures["changes_unsaid"] = 1.0


def _strength(match: _Match, places: int) -> float:
    return _PLACES[_STRONGEST[places]][1] * match.likeness * (0.02 + match.rarity)


def weigh_none(naming: Naming) -> NDArray[np.float64]:
    """The figures of there being no such document: (len(NONE_FEATURES),)."""
    names = sum(word.sort is Sort.NAME for word in naming.words)
    kinds = sum(word.sort is Sort.KIND for word in naming.words)
    words = len(naming.words) - names - kinds
    strange = sum(word.sort is Sort.NAME and not word.variants for word in naming.words)
    return np.array([1.0, float(names > 0), float(kinds > 0), float(words > 0), min(2.0, strange)])
