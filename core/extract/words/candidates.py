"""Method `words`: the sentences that most likely state a field, decided by its head if it has one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from core.config.fields import FieldDefinition, WordsExtractor
from core.domain.evidence.sentence_vectors import SentenceVectors
from core.domain.fields import ORDERED, Candidate, CellStatus, FieldType, Finding, Quote
from core.domain.passage import Matrix
from core.domain.span import PageSpan
from core.extract.base import DocumentText, uncertain
from core.extract.semantic import Encode, candidate_in
from core.extract.words.head import LEAST_VERDICTS, LOOKED_AT, WORDS, Candidates, WordHead
from core.extract.words.ranking import SIGNS, FieldWords, measure, scores, telling, words_of
from core.extract.words.units import Floats, Units, units_of
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


SHOWN = 3
_NOT_YET = (
    f"A best guess. It is decided by nobody yet: judge {LEAST_VERDICTS} documents or more of this field, and "
    "what its sentences have in common decides the others."
)


_NOT_KNOWN = (
    f"Not known yet. Judge {LEAST_VERDICTS} documents or more of this field: until these verdicts bear out "
    "what its sentences have in common, nothing tells how likely a yes is."
)


def find_in_words(
    units: Units,
    document: DocumentText,
    definition: FieldDefinition,
    extractor: WordsExtractor,
    vectors: SentenceVectors | None,
    encode: Encode | None,
    head: WordHead | None = None,
) -> Finding:
    """Present or absent where the head may say so, else uncertain with the best sentences.

    encode: None where there is no model at hand; sentences are then told apart by their words alone.
    """
    words = words_of(definition.title, extractor, encode)
    return decide(rank(document, definition, words, vectors, units=units), definition, head)


def decide(ranked: RankedSentences, definition: FieldDefinition, head: WordHead | None) -> Finding:
    """Finding of the ranked sentences of a document, by the head of the field where it has one.

    Of yes or no no guess is made before verdicts bear out its probability: there are sentences to judge only.
    """
    if not len(ranked):
        return uncertain(0.0, METHOD, note="The text has no sentences.")
    if head is None or not head.figures.get("verdicts"):
        chances = ranked.chance * np.array([1.0, 0.6, 0.4])
        candidates = [
            candidate_of(ranked, at, definition, float(chances[at])) for at in range(min(SHOWN, len(ranked)))
        ]
        return _open(candidates, definition, head, _NOT_YET)
    logits = head.weigh(ranked.candidates)
    order = np.argsort(-logits, kind="stable")
    p = head.probability(logits)
    shares = _shares(logits[order[:SHOWN]])
    if definition.type is FieldType.BOOLEAN:  # it is a yes wherever it is stated
        shares /= shares.max()
    candidates = [
        candidate_of(ranked, int(at), definition, p * float(share))
        for at, share in zip(order[:SHOWN], shares, strict=True)
    ]
    best = candidates[0]
    if ranked.keys[int(order[0])] in head.disputed:
        said = "People judged this very sentence as stating the field, and as not stating it."
        return _open(candidates, definition, head, said)
    if p >= head.present_from and best.value is not None and not definition.candidates_only:
        return Finding(
            CellStatus.PRESENT, (best.value,), best.spans, p, METHOD, tuple(candidates[1:]), head.said
        )
    unread = [page.page_no for page in ranked.document.pages if not page.text.strip()]
    if p < head.absent_below and not unread:
        return Finding(CellStatus.ABSENT, confidence=1 - p, method=METHOD, note=head.said)
    return _open(candidates, definition, head, _why(head, p, bool(unread)))


def head_for(heads: Mapping[str, str], field: str) -> WordHead | None:
    """The head of a field; None where it has none."""
    return _read(heads[field]) if field in heads else None


@lru_cache(maxsize=200)
def _read(text: str) -> WordHead:
    return WordHead.from_json(text)


def _shares(logits: Floats) -> Floats:
    weights = np.exp(logits - logits.max())
    return np.asarray(weights / weights.sum())


def _open(
    candidates: Sequence[Candidate], definition: FieldDefinition, head: WordHead | None, note: str
) -> Finding:
    if definition.type is FieldType.BOOLEAN and not (head is not None and head.is_calibrated):
        sentences = [replace(each, value=None, confidence=0.0) for each in candidates]
        return uncertain(0.0, METHOD, sentences, _NOT_KNOWN)
    return uncertain(max(each.confidence for each in candidates), METHOD, candidates, note)


def _why(head: WordHead, p: float, has_unread: bool) -> str:
    count = head.figures.get("verdicts", 0)
    if not head.decides:
        return (
            f"A best guess, {p:.0%} likely. Of the {count} verdicts too few agree with what their sentences "
            "have in common for it to decide."
        )
    if has_unread and p < head.absent_below:
        return f"{p:.0%} likely, but not all pages have readable text."
    return f"{p:.0%} likely, which lies between what its {count} verdicts let it call absent and present."
