"""Resolution of words to the documents that they name: weighed word by word, ranked, or none."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.encode.base import TokenCounter
from core.plan.catalogue import DocumentEntry
from core.plan.names.index import NameIndex, NamePlace, NameProfile
from core.plan.names.naming import Naming, Sort, TellingWord, parse_naming

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
_IN_NAME = _OWN | NamePlace.KIND | NamePlace.INITIALS
_FEW = 3  # documents up to which a word may be said to be theirs alone
_LEAST_ALONE = 3  # letters of a word that may be theirs alone
_BEGUN = 0.85  # likeness from which a word may be theirs alone
_SAME = 0.5  # likeness from which another word says the same kind
_MISSES = ("strange", "kind_in_text", "missing_name", "missing_kind", "missing_word", "missing_number")
_STRONGEST = [next((name for name, (bit, _) in _PLACES.items() if at & bit), "") for at in range(256)]
_WEIGHTS = np.array([_PLACES[name][1] if name else 0.0 for name in _STRONGEST], dtype=np.float32)
WEIGHTS = Path(__file__).parent / "weights.toml"
_MOST_NAMED = 12  # candidates that are given
_ANYWHERE = 255
_BEGINNING = 10  # letters and digits of a file name that tell it
_CODE = 3  # digits of a number that may be a code
_NEVER = -20.0  # score of there being none where a document has the code that is said
_LEAST = 0.02  # probability below which nothing is offered

_MISSING = {Sort.NAME: "missing_name", Sort.NUMBER: "missing_number"}


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
        best, places = max(
            own, key=lambda one: _PLACES[_STRONGEST[one[1]]][1] * one[0].likeness * (0.02 + one[0].rarity)
        )
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


def weigh_none(naming: Naming) -> NDArray[np.float64]:
    """The figures of there being no such document: (len(NONE_FEATURES),)."""
    names = sum(word.sort is Sort.NAME for word in naming.words)
    kinds = sum(word.sort is Sort.KIND for word in naming.words)
    words = len(naming.words) - names - kinds
    strange = sum(word.sort is Sort.NAME and not word.variants for word in naming.words)
    return np.array([1.0, float(names > 0), float(kinds > 0), float(words > 0), min(2.0, strange)])


class NameDecision(StrEnum):
    """Outcome of a resolution."""

    ONE = "one"
    SEVERAL = "several"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class NameCandidate:
    """A document that words may name. probability: of all documents and of there being none, 0 to 1."""

    document: DocumentEntry
    probability: float


@dataclass(frozen=True, slots=True)
class NameResolution:
    """Documents that words may name, most probable first.

    Decision ONE: the first is meant. SEVERAL: those of `alike` are, and a person has to say which. NONE: no
    document is called so; the candidates are the nearest. unheld: the places of telling words that the first
    has nowhere. sharing: all that have the words in their names as the first has them, however much likelier
    it is: where a set is meant, none of them is left out.
    """

    decision: NameDecision
    candidates: tuple[NameCandidate, ...]
    unheld: tuple[tuple[int, int], ...] = ()
    sharing: tuple[DocumentEntry, ...] = ()

    @property
    def documents(self) -> tuple[DocumentEntry, ...]:
        """The document that is meant, or those of which one is, likeliest first; () where there is none."""
        if self.decision is NameDecision.NONE:
            return ()
        if self.decision is NameDecision.ONE:
            return (self.candidates[0].document,)
        return tuple(each.document for each in _alike(self.candidates))


def _alike(ranked: Sequence[NameCandidate]) -> list[NameCandidate]:
    least = _weights().alike * ranked[0].probability
    return [each for each in ranked if each.probability >= least]


@dataclass(frozen=True, slots=True)
class NameWeights:
    """Weights of the figures, and margins.

    sure: the share of the documents' probability from which the first is taken. alike: the share of the
    first's probability from which others are offered beside it. alone: the share from which it is taken
    where no other is offered.
    """

    figures: NDArray[np.float64]
    none: NDArray[np.float64]
    sure: float
    alike: float
    alone: float


@cache
def _weights() -> NameWeights:
    read = tomllib.loads(WEIGHTS.read_text(encoding="utf-8"))
    return NameWeights(
        np.array([read["figures"][name] for name in FEATURES]),
        np.array([read["none"][name] for name in NONE_FEATURES]),
        **read["margins"],
    )


def resolve(
    words: str,
    index: NameIndex,
    *,
    schemas: Collection[str] = (),
    buckets: Collection[str] = (),
    counter: TokenCounter | None = None,
) -> NameResolution:
    """The documents that some words of a question name.

    schemas, buckets: to which the document belongs, () for any. counter: tells words of the language from
    names; without it, words that no document has count as names.
    """
    naming = parse_naming(words, index, counter)
    allowed = _allowed(index, schemas, buckets)
    rows = candidates(naming, index, allowed)
    names = {each: index.profiles[each].names[0] for name in naming.whole for each in index.titled(name)}
    files = {row for row, name in names.items() if name in naming.whole and allowed[row]}
    if not files:
        starts = [each for each in naming.whole if len(each) >= _BEGINNING and any(map(str.isdigit, each))]
        files = {row for name in starts for row in index.beginning(name) if allowed[row]}
    if len(files) == 1:
        return NameResolution(NameDecision.ONE, (NameCandidate(index.entries[files.pop()], 1.0),))
    coded = _by_code(naming, index, rows)
    if len(coded) == 1:
        rows = coded
    known = _weights()
    none = float(weigh_none(naming) @ known.none) if len(coded) != 1 else _NEVER
    scores = np.append(weigh(naming, index, rows) @ known.figures, none)
    masses = np.exp(scores - scores.max())
    *shares, nothing = (masses / masses.sum()).tolist()
    order = sorted(zip(shares, rows, strict=True), key=lambda each: (-each[0], each[1]))[:_MOST_NAMED]
    ranked = tuple(
        NameCandidate(index.entries[row], share)
        for at, (share, row) in enumerate(order)
        if share >= _LEAST or at == 0
    )
    unheld = tuple(
        (word.start, word.end)
        for word in naming.words
        if not any(index.places([row], each.word)[0] for _, row in order[:1] for each in word.variants)
    )
    decision = _decide(naming, ranked, nothing, known)
    sharing = () if decision is NameDecision.NONE else _sharing(naming, index, order[0][1], allowed)
    return NameResolution(decision, ranked, unheld, sharing)


def _sharing(
    naming: Naming, index: NameIndex, first: int, allowed: NDArray[np.bool_]
) -> tuple[DocumentEntry, ...]:
    """The documents that have all words in their names which the first has there, and its days as said."""
    found = allowed.copy()
    for word in naming.words:
        own = [each for each in word.variants if index.places([first], each.word)[0] & _IN_NAME]
        least = max((each.likeness for each in own), default=2.0)
        has = np.zeros(len(index), dtype=np.bool_)
        for variant in word.variants if own else ():
            rows, places = index.holders(variant.word)
            has[rows] |= (variant.likeness >= least) & ((places & _IN_NAME) > 0)
        found &= has | (not own)
    said = [day for day in naming.days if _is_of(index.profiles[first], day)]
    rows_of_days = (
        row for row in np.flatnonzero(found) if all(_is_of(index.profiles[row], day) for day in said)
    )
    return tuple(index.entries[row] for row in rows_of_days)


def _is_of(profile: NameProfile, day: str) -> bool:
    return any(each.startswith(day) for each in (*profile.days, *profile.filed))


def _allowed(index: NameIndex, schemas: Collection[str], buckets: Collection[str]) -> NDArray[np.bool_]:
    allowed = np.ones(len(index), dtype=np.bool_)
    if schemas:
        allowed &= [each.schema in schemas for each in index.entries]
    if buckets:
        allowed &= [each.bucket in buckets for each in index.entries]
    return allowed


def _by_code(naming: Naming, index: NameIndex, rows: Sequence[int]) -> list[int]:
    """The documents whose file or title, or else whose opening, has the code of a name ("INV-20533")."""
    codes = [word.key for word in naming.words if word.sort is Sort.NUMBER]
    if not codes or max(map(len, codes)) < _CODE:
        return []

    def having(places: int) -> list[int]:
        held = [index.places(rows, code) & places for code in codes]
        return [row for row, *own in zip(rows, *held, strict=True) if all(own)]

    written = [
        row
        for row in rows
        if any(whole in name for whole in naming.whole for name in index.profiles[row].names)
    ]
    return written or having(NamePlace.FILE | NamePlace.TITLE) or having(_ANYWHERE)


def _decide(
    naming: Naming, ranked: tuple[NameCandidate, ...], none: float, known: NameWeights
) -> NameDecision:
    if not ranked or not (naming.words or naming.days or naming.changes or naming.whole):
        return NameDecision.NONE
    first = ranked[0].probability
    if none >= first:
        return NameDecision.NONE
    share = first / (1.0 - none)
    is_alone = len(_alike(ranked)) == 1 and share >= known.alone
    return NameDecision.ONE if share >= known.sure or is_alone else NameDecision.SEVERAL
