"""Numbering citations and listing sources."""

from __future__ import annotations

from collections.abc import Sequence

from core.answer.draft import Draft
from core.domain.answer import Assets, Check, Citation, Claim, Source, Verdict
from core.domain.passage import StoredPassage
from core.evidence.base import Span


class Numbering:
    """Gives every cited span its number: 1, 2, 3 in order of first use, the same span the same number."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int, int, int, int], int] = {}

    def cite(self, span: Span) -> Citation:
        """The citation of a span."""
        key = (span.document, span.version, span.page_no, span.start, span.end)
        number = self._numbers.setdefault(key, len(self._numbers) + 1)
        return Citation(
            n=number,
            document=span.document,
            title=span.title,
            source=span.source,
            version=span.version,
            page=span.page_no,
            start=span.start,
            end=span.end,
            quote=span.quote,
        )

    def claim(self, draft: Draft, checks: Sequence[Check]) -> Claim:
        """The claim that a checked draft becomes: supported where every check holds."""
        holds = bool(checks) and all(check.ok for check in checks)
        return Claim(
            text=draft.text,
            verdict=Verdict.SUPPORTED if holds else Verdict.UNSUPPORTED,
            checks=tuple(checks),
            citations=tuple(dict.fromkeys(self.cite(span) for span in draft.spans)),
        )


def list_sources(claims: Sequence[Claim]) -> tuple[Source, ...]:
    """The cited documents in order of first citation, each with its cited pages in ascending order."""
    first: dict[str, Citation] = {}
    pages: dict[str, set[int]] = {}
    for claim in claims:
        for citation in claim.citations:
            first.setdefault(citation.document, citation)
            pages.setdefault(citation.document, set()).add(citation.page)
    return tuple(
        Source(
            n=c.n, document=c.document, title=c.title, source=c.source, pages=tuple(sorted(pages[c.document]))
        )
        for c in first.values()
    )


def collect_assets(claims: Sequence[Claim], passages: Sequence[StoredPassage]) -> Assets:
    """Images and PDFs of the passages that hold a cited span, in order, each once."""
    cited = [citation for claim in claims for citation in claim.citations]
    holding = [stored for stored in passages if any(_holds(stored, citation) for citation in cited)]
    return Assets(
        images=tuple(dict.fromkeys(image for stored in holding for image in stored.passage.images)),
        pdfs=tuple(dict.fromkeys(pdf for stored in holding for pdf in stored.passage.pdfs)),
    )


def _holds(stored: StoredPassage, citation: Citation) -> bool:
    passage = stored.passage
    return (passage.document, passage.version) == (citation.document, citation.version) and any(
        part.page_no == citation.page and part.start < citation.end and citation.start < part.end
        for part in passage.parts
    )
