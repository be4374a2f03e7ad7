"""Drafts of claims: numbered with their citations, checked against stored pages, written as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.answer.value import show_value
from core.domain.answer import Assets, Check, Citation, Claim, Source, Value, Verdict
from core.domain.passage import StoredPassage
from core.search.evidence.base import PageSource, Span, page_at
from core.store.database.visibility import Visibility
from core.text.markdown import escape, flatten, without_signs


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim to be checked: quoted spans, with a label of our own words before them, or "".

    marker: how the line starts in a list: "-", "1." for its own number, "" for a paragraph of its own.
    is_led_in: it belongs to the claim before it, which leads it in. is_cut, is_cut_before: its sentence goes
    on behind the last quote, or began before the first one. is_whole: a row or a line, and no sentence.
    """

    spans: tuple[Span, ...]
    label: str = ""
    marker: str = ""
    is_led_in: bool = False
    is_cut: bool = False
    is_cut_before: bool = False
    is_whole: bool = False

    @property
    def quote(self) -> str:
        """The quoted words, several spans joined by an ellipsis, which stands for what is cut off, too."""
        quote = " … ".join(flatten(span.quote) for span in self.spans)
        return f"{'… ' if self.is_cut_before else ''}{quote}{' …' if self.is_cut else ''}"

    @property
    def text(self) -> str:
        """The claim as a plain sentence."""
        return f"{self.label}: {self.quote}" if self.label else self.quote

    @property
    def shown(self) -> Draft:
        """The draft as people read it: quotes of Markdown without its signs."""
        spans = tuple(
            replace(each, quote=without_signs(each.quote) or each.quote)
            if each.source.casefold().endswith((".md", ".markdown"))
            else each
            for each in self.spans
        )
        return replace(self, spans=spans)


@dataclass(frozen=True, slots=True)
class Layout:
    """An answer before checking: drafts in order, with the words of our own around them.

    lead stands before the first claim, aside before the next that it does not lead in, closing after the
    last one. has_rivals: the claims state different values, so there is no one direct answer. gaps: what is
    known to be missing. value: the direct answer, where the layout was made around one; confidence: how sure
    it is by what it was made from, None where the passages tell. is_in_doubt: the first claim may not be what
    was asked for.
    """

    drafts: tuple[Draft, ...]
    lead: str = ""
    aside: str = ""
    closing: str = ""
    is_complete: bool = True
    has_rivals: bool = False
    gaps: tuple[str, ...] = ()
    value: Value | None = None
    confidence: float | None = None
    is_in_doubt: bool = False


class Numbering:
    """Gives every cited span its number: 1, 2, 3 in order of first use, the same span the same number."""

    def __init__(self, given: Iterable[Citation] = ()) -> None:
        """given: citations that have their numbers already."""
        self._numbers: dict[tuple[str, int, int, int, int], int] = {
            (each.document, each.version, each.page, each.start, each.end): each.n for each in given
        }

    def cite(self, span: Span) -> Citation:
        """The citation of a span."""
        key = (*span.page_key, span.start, span.end)
        number = self._numbers.setdefault(key, 1 + max(self._numbers.values(), default=0))
        return span.as_place(Citation, n=number)

    def claim(self, draft: Draft, checks: Sequence[Check]) -> Claim:
        """The claim that a checked draft becomes: supported where every check holds."""
        holds = bool(checks) and all(check.ok for check in checks)
        return Claim(
            text=draft.shown.text,
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


_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")


class Verifier:
    """Checks drafts of one answer; reads every page once. Not shared between answers."""

    def __init__(self, pages: PageSource, visibility: Visibility, question: str = "") -> None:
        self._pages = pages
        self._visibility = visibility
        self._question = question
        self._texts: dict[tuple[str, int, int], str | None] = {}

    def check(self, draft: Draft) -> tuple[Check, ...]:
        """The checks of a draft: quote (stored text at its offsets), words and numbers (nothing added)."""
        return (self.check_quotes(draft.spans), _words(draft), _numbers(draft, self._question))

    def page_text(self, span: Span) -> str | None:
        """The stored text of the span's page; None where it is gone or may not be seen."""
        key = span.page_key
        if key not in self._texts:
            page = page_at(self._pages, *key, self._visibility)
            self._texts[key] = None if page is None else page.text
        return self._texts[key]

    def check_quotes(self, spans: Sequence[Span]) -> Check:
        """Check that every span holds, in the stored text, the characters that it quotes."""
        for span in spans:
            text = self.page_text(span)
            if text is None:
                return Check(name="quote", ok=False, detail=f"Page {span.page} of {span.title!r} is gone.")
            if not span.quote or text[span.start : span.end] != span.quote:
                return Check(
                    name="quote", ok=False, detail=f"Page {span.page} of {span.title!r} reads otherwise."
                )
        return Check(name="quote", ok=bool(spans), detail="" if spans else "The claim cites nothing.")


def _words(draft: Draft) -> Check:
    missing = [span for span in draft.spans if flatten(span.quote) not in draft.text]
    return Check(
        name="words", ok=not missing, detail="" if not missing else "A quoted span is not in the claim."
    )


def _numbers(draft: Draft, question: str) -> Check:
    known = " ".join((question, *(part for s in draft.spans for part in (s.quote, s.title, s.source))))
    stated = set(_NUMBER.findall(known))
    invented = [number for number in _NUMBER.findall(draft.text) if number not in stated]
    detail = "" if not invented else f"Not in the cited text: {', '.join(invented[:3])}."
    return Check(name="numbers", ok=not invented, detail=detail)


_OWN_NUMBER = re.compile(r"(?:step\s+)?(?P<number>\d{1,2})[.):]\s+(?=\S)", re.IGNORECASE)


def render_text(layout: Layout, drafts: Sequence[Draft], claims: Sequence[Claim], value: Value | None) -> str:
    """Lead, value, claims with their citation marks, closing; drafts[i] is what claims[i] was made from."""
    blocks: list[str] = [layout.lead] if layout.lead else []
    if value is not None:
        blocks.append(f"**{escape(show_value(value))}**")
    lines: list[str] = []
    is_aside = False
    for at, (draft, claim) in enumerate(zip(drafts, claims, strict=True)):
        if at and not draft.is_led_in and not is_aside and layout.aside:
            blocks.append("\n".join(lines))
            lines = []
            blocks.append(layout.aside)
            is_aside = True
        lines.append(_line(draft, claim))
    blocks += ["\n".join(lines), layout.closing]
    return "\n\n".join(block for block in blocks if block)


def _line(draft: Draft, claim: Claim) -> str:
    marks = "".join(f"[{citation.n}]" for citation in claim.citations)
    label = f"**{escape(draft.label)}**: " if draft.label else ""
    prefix = f"{draft.marker} " if draft.marker else ""
    quote = draft.shown.quote
    own_number = _OWN_NUMBER.match(quote) if draft.marker == "1." else None
    if own_number:
        return f"{own_number['number']}. {escape(quote[own_number.end() :])} {marks}"
    return f"{prefix}{label}{escape(quote)} {marks}"
