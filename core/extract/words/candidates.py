"""The best sentences of a document for a field in words, as people and as its head see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from core.config.fields import FieldDefinition
from core.domain.fields import ORDERED, Candidate, Quote
from core.domain.passage import Matrix
from core.domain.sentence_vectors import SentenceVectors
from core.domain.span import PageSpan
from core.extract.base import DocumentText
from core.extract.semantic import candidate_in
from core.extract.words.head import LOOKED_AT, WORDS, Candidates
from core.extract.words.ranking import SIGNS, FieldWords, measure, scores, telling
from core.extract.words.units import Units, units_of
from core.fields.typed import order_for, values_in

METHOD = "words"
_VALUE_SIGN = SIGNS.index("holds_value")
_LIKENESS, _COVERAGE = SIGNS.index("raw_likeness"), SIGNS.index("raw_coverage")
_READ_FOR_VALUES = 80
_LONGEST_SHOWN = 1_000

# Chance that a document states a field before anybody judged one, by its best sentence's likeness and the
# share of the description's words in it: fitted to 26 categories of CUAD in 60 contracts, none of which
# bench.custom_fields asks for.
_LIKE_WEIGHT, _COVER_WEIGHT, _CHANCE_SHIFT = 8.9, 7.4, -7.2


@dataclass(frozen=True, slots=True)
class RankedSentences:
    """Sentences of one document, best first, with where they stand. keys: equal for equal words."""

    document: DocumentText
    candidates: Candidates
    spans: tuple[tuple[int, int], ...]
    keys: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.spans)

    @property
    def chance(self) -> float:
        """Rough probability that the document states the field, before any verdict; 0.0 without sentences."""
        if not len(self):
            return 0.0
        signs = self.candidates.signs[:3]
        logit = _LIKE_WEIGHT * signs[:, _LIKENESS].max() + _COVER_WEIGHT * signs[:, _COVERAGE].max()
        return float(1 / (1 + np.exp(-(logit + _CHANCE_SHIFT))))

    def quote(self, at: int) -> Quote:
        """The sentence, as it stands on its page."""
        start, end = self.spans[at]
        return self.document.quote(start, min(end, start + _LONGEST_SHOWN))

    def row_of(self, span: PageSpan) -> int | None:
        """The best candidate that shares a character with a place; None where none does."""
        try:
            start = self.document.offset(span.page_no, span.start)
        except KeyError:
            return None
        end = start + span.end - span.start
        return next((at for at, (first, last) in enumerate(self.spans) if first < end and start < last), None)


def rank(
    document: DocumentText,
    definition: FieldDefinition,
    words: FieldWords,
    vectors: SentenceVectors | None,
    *,
    units: Units | None = None,
) -> RankedSentences:
    """The sentences of a document that most likely state the field. units: those of the text, if at hand."""
    read = units_of(document, vectors) if units is None else units
    signs = measure(read, words)
    order = np.argsort(-scores(read, signs), kind="stable")
    if definition.type in ORDERED:
        kind = order_for(definition, document.text, document.language)
        for at in order[:_READ_FOR_VALUES]:
            signs[at, _VALUE_SIGN] = bool(values_in(read.segments[at].text, definition, kind))
        order = np.argsort(-scores(read, signs), kind="stable")
    best = order[: LOOKED_AT if len(read) else 0]
    ranked = scores(read, signs)
    return RankedSentences(
        document,
        Candidates(
            tuple(int(at) for at in best),
            signs[best],
            read.means(best),
            np.array([hashed_words(read.terms[at]) for at in best], np.float32).reshape(len(best), WORDS),
            ranked[best],
        ),
        tuple((read.segments[at].start, read.segments[at].end) for at in best),
        tuple(sentence_key(read.segments[at].text) for at in best),
    )


def candidate_of(
    ranked: RankedSentences, at: int, definition: FieldDefinition, confidence: float
) -> Candidate:
    """One of the sentences with the value that is read in it; None as value where it holds none."""
    sure = min(0.99, max(0.01, confidence))
    return candidate_in(ranked.document, definition, ranked.quote(at), sure, METHOD)


def hashed_words(terms: Iterable[str]) -> Matrix:
    """(WORDS,) of unit norm: the telling words of a sentence by their hash."""
    found = np.zeros(WORDS, np.float32)
    rows: NDArray[np.int64] = np.array([crc32(term.encode()) % WORDS for term in telling(terms)], np.int64)
    found[rows] = 1
    norm = float(np.linalg.norm(found))
    return found / norm if norm else found


def sentence_key(text: str) -> str:
    """Equal for sentences of equal letters and digits, whatever stands between them."""
    return "".join(each for each in text.casefold() if each.isalnum())
