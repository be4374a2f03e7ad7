"""Resolution of words to the documents that they name: ranked by joint evidence, or none."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.encode.base import TokenCounter
from core.plan.catalogue import DocumentEntry
from core.plan.names.evidence import FEATURES, NONE_FEATURES, candidates, weigh, weigh_none
from core.plan.names.index import NameIndex
from core.plan.names.naming import Naming, Sort, parse_naming
from core.plan.names.profile import NamePlace

WEIGHTS = Path(__file__).parent / "weights.toml"
_MOST = 12  # candidates that are given
_ANYWHERE = 255
_BEGINNING = 10  # letters and digits of a file name that tell it
_CODE = 3  # digits of a number that may be a code
_NEVER = -20.0  # score of there being none where a document has the code that is said
_LEAST = 0.02  # probability below which nothing is offered


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
    has nowhere.
    """

    decision: NameDecision
    candidates: tuple[NameCandidate, ...]
    unheld: tuple[tuple[int, int], ...] = ()

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
    order = sorted(zip(shares, rows, strict=True), key=lambda each: (-each[0], each[1]))[:_MOST]
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
    return NameResolution(_decide(naming, ranked, nothing, known), ranked, unheld)


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
