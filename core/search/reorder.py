"""Candidates in the order of a reranker: their scores stay those of the search, dealt out anew."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.domain.answer import Degradation
from core.errors import PluginError, RerankError
from core.rerank.base import Reranker
from core.search.rank import RankedPassage, ScoreParts


class Reordering:
    """Reads the first candidates again. open: gives the reranker, None for none; it is opened once."""

    def __init__(self, open: Callable[[], Reranker | None], top: int) -> None:
        self._open, self.top = open, top

    def apply(
        self, question: str, found: Sequence[RankedPassage]
    ) -> tuple[tuple[RankedPassage, ...], tuple[Degradation, ...]]:
        """The candidates in their new order; as they were, with a degradation, where no scores came in time.

        Passages of a document that the question names stay before all others.
        """
        first, rest = found[: self.top], found[self.top :]
        try:
            reranker = self._open()
            if reranker is None or len(first) < 2:
                return tuple(found), ()
            scores = _scores(reranker, question, [each.stored.passage.text for each in first])
        except (RerankError, PluginError) as error:
            told = f"Passages stand in the order of the search. {error.message}"
            return tuple(found), (Degradation(code="E005", message=told),)
        order = sorted(range(len(first)), key=lambda at: (first[at].parts.named <= 0, -scores[at], at))
        dealt = zip(order, first, strict=True)
        return (*(with_score(first[at], holder.score) for at, holder in dealt), *rest), ()


def with_score(each: RankedPassage, score: float) -> RankedPassage:
    """The passage with another score, whose parts sum to it."""
    if score == each.score:
        return each
    share = score / each.score if each.score else 0.0
    parts = ScoreParts(each.parts.keyword * share, each.parts.meaning * share, each.parts.named * share)
    return replace(each, score=score, parts=parts)


def _scores(reranker: Reranker, question: str, texts: Sequence[str]) -> Sequence[float]:
    scores = list(reranker.score(question, texts))
    if len(scores) != len(texts) or not all(map(math.isfinite, scores)):
        raise RerankError(f"The reranker gave {len(scores)} scores for {len(texts)} passages.")
    return scores
