"""Clauses of a contract, by trained linear heads: no torch, no scikit-learn, a third of a second."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.domain.fields import Candidate, CellStatus, FieldType, Finding, PromiseLevel, Quote, TypedValue
from core.extract.base import DocumentText, Thresholds, uncertain
from core.extract.clauses.artefact_file import Artefact, read_artefact
from core.extract.clauses.features import PatternBits
from core.extract.clauses.heads import DocumentScores, groups_by_type, measure
from core.extract.clauses.segments import Segment, segment

MAX_SPANS = 5


@dataclass(frozen=True, slots=True)
class RankedSegment:
    """A segment and how much it looks like a clause type; above 0 it is taken for one."""

    segment: Segment
    score: float


class ClauseHeads:
    """Loaded heads; thread-safe, shared by all documents."""

    def __init__(self, artefact: Artefact) -> None:
        self.artefact = artefact

    @classmethod
    def load(cls, path: Path | None = None) -> ClauseHeads:
        """The heads in folder `path`, or the shipped ones. Raises UsageError if they cannot be read."""
        return cls(read_artefact(path))

    @property
    def names(self) -> tuple[str, ...]:
        """The heads that decide, in the order of probabilities."""
        return self.artefact.heads.names[: len(self.artefact.thresholds)]  # JSON may order a mapping anew

    @property
    def levels(self) -> Mapping[PromiseLevel, Mapping[str, Thresholds]]:
        """Of every promise level the shipped thresholds of each deciding head."""
        return self.artefact.levels

    @cached_property
    def _patterns(self) -> PatternBits:
        return PatternBits(self.artefact.patterns)

    @cached_property
    def _groups(self) -> list[NDArray[np.int64]]:
        types = [each.type for each in self.artefact.patterns]
        return groups_by_type(self.names, self.artefact.pattern_types, types)

    def find(self, document: DocumentText) -> dict[str, HeadFinding]:
        """The probability of every deciding head, and its best spans; {} for a text without words."""
        scored = self.artefact.heads.score(segment(document.text), self._patterns)
        if not scored.document.segments:
            return {}
        found: dict[str, HeadFinding] = {}
        for head, (name, p) in enumerate(zip(self.names, self.probabilities(scored), strict=True)):
            best = ranked(scored, head, MAX_SPANS)
            spans = tuple((document.quote(each.segment.start, each.segment.end), each.score) for each in best)
            found[name] = HeadFinding(name, float(p), spans)
        return found

    def probabilities(self, scored: DocumentScores) -> NDArray[np.float64]:
        """(deciding heads,), calibrated."""
        found: list[NDArray[np.float64]] = []
        first = 0
        for part in self.artefact.parts:
            own = slice(first, first + part.heads)
            features = measure(
                DocumentScores(scored.document, scored.scores[:, own], scored.bits, scored.prior[own]),
                self._groups[own],
            )
            found.append(part.calibration.probabilities(part.stage.logits(features)))
            first += part.heads
        return np.concatenate(found)


def ranked(scored: DocumentScores, head: int, most: int) -> list[RankedSegment]:
    """The best segments of one head; equal scores in reading order."""
    scores = scored.scores[:, head]
    best = np.argsort(-scores, kind="stable")[:most]
    return [RankedSegment(scored.document.segments[i], float(scores[i])) for i in best]


NEVER = 1.01
"""As `present_from`: no probability reaches it."""
SHOWN = 3
"""How many spans an uncertain cell shows."""

_METHOD = "head"
_TRUE = TypedValue(FieldType.BOOLEAN, "true", 1, original="")


@dataclass(frozen=True, slots=True)
class HeadFinding:
    """Finding of a head on one document.

    probability: calibrated, that the document holds such a clause. spans: best first with their scores, at
    most five; () for a document without text.
    """

    head: str
    probability: float
    spans: tuple[tuple[Quote, float], ...] = ()


def decide(finding: HeadFinding, thresholds: Thresholds) -> Finding:
    """The cell that a probability and its spans amount to; the value of a present clause is "true"."""
    p = round(finding.probability, 4)  # as it is kept: a question may decide the cell anew by it
    candidates = tuple(Candidate(None, (quote,), round(p, 4), _METHOD) for quote, _ in finding.spans[:SHOWN])
    if p < thresholds.absent_below:
        return Finding(CellStatus.ABSENT, confidence=round(1 - p, 4), method=_METHOD, candidates=candidates)
    if p >= thresholds.present_from and finding.spans:
        best = finding.spans[0][0]
        return Finding(CellStatus.PRESENT, (_TRUE,), (best,), round(p, 4), _METHOD, candidates[1:])
    return uncertain(round(max(p, 1 - p), 4), _METHOD, candidates, thresholds.why)
