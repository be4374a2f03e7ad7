"""Scored sentences of one passage each, as ranking gives them."""

from __future__ import annotations

import numpy as np

from core.domain.ids import DocumentId, PassageId
from core.domain.passage import Passage, StoredPassage
from core.domain.span import PageSpan
from core.search.rank import RankedPassage
from core.search.sentences import ScoredSentence


def scored(
    text: str, *, score: float = 1.0, coverage: float = 0.5, title: str = "Pages", document: str = "d"
) -> ScoredSentence:
    """A sentence that is the whole of its passage, under a title."""
    span = PageSpan(1, 0, len(text))
    passage = Passage(DocumentId(document), 1, 0, (span,), text, (), 10, ((0, len(text)),))
    stored = StoredPassage(PassageId(text), passage, "pages", title, f"{document}.html", "html", ())
    candidate = RankedPassage(stored, 0.5, 1.0, 0.5, 0.5, np.zeros((0, 3), np.float32), {})
    return ScoredSentence(
        candidate=candidate,
        document=DocumentId(document),
        version=1,
        span=span,
        text=text,
        score=score,
        cosine=0.5,
        keyword=0.5,
        coverage=coverage,
        coverage_in_context=coverage,
        is_heading=False,
    )
