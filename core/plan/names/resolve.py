"""Resolution of words to the documents that they name: ranked by joint evidence, or none."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
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
from core.plan.names.naming import Naming, parse_naming

WEIGHTS = Path(__file__).parent / "weights.toml"
_MOST = 12  # candidates that are given
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
    """Documents that words may name, most probable first. none: the probability that no document is meant.

    Decision ONE: the first is meant. SEVERAL: those of `alike` are, and a person has to say which. NONE: no
    document is called so; the candidates are the nearest.
    """

    words: str
    decision: NameDecision
    candidates: tuple[NameCandidate, ...]
    none: float

    @property
    def documents(self) -> tuple[DocumentEntry, ...]:
        """The document that is meant, or those of which one is; () where there is none."""
        if self.decision is NameDecision.NONE:
            return ()
        if self.decision is NameDecision.ONE:
            return (self.candidates[0].document,)
        first = self.candidates[0].probability
        return tuple(
            each.document for each in self.candidates if each.probability >= _weights().alike * first
        )


@dataclass(frozen=True, slots=True)
class NameWeights:
    """Weights of the figures, and margins. sure: the probability from which the first is taken.

    alike: the share of the first's probability from which others are offered beside it.
    """

    figures: NDArray[np.float64]
    none: NDArray[np.float64]
    sure: float
    margin: float
    alike: float


@cache
def _weights() -> NameWeights:
    read = tomllib.loads(WEIGHTS.read_text(encoding="utf-8"))
    return NameWeights(
        np.array([read["figures"][name] for name in FEATURES]),
        np.array([read["none"][name] for name in NONE_FEATURES]),
        read["margins"]["sure"],
        read["margins"]["margin"],
        read["margins"]["alike"],
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
    file = [row for row in rows if index.profiles[row].file in naming.whole]
    if len(file) == 1:
        return NameResolution(words, NameDecision.ONE, (NameCandidate(index.entries[file[0]], 1.0),), 0.0)
    known = _weights()
    scores = weigh(naming, index, rows) @ known.figures
    none = float(weigh_none(naming) @ known.none)
    top = max([none, *scores.tolist()])
    masses = np.exp(scores - top)
    nothing = float(np.exp(none - top))
    total = float(masses.sum()) + nothing
    order: list[int] = np.lexsort((np.array(rows), -scores)).tolist() if rows else []
    ranked = tuple(
        NameCandidate(index.entries[rows[at]], float(masses[at]) / total)
        for at in order
        if float(masses[at]) / total >= _LEAST or at == order[0]
    )[:_MOST]
    return NameResolution(words, _decide(naming, ranked, nothing / total, known), ranked, nothing / total)


def _allowed(
    index: NameIndex, schemas: Collection[str], buckets: Collection[str]
) -> NDArray[np.bool_] | None:
    if not schemas and not buckets:
        return None
    return np.fromiter(
        (
            (not schemas or e.schema in schemas) and (not buckets or e.bucket in buckets)
            for e in index.entries
        ),
        dtype=np.bool_,
        count=len(index),
    )


def _decide(
    naming: Naming, ranked: tuple[NameCandidate, ...], none: float, known: NameWeights
) -> NameDecision:
    if not ranked or not (naming.words or naming.days or naming.changes or naming.whole):
        return NameDecision.NONE
    first = ranked[0].probability
    if none >= first:
        return NameDecision.NONE
    second = ranked[1].probability if len(ranked) > 1 else 0.0
    if first >= known.sure * (first + second) and first >= known.margin:
        return NameDecision.ONE
    return NameDecision.SEVERAL
