"""Whether what a reviewer decided still holds in another version of the document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.domain.fields import CellStatus, Finding, Quote
from core.domain.span import PageSpan


def moved(
    reviewed: Finding, before: Finding | None, now: Finding, texts: Mapping[int, str]
) -> Finding | None:
    """The reviewed finding with its spans in these pages; None where it has to be looked at again.

    A span stands where it stood, else where its characters stand once on the same page, else once anywhere.
    What has no span holds while extraction says what it said `before`; absence, while it finds nothing new.
    texts: page texts of the new version by number.
    """
    if reviewed.spans:
        spans = tuple(_found(quote, texts) for quote in reviewed.spans)
        kept = tuple(quote for quote in spans if quote is not None)
        return replace(reviewed, spans=kept) if len(kept) == len(spans) else None
    if reviewed.status is CellStatus.ABSENT:
        known = _characters(before)
        is_new = now.status is CellStatus.PRESENT and not _characters(now) <= known
        return None if is_new else reviewed
    is_same = before is not None and (before.status, before.values) == (now.status, now.values)
    return reviewed if is_same else None


def quotes_stand(quotes: tuple[Quote, ...], texts: Mapping[int, str]) -> bool:
    """Whether every span holds exactly its characters."""
    return all(_stands(quote, texts) for quote in quotes)


def _found(quote: Quote, texts: Mapping[int, str]) -> Quote | None:
    if not quote.quote:
        return None
    if _stands(quote, texts):
        return quote
    own = _places(quote.quote, {quote.span.page_no: texts.get(quote.span.page_no, "")})
    places = own if len(own) == 1 else _places(quote.quote, texts)
    if len(places) != 1:
        return None
    page_no, start = places[0]
    return Quote(PageSpan(page_no, start, start + len(quote.quote)), quote.quote)


def _stands(quote: Quote, texts: Mapping[int, str]) -> bool:
    span = quote.span
    is_within = 0 <= span.start < span.end
    return is_within and texts.get(span.page_no, "")[span.start : span.end] == quote.quote


def _places(wanted: str, texts: Mapping[int, str]) -> list[tuple[int, int]]:
    """Where the characters stand; two places are enough to know that they do not stand once."""
    places: list[tuple[int, int]] = []
    for page_no, text in texts.items():
        at = text.find(wanted)
        while at >= 0 and len(places) < 2:
            places.append((page_no, at))
            at = text.find(wanted, at + 1)
    return places


def _characters(finding: Finding | None) -> frozenset[str]:
    if finding is None:
        return frozenset()
    candidates = (quote for each in finding.candidates for quote in each.spans)
    return frozenset(quote.quote for quote in (*finding.spans, *candidates))
