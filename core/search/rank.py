"""Candidates: passages found for a question, scored with their best sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import digits

import numpy as np
from numpy.typing import NDArray

from core.domain.ids import DocumentId, PassageId
from core.domain.passage import Matrix, StoredPassage, Vector
from core.index.base import EngineHit, Mode

BM25_SATURATION = 2.2  # k1 + 1: what a term's idf is multiplied with at most
# What a passage that is all figures gains where the question states a period; of .3 to .5 the middle one. The
# encoder finds rows of figures like no sentence, so that statements stood behind the prose about them.
FIGURES_WEIGHT = 0.4
MOST_FIGURES = 0.25  # of a passage's characters; statements have .15 to .25, prose .02
_DIGITS = 6  # beyond them encoding the same text twice differs


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """Summands of a score, to six digits.

    meaning: with what its figures gain, see `figures_gain`. named: for standing in a document that the
    question names, where it names one, or that a passage found for it names; below 0 where such passages
    went before it.
    """

    keyword: float
    meaning: float
    named: float = 0.0

    def halved(self, named: float = 0.0) -> ScoreParts:
        """Half of each, and `named`: for a search in which named documents stand first."""
        return ScoreParts(self.keyword / 2, self.meaning / 2, named)


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage found for a question, with what later stages need of it.

    score: what the list is ordered by, 0 to 1; passages of named documents stand first, at .5 and above.
    keyword, cosine: raw, None where the passage was not in that list.
    sentence_cosine: of its best sentence; sentence_vectors: (sentences, d) unit norm.
    parts: what the score is the sum of.
    """

    stored: StoredPassage
    score: float
    keyword: float | None
    cosine: float | None
    sentence_cosine: float | None
    sentence_vectors: Matrix
    parts: ScoreParts


@dataclass(frozen=True, slots=True)
class ScoredHit:
    """A hit of an engine with its score, and what that is made of; see RankedPassage."""

    hit: EngineHit
    score: float
    sentence_cosine: float | None
    sentence_vectors: Matrix
    parts: ScoreParts

    def of(self, stored: StoredPassage) -> RankedPassage:
        """The candidate, with its passage."""
        return RankedPassage(
            stored=stored,
            score=self.score,
            keyword=self.hit.keyword,
            cosine=self.hit.cosine,
            sentence_cosine=self.sentence_cosine,
            sentence_vectors=self.sentence_vectors,
            parts=self.parts,
        )


def score_hits(
    hits: Sequence[EngineHit],
    places: Mapping[PassageId, tuple[DocumentId, int]],
    sentence_vectors: Mapping[PassageId, Matrix],
    vector: Vector,
    idf_sum: float,
    *,
    mode: Mode,
    alpha: float,
    gains: Mapping[PassageId, float] | None = None,
) -> list[ScoredHit]:
    """The hits, best first; those that have no place, as records no longer hold them, are left out.

    places: document and ordinal of each passage. gains: what some gain in a hybrid search by their figures.

    Hybrid: alpha x mean of passage and best-sentence cosine + (1 - alpha) x keyword / (2.2 x idf sum),
    nothing scaled to the list at hand. Against min-max of the same lists it won on four of four sets
    (nDCG@10 Cranfield .428 -> .431, ACORD .523 -> .547; P@1 LegalBench-RAG .163 -> .179, chunking_eval
    .171 -> .175). Keyword and semantic searches keep the engine's order. Ties, to
    six digits, go by document and place in it: passage ids depend on which file was read first.
    """
    held = [hit for hit in hits if hit.passage in places]
    if not held:
        return []
    matrices = [sentence_vectors.get(hit.passage, np.zeros((0, len(vector)), np.float32)) for hit in held]
    best = best_sentence_cosines(matrices, vector)
    cosine = np.array([np.nan if hit.cosine is None else hit.cosine for hit in held])
    keyword = np.array([0.0 if hit.keyword is None else hit.keyword for hit in held])
    dense = np.where(np.isnan(best), cosine, (cosine + best) / 2)
    meaning = np.clip(np.nan_to_num(dense), 0, 1)
    words = np.clip(keyword / max(BM25_SATURATION * idf_sum, 1e-9), 0, 1)
    if mode is Mode.HYBRID:
        gained = np.array([gains.get(hit.passage, 0.0) for hit in held]) if gains else 0.0
        by_words = (1 - alpha) * words
        by_meaning = np.minimum(alpha * meaning + gained, 1 - by_words)
    else:
        plain, nothing = np.array([hit.score for hit in held]), np.zeros(len(held))
        by_meaning, by_words = (plain, nothing) if mode is Mode.SEMANTIC else (nothing, _scaled(plain))
    score = (by_meaning + by_words).round(_DIGITS)
    order = sorted(range(len(held)), key=lambda i: (-score[i], *places[held[i].passage]))
    return [
        ScoredHit(
            hit=held[i],
            score=float(score[i]),
            sentence_cosine=None if np.isnan(best[i]) else float(best[i]),
            sentence_vectors=matrices[i],
            parts=ScoreParts(float(by_words[i]), float(by_meaning[i])),
        )
        for i in order
    ]


def figures_gain(text: str) -> float:
    """What a passage gains by its figures where a question states a period, and so mostly asks for one."""
    share = sum(map(text.count, digits)) / max(len(text), 1)
    return FIGURES_WEIGHT * min(share, MOST_FIGURES)


def places_of(stored: Mapping[PassageId, StoredPassage]) -> dict[PassageId, tuple[DocumentId, int]]:
    """Document and ordinal of passages."""
    return {id: (each.passage.document, each.passage.ordinal) for id, each in stored.items()}


def leading(hits: Sequence[EngineHit], count: int) -> Sequence[EngineHit]:
    """The first hits, at least `count` of them, with all that tie with the last one: `score_hits`
    orders these."""
    if len(hits) <= count:
        return hits
    last, top = hits[count - 1].score, max(hits[0].score, 1e-12)
    # Scores are scaled and rounded before ties are told, so what lies within twice that tolerance may tie.
    tied = 2 * 10.0**-_DIGITS * max(top, 1.0)
    end = next((at for at in range(count, len(hits)) if last - hits[at].score > tied), len(hits))
    return hits[:end]


def _scaled(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores as shares of the highest."""
    return np.clip(scores / max(float(scores.max()), 1e-12), 0.0, 1.0)


def best_sentence_cosines(matrices: Sequence[Matrix], vector: Vector) -> NDArray[np.float64]:
    """(len(matrices),): each one's highest cosine with `vector`, NaN where there is none."""
    best = np.full(len(matrices), np.nan)
    sizes = np.array([len(matrix) for matrix in matrices])
    filled = np.flatnonzero(sizes)
    if not len(filled) or not vector.any():
        return best
    cosines = np.concatenate([matrix for matrix in matrices if len(matrix)]) @ vector
    starts = np.concatenate([[0], np.cumsum(sizes[filled])[:-1]])
    best[filled] = np.maximum.reduceat(cosines, starts)
    return best
