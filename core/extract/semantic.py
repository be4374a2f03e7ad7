"""Passages that mean what the examples mean, by the stored vectors of a document's sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.config.fields import FieldDefinition, SemanticExtractor
from core.domain.evidence.sentence_vectors import SentenceVectors
from core.domain.fields import Candidate, CellStatus, FieldType, Finding, Quote
from core.domain.passage import Matrix
from core.domain.span import PageSpan
from core.extract.base import DocumentText, uncertain
from core.fields.typed import boolean_value, order_for, values_in

PRESENT_FROM = 0.70
"""Cosine of the nearest sentence from which a field counts as stated."""

ABSENT_BELOW = 0.40
"""Cosine under which no sentence is worth showing."""

_CANDIDATES = 3

Encode = Callable[[Sequence[str]], Matrix]


def find_by_meaning(
    document: DocumentText,
    definition: FieldDefinition,
    extractor: SemanticExtractor,
    vectors: SentenceVectors | None,
    encode: Encode | None,
) -> Finding | None:
    """Method `semantic`: present where the sentence nearest to any example is near enough to it.

    Uncertain with the nearest sentences above a lower likeness, None below. encode: gives unit vectors of the
    examples by the model that made the sentence vectors; None where there is no model at hand, and then
    nothing is found.
    """
    if encode is None or vectors is None or not len(vectors.matrix):
        return None
    examples = _examples(encode, extractor.examples)
    if examples.shape[1] != vectors.matrix.shape[1]:
        return None  # another model made the stored vectors
    likeness: NDArray[np.float32] = (vectors.matrix @ examples.T).max(axis=1)
    nearest = [int(each) for each in np.argsort(-likeness, kind="stable")[:_CANDIDATES]]
    if likeness[nearest[0]] < ABSENT_BELOW:
        return None
    candidates = []
    for row in nearest:
        if likeness[row] >= ABSENT_BELOW:
            page_no, start, end = (int(each) for each in vectors.spans[row])
            begin = document.offset(page_no, start)
            quote = document.quote(begin, begin + end - start)
            sure = min(0.95, max(0.05, float(likeness[row])))
            candidates.append(candidate_in(document, definition, quote, sure, extractor.method))
    best, *others = candidates
    if best.confidence >= PRESENT_FROM and best.value is not None and not definition.candidates_only:
        return Finding(
            CellStatus.PRESENT, (best.value,), best.spans, best.confidence, extractor.method, tuple(others)
        )
    return uncertain(
        best.confidence,
        extractor.method,
        candidates,
        "The nearest sentences are not near enough to the examples to be sure.",
    )


@lru_cache(maxsize=200)
def _examples(encode: Encode, examples: tuple[str, ...]) -> Matrix:
    return encode(examples)


def candidate_in(
    document: DocumentText, definition: FieldDefinition, quote: Quote, sure: float, method: str
) -> Candidate:
    """A sentence with the first value that stands in it; without one half as sure."""
    if definition.type is FieldType.BOOLEAN:
        return Candidate(boolean_value(True, quote.quote[:200]), (quote,), sure, method)
    found = values_in(quote.quote, definition, order_for(definition, document.text, document.language))
    if not found:
        return Candidate(None, (quote,), sure * 0.5, method)
    first = found[0]
    span = PageSpan(quote.span.page_no, quote.span.start + first.start, quote.span.start + first.end)
    of_value = Quote(span, quote.quote[first.start : first.end])
    return Candidate(first.value, (of_value, quote) if of_value != quote else (quote,), sure, method)
