"""Question as the answer stages know it: the ranked sentences and the passages they stand in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from core.domain.answer import QuotedPlace
from core.domain.document import Page
from core.domain.fields import Quote
from core.domain.ids import DocumentId
from core.errors import NotFoundError
from core.search.query import QuestionAnalysis
from core.search.rank import RankedPassage
from core.search.sentences import ScoredSentence
from core.store.database.visibility import Visibility

P = TypeVar("P", bound=QuotedPlace)


class PageSource(Protocol):
    """Reads stored page text; `records.documents` is the real one."""

    def page(self, id: DocumentId, version: int, page_no: int, visible: Visibility) -> Page:
        """One page of one version. Raises NotFoundError where it is unknown or not visible."""
        ...


def page_at(
    pages: PageSource, document: DocumentId, version: int, page_no: int, visible: Visibility
) -> Page | None:
    """A stored page; None where it is gone, or may not be seen."""
    try:
        return pages.page(document, version, page_no, visible)
    except NotFoundError:
        return None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Ranked sentences without near-duplicates, best first, and the passages they come from, best first."""

    analysis: QuestionAnalysis
    sentences: tuple[ScoredSentence, ...]
    candidates: tuple[RankedPassage, ...]
    named_documents: tuple[DocumentId, ...] = ()
    is_ambiguous: bool = False

    @property
    def best(self) -> ScoredSentence | None:
        """The sentence that answers best; None where nothing was found."""
        return self.sentences[0] if self.sentences else None


@dataclass(frozen=True, slots=True)
class Span:
    """A quoted place with what a citation needs; `quote` equals the page text [start:end]."""

    document: DocumentId
    version: int
    page: int
    start: int
    end: int
    quote: str
    title: str
    source: str

    @classmethod
    def of(cls, place: QuotedPlace) -> Span:
        """The place of a citation, or of other parts of answers."""
        return cls(**{name: getattr(place, name) for name in QuotedPlace.model_fields})

    @classmethod
    def of_quote(cls, document: DocumentId, version: int, quote: Quote, title: str, source: str) -> Span:
        """The place of a stored quote. title, source: what its document is called."""
        at = quote.span
        return cls(document, version, at.page_no, at.start, at.end, quote.quote, title, source)

    @property
    def page_key(self) -> tuple[DocumentId, int, int]:
        """Document, version and number of its page."""
        return self.document, self.version, self.page

    def holds(self, other: Span) -> bool:
        """True where all of another place lies within this one."""
        return self.page_key == other.page_key and self.start <= other.start and other.end <= self.end

    def part(self, text: str, start: int, end: int) -> Span:
        """Characters [start, end) of the same page. text: of the page."""
        return replace(self, start=start, end=end, quote=text[start:end])

    def as_place(self, kind: type[P], /, **more: object) -> P:
        """The place as a part of an answer. more: what such a part has beside it."""
        own = {name: getattr(self, name) for name in QuotedPlace.model_fields}
        return kind.model_validate({**own, **more})


def span_of(sentence: ScoredSentence) -> Span:
    """The sentence as a quoted place, without the white space around it."""
    text = sentence.text
    start = sentence.span.start + len(text) - len(text.lstrip())
    stripped = text.strip()
    return Span(
        document=sentence.document,
        version=sentence.version,
        page=sentence.span.page_no,
        start=start,
        end=start + len(stripped),
        quote=stripped,
        title=sentence.candidate.stored.name,
        source=sentence.candidate.stored.source,
    )
