"""Candidates: passages found for a question, scored with their best sentences."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.passage import Matrix, StoredPassage


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage found for a question, with what later stages need of it.

    score: what the list is ordered by; named documents' passages stand first. relevance: absolute, 0 to 1,
    comparable between questions: .5 cosine + .5 keyword / (2.2 x idf sum). keyword, cosine: None where the
    passage was not in that list. sentence_cosine: of its best sentence. sentence_vectors: (sentences, d) unit norm.
    """

    stored: StoredPassage
    score: float
    relevance: float
    keyword: float | None
    cosine: float | None
    sentence_cosine: float | None
    is_named: bool
    sentence_vectors: Matrix
