"""Passages that mean what the examples mean, by the stored vectors of a document's sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.config.fields import Extractor, FieldDefinition, SemanticExtractor
from core.domain.fields import Candidate, CellStatus, FieldType, Finding, Quote
from core.domain.passage import Matrix
from core.domain.sentence_vectors import SentenceVectors
from core.domain.span import PageSpan
from core.extract.base import DocumentText
from core.fields.typed import boolean_value, order_for, values_in
from core.values.dates import Order

PRESENT_FROM = 0.70
"""Cosine of the nearest sentence from which a field counts as stated."""

ABSENT_BELOW = 0.40
"""Cosine under which no sentence is worth showing."""

_CANDIDATES = 3

Encode = Callable[[Sequence[str]], Matrix]


class Semantic:
    """Method `semantic`: the sentence nearest to any example.

    encode: gives unit vectors of the examples by the model that made the sentence vectors; None where there
    is no model at hand, and then nothing is found.
    """

    name = "semantic"

    def __init__(self, encode: Encode | None) -> None:
        self._encode = encode
        self._examples = lru_cache(maxsize=200)(self._encoded)

    @property
    def is_ready(self) -> bool:
        """True where there is a model to read the examples with."""
        return self._encode is not None

    def find_in(
        self,
        document: DocumentText,
        definition: FieldDefinition,
        extractor: Extractor,
        vectors: SentenceVectors | None,
    ) -> Finding | None:
        """Present above one likeness, uncertain with the nearest sentences above another, None below."""
        if not isinstance(extractor, SemanticExtractor) or self._encode is None:
            return None
        if vectors is None or not len(vectors.matrix):
            return None
        examples = self._examples(extractor.examples)
        if examples.shape[1] != vectors.matrix.shape[1]:
            return None  # another model made the stored vectors
        likeness: NDArray[np.float32] = (vectors.matrix @ examples.T).max(axis=1)
        nearest = [int(each) for each in np.argsort(-likeness, kind="stable")[:_CANDIDATES]]
        if likeness[nearest[0]] < ABSENT_BELOW:
            return None
        order = order_for(definition, document.text, document.language)
        candidates = [
            _candidate(document, definition, vectors.spans[row], float(likeness[row]), order, self.name)
            for row in nearest
            if likeness[row] >= ABSENT_BELOW
        ]
        best = candidates[0]
        is_value = best.value is not None
        if best.confidence >= PRESENT_FROM and is_value and not definition.candidates_only:
            values = (best.value,) if best.value is not None else ()
            return Finding(
                CellStatus.PRESENT, values, best.spans, best.confidence, self.name, tuple(candidates[1:])
            )
        return Finding(
            CellStatus.UNCERTAIN,
            confidence=best.confidence,
            method=self.name,
            candidates=tuple(candidates),
            note="The nearest sentences are not near enough to the examples to be sure.",
        )

    def _encoded(self, examples: tuple[str, ...]) -> Matrix:
        assert self._encode is not None
        return self._encode(examples)


def _candidate(
    document: DocumentText,
    definition: FieldDefinition,
    place: NDArray[np.int64],
    likeness: float,
    order: Order,
    method: str,
) -> Candidate:
    page_no, start, end = (int(each) for each in place)
    begin = document.offset(page_no, start)
    quote = document.quote(begin, begin + end - start)
    confidence = min(0.95, max(0.05, likeness))
    if definition.type is FieldType.BOOLEAN:
        return Candidate(boolean_value(True, quote.quote[:200]), (quote,), confidence, method)
    found = values_in(quote.quote, definition, order)
    if not found:
        return Candidate(None, (quote,), confidence * 0.5, method)
    first = found[0]
    span = PageSpan(page_no, quote.span.start + first.start, quote.span.start + first.end)
    of_value = Quote(span, quote.quote[first.start : first.end])
    return Candidate(first.value, (of_value, quote), confidence, method)
