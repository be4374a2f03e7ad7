"""Sentences of the best passages, scored as answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.ids import DocumentId
from core.domain.span import PageSpan
from core.retrieval.query import QuestionAnalysis
from core.retrieval.rank import Candidate

TOP_PASSAGES = 20


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence of a candidate: `text` equals the stored page text at `span`.

    score: what the list is ordered by, comparable within one question only. cosine: with the question.
    keyword: BM25 of title, section and sentence. coverage: share of the question's idf whose terms stand in
    the sentence itself, 0 to 1; coverage_in_context: in title, section or sentence.
    """

    candidate: Candidate
    document: DocumentId
    version: int
    span: PageSpan
    text: str
    score: float
    cosine: float
    keyword: float
    coverage: float
    coverage_in_context: float
    is_heading: bool


def rank_sentences(
    analysis: QuestionAnalysis, candidates: Sequence[Candidate], *, passages: int = TOP_PASSAGES
) -> list[ScoredSentence]:
    """Every sentence of the first `passages` candidates, the best answer first; [] for no candidates.

    A sentence that stands in two overlapping passages is given once.
    """
    raise NotImplementedError
