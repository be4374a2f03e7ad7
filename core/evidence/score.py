"""Fit of the evidence to the question: the features, the confidence, and its word.

Of all features that were tried, these order answerable before unanswerable questions best across
collections; core/answer/abstain.md has the figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.evidence.base import Evidence
from core.text.analyse import analyse

TOP = 3


@dataclass(frozen=True, slots=True)
class Features:
    """best_cosine: of the most similar sentence, -1 to 1. Coverages: share of the question's idf, 0 to 1.

    best_coverage: terms in the sentence nearest by meaning and words, whatever its passage; first_coverage:
    in the one ranked first. top_coverage: terms in the three best passages' texts.
    """

    best_cosine: float
    best_coverage: float
    top_coverage: float
    first_coverage: float = 0.0

    def as_row(self) -> tuple[float, float, float]:
        """The features in the order that the weights are stored in."""
        return (self.best_cosine, self.best_coverage, self.top_coverage)


def features(evidence: Evidence) -> Features:
    """The features of the evidence; all 0 where nothing was found."""
    if not evidence.sentences:
        return Features(0.0, 0.0, 0.0)
    passages = {s.candidate.stored.id: s.candidate.stored.passage.text for s in evidence.sentences[:TOP]}
    return Features(
        best_cosine=max(sentence.cosine for sentence in evidence.sentences),
        best_coverage=max(evidence.sentences, key=lambda s: s.cosine + s.keyword).coverage,
        top_coverage=coverage(evidence, list(passages.values())),
        first_coverage=evidence.sentences[0].coverage,
    )


def coverage(evidence: Evidence, texts: Sequence[str]) -> float:
    """Share of the question's weighted idf whose terms stand in any of the texts, 0 to 1."""
    analysis = evidence.analysis
    total = analysis.idf_sum
    if total <= 0:
        return 0.0
    present = {term for text in texts for term in analyse(text)}
    return sum(w * analysis.idf[term] for term, w in analysis.terms if term in present) / total


def logistic(weights: Sequence[float], bias: float, row: Sequence[float]) -> float:
    """1 / (1 + exp(-(bias + weights . row))), 0 to 1, without overflow."""
    z = bias + sum(w * x for w, x in zip(weights, row, strict=True))
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))
