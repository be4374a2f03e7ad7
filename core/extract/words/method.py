"""Method `words`: the sentences that most likely state a field, decided by its head if it has one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from core.config.fields import FieldDefinition, WordsExtractor
from core.domain.fields import Candidate, CellStatus, Finding
from core.domain.sentence_vectors import SentenceVectors
from core.extract.base import DocumentText
from core.extract.semantic import Encode
from core.extract.words.candidates import METHOD, RankedSentences, candidate_of, rank
from core.extract.words.head import LEAST_VERDICTS, WordHead
from core.extract.words.ranking import words_of
from core.extract.words.units import Floats, Units

SHOWN = 3
_NOT_YET = (
    f"A best guess. It is decided by nobody yet: judge {LEAST_VERDICTS} documents or more of this field, and "
    "what its sentences have in common decides the others."
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
    """Finding of the ranked sentences of a document, by the head of the field where it has one."""
    if not len(ranked):
        return Finding(CellStatus.UNCERTAIN, method=METHOD, note="The text has no sentences.")
    if head is None or not head.figures.get("verdicts"):
        chances = ranked.chance * np.array([1.0, 0.6, 0.4])
        candidates = [
            candidate_of(ranked, at, definition, float(chances[at])) for at in range(min(SHOWN, len(ranked)))
        ]
        return _uncertain(candidates, _NOT_YET)
    logits = head.weigh(ranked.candidates)
    order = np.argsort(-logits, kind="stable")
    p = head.probability(logits)
    shares = _shares(logits[order[:SHOWN]])
    candidates = [
        candidate_of(ranked, int(at), definition, p * float(share))
        for at, share in zip(order[:SHOWN], shares, strict=True)
    ]
    best = candidates[0]
    if ranked.keys[int(order[0])] in head.disputed:
        return _uncertain(
            candidates, "People judged this very sentence as stating the field, and as not stating it."
        )
    if p >= head.present_from and best.value is not None and not definition.candidates_only:
        return Finding(
            CellStatus.PRESENT, (best.value,), best.spans, p, METHOD, tuple(candidates[1:]), head.said
        )
    unread = [page.page_no for page in ranked.document.pages if not page.text.strip()]
    if p < head.absent_below and not unread:
        return Finding(CellStatus.ABSENT, confidence=1 - p, method=METHOD, note=head.said)
    return _uncertain(candidates, _why(head, p, bool(unread)))


def head_for(heads: Mapping[str, str], field: str) -> WordHead | None:
    """The head of a field; None where it has none."""
    return _read(heads[field]) if field in heads else None


@lru_cache(maxsize=200)
def _read(text: str) -> WordHead:
    return WordHead.from_json(text)


def _shares(logits: Floats) -> Floats:
    weights = np.exp(logits - logits.max())
    return np.asarray(weights / weights.sum())


def _uncertain(candidates: Sequence[Candidate], note: str) -> Finding:
    best = max(each.confidence for each in candidates)
    return Finding(
        CellStatus.UNCERTAIN, confidence=best, method=METHOD, candidates=tuple(candidates), note=note
    )


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
