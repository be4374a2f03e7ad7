"""Carry-over of a reviewer's decision to another version of the document, where it still holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.domain.fields import CellStatus, Finding, Quote
from core.domain.span import PageSpan
from core.text.patterns import late_pattern

Texts = Mapping[int, str]
"""The texts of a version's pages by number."""

_NEAR = 40
# Letters of scripts that are written without blanks touch their neighbours always, and join nothing.
_LETTER = r"(?![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff])\w"
_MARK = r"[.,'\u2019/\u2013\u2212-]"
_BEFORE = late_pattern(  # no character in two ways
    rf"(?:{_LETTER}|(?<=\w)[.,'\u2019/\u2013]|[-+\u2212$\u20ac\u00a3\u00a5]){{0,{_NEAR}}}\Z"
)
_AFTER = late_pattern(
    rf"(?:{_MARK}?{_LETTER})*[%\u00bd\u00bc\u00be]?"
    r"(?:[ \u00a0]?(?:hundred|thousand|million|billion|trillion|mio|mrd|mn|bn|per[ ]?cent|%)(?!\w))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Joined:
    """Characters that a span is joined to on both sides: "" where it stands by itself."""

    before: str = ""
    after: str = ""


def moved(
    reviewed: Finding, before: Finding | None, now: Finding, texts: Texts, earlier: Texts
) -> Finding | None:
    """The reviewed finding with its spans in these pages; None where it has to be looked at again.

    A span stands where it stood, else where its characters stand once on the same page, else once anywhere;
    never within a longer number or word than it was in: "$5,000" does not stand in "$5,000,000".
    What has no span holds while extraction says what it said `before`; absence, while it finds nothing new.
    texts: of the new version; earlier: of the version in which the spans stood.
    """
    if reviewed.spans:
        spans = tuple(_found(quote, texts, earlier) for quote in reviewed.spans)
        kept = tuple(quote for quote in spans if quote is not None)
        return replace(reviewed, spans=kept) if len(kept) == len(spans) else None
    if reviewed.status is CellStatus.ABSENT:
        known = _characters(before)
        is_new = now.status is CellStatus.PRESENT and not _characters(now) <= known
        return None if is_new else reviewed
    is_same = before is not None and (before.status, before.values) == (now.status, now.values)
    return reviewed if is_same else None


def quotes_stand(quotes: tuple[Quote, ...], texts: Texts) -> bool:
    """True where every span holds exactly its characters."""
    return all(_stands(quote, texts) for quote in quotes)


def _found(quote: Quote, texts: Texts, earlier: Texts) -> Quote | None:
    if not quote.quote:
        return None
    span, length = quote.span, len(quote.quote)
    joined = _joined(earlier[span.page_no], span.start, length) if _stands(quote, earlier) else _Joined()
    own = texts.get(span.page_no, "")
    if _stands(quote, texts) and _joined(own, span.start, length) == joined:
        return quote
    places = _places(quote.quote, joined, {span.page_no: own})
    places = places if len(places) == 1 else _places(quote.quote, joined, texts)
    if len(places) != 1:
        return None
    page_no, start = places[0]
    return Quote(PageSpan(page_no, start, start + length), quote.quote)


def _stands(quote: Quote, texts: Texts) -> bool:
    span = quote.span
    is_within = 0 <= span.start < span.end
    return is_within and texts.get(span.page_no, "")[span.start : span.end] == quote.quote


def _places(wanted: str, joined: _Joined, texts: Texts) -> list[tuple[int, int]]:
    """Places of the characters, joined so; two are enough to know that they do not stand once."""
    places: list[tuple[int, int]] = []
    for page_no, text in texts.items():
        at = text.find(wanted)
        while at >= 0 and len(places) < 2:
            if _joined(text, at, len(wanted)) == joined:
                places.append((page_no, at))
            at = text.find(wanted, at + 1)
    return places


def _joined(text: str, start: int, length: int) -> _Joined:
    end = start + length
    before = _BEFORE.search(text[max(0, start - _NEAR) : start])
    after = _AFTER.match(text[end : end + _NEAR])
    return _Joined(before[0] if before else "", after[0] if after else "")


def _characters(finding: Finding | None) -> frozenset[str]:
    if finding is None:
        return frozenset()
    candidates = (quote for each in finding.candidates for quote in each.spans)
    return frozenset(quote.quote for quote in (*finding.spans, *candidates))
