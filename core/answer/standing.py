"""How sure an answer may be by what it rests on: plain text, or a label, a head, a quotation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.domain.answer import Answer, Citation, Claim, ConfidenceLabel, Status
from core.domain.ids import DocumentId
from core.search.evidence.base import PageSource, page_at
from core.store.database.visibility import Visibility
from core.text.marks import MarkKind, kind_at, kinds_named

HIGH, MEDIUM = 0.9, 0.75
"""Of a probability of being right: answers from there on are right in .95 and .8 where probabilities hold."""
MOST_CONFIDENT_IN_PART = 0.35  # of an answer of which only a part was understood or found: always LOW
NO_VALUE = "No value is stated: what is closest is a label without one."
_BEHIND_A_LABEL = 300  # characters within which another cited place gives what a label asks for
_RESTS_ON: dict[MarkKind, str] = {
    "deleted": "words that are deleted in the document",
    "comment": "a comment in the document",
    "header": "a header of the document",
    "footer": "a footer of the document",
    "quoted": "what the mail quotes of an older one",
    "head": "the head of a mail",
    "label": "a label without its value",
}


def label_of(confidence: float) -> ConfidenceLabel:
    """The word for a confidence."""
    if confidence >= HIGH:
        return ConfidenceLabel.HIGH
    return ConfidenceLabel.MEDIUM if confidence >= MEDIUM else ConfidenceLabel.LOW


def with_confidence(answer: Answer, confidence: float, **changes: Any) -> Answer:
    """The answer with this confidence, its word, and a flag where it tells something and is not sure."""
    label = label_of(confidence)
    is_flagged = label is ConfidenceLabel.LOW and bool(answer.claims or answer.ledger)
    flags = dict.fromkeys((*answer.flags, *(("low_confidence",) if is_flagged else ())))
    told = {"confidence": confidence, "confidence_label": label, "flags": tuple(flags)}
    return answer.model_copy(update=told | changes)


def less_sure(answer: Answer, most: float, **changes: Any) -> Answer:
    """The answer with these changes, and no surer than that."""
    return with_confidence(answer, min(answer.confidence, most), **changes)


def as_it_stands(answer: Answer, pages: PageSource, visible: Visibility) -> Answer:
    """The answer, not HIGH where its first claim rests on nothing but such places, none on a bare label.

    What the question asks for itself (who sent it, what was deleted) is as good as plain text.
    """
    parts = tuple(as_it_stands(part, pages, visible) for part in answer.parts)
    answer = answer.model_copy(update={"parts": parts}) if parts != answer.parts else answer
    kind = _weakness(answer.question, answer.claims, pages, visible)
    if kind is None:
        return answer
    note = f"This rests on {_RESTS_ON[kind]}."
    gaps = tuple(dict.fromkeys((*answer.gaps, note)))
    if kind == "label":
        told = answer.text if answer.status is Status.ABSTAINED else f"{NO_VALUE}\n\n{answer.text}"
        changes = {"status": Status.ABSTAINED, "text": told, "gaps": gaps, "value": None}
        return less_sure(answer, MOST_CONFIDENT_IN_PART, **changes)
    return less_sure(answer, HIGH - 0.01, gaps=gaps)


def _weakness(
    question: str, claims: Sequence[Claim], pages: PageSource, visible: Visibility
) -> MarkKind | None:
    """The kind of the first claim's places; None where any is plain text."""
    named, cited = kinds_named(question), [each for claim in claims for each in claim.citations]
    kinds: list[MarkKind] = []
    for citation in claims[0].citations if claims else ():
        page = page_at(pages, DocumentId(citation.document), citation.version, citation.page, visible)
        kind = kind_at(page.text, citation.start, citation.end) if page is not None else None
        is_filled = kind == "label" and any(_is_behind(citation, each) for each in cited)
        if kind not in _RESTS_ON or kind in named or is_filled:
            return None
        kinds.append(kind)
    return kinds[0] if kinds else None


def _is_behind(label: Citation, other: Citation) -> bool:
    is_here = (label.document, label.version, label.page) == (other.document, other.version, other.page)
    return is_here and 0 <= other.start - label.end <= _BEHIND_A_LABEL
