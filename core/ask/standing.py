"""How sure an answer may be by what it rests on: plain text, or a label, a head, a quotation."""

from __future__ import annotations

from collections.abc import Sequence

from core.ask.request import HIGH, MOST_CONFIDENT_IN_PART, QUOTES_HIGH, less_sure
from core.domain.answer import Answer, Citation, Claim, Route
from core.domain.ids import DocumentId
from core.search.evidence.base import PageSource, page_at
from core.store.database.visibility import Visibility
from core.text.marks import MarkKind, kind_at, kinds_named

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


def as_it_stands(answer: Answer, pages: PageSource, visible: Visibility) -> Answer:
    """The answer, not HIGH where its first claim rests on nothing but such places, and LOW on a bare label.

    What the question asks for itself (who sent it, what was deleted) is as good as plain text.
    """
    parts = tuple(as_it_stands(part, pages, visible) for part in answer.parts)
    answer = answer.model_copy(update={"parts": parts}) if parts != answer.parts else answer
    kind = _weakness(answer.question, answer.claims, pages, visible)
    if kind is None:
        return answer
    note = f"This rests on {_RESTS_ON[kind]}."
    most = (HIGH if answer.route is Route.STRUCTURED else QUOTES_HIGH) - 0.01
    gaps = tuple(dict.fromkeys((*answer.gaps, note)))
    if kind == "label":
        return less_sure(answer, MOST_CONFIDENT_IN_PART, gaps=gaps, value=None)
    return less_sure(answer, most, gaps=gaps)


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
