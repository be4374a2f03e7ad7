"""Checking a claim against the stored pages before anybody sees it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answer.draft import Draft
from core.answer.markdown import flatten
from core.domain.answer import Check
from core.errors import NotFoundError
from core.evidence.base import PageSource, Span
from core.records.database.visibility import Visibility

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
        key = (span.document, span.version, span.page_no)
        if key not in self._texts:
            try:
                page = self._pages.page(span.document, span.version, span.page_no, self._visibility)
                self._texts[key] = page.text
            except NotFoundError:
                self._texts[key] = None
        return self._texts[key]

    def check_quotes(self, spans: Sequence[Span]) -> Check:
        """Whether every span holds, in the stored text, the characters that it quotes."""
        for span in spans:
            text = self.page_text(span)
            if text is None:
                return Check(name="quote", ok=False, detail=f"Page {span.page_no} of {span.title!r} is gone.")
            if not span.quote or text[span.start : span.end] != span.quote:
                return Check(
                    name="quote", ok=False, detail=f"Page {span.page_no} of {span.title!r} reads otherwise."
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
