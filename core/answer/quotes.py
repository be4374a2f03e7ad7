"""Quotes completed from the stored page, or marked as cut.

A quote is a piece of a passage; where a long sentence, a passage or a page ends in the middle of what is
said, "shall not exceed" must not stand there as if it were all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.answer.cite import Draft
from core.search.evidence.base import Span, span_of
from core.search.sentences import ScoredSentence
from core.text.marks import note_marks, unraised
from core.text.sentences import LAST_WORD

MOST_ADDED = 160  # characters by which a quote is completed; where more is missing it is marked
_ENDED = re.compile(r"[.!?:;\u2026\u3002\uff01\uff1f|][\"'\u201d\u2019)\]*_]*$")
_GOES_ON = re.compile(r"(?:[ \t]*\n(?![ \t]*\n)[ \t]*(?=[a-z(])|[ \t]+(?=[^\W_]|[$\u20ac\u00a3(\"\u201c]))")
_REST = re.compile(r".*?(?:[.!?;:][\"'\u201d\u2019)\]]*(?=\s|$)|(?=\n[ \t]*\n)|$)", re.DOTALL)
_OPEN_WORD = re.compile(
    r"(?i)\b(?:shall|will|may|must|can|not|be|to|of|in|on|at|by|for|with|from|the|a|an|and|or|than|exceed|that"
    r"|which|is|are|was|were|its|their|any|each|such|under|per)$"
)


def complete_or_mark(draft: Draft, page_text: Callable[[Span], str | None]) -> Draft:
    """The draft with its last quote at the end of its sentence, or marked at the ends that are cut.

    page_text: the stored text of a span's page; None where it is gone, and the draft stays as it is.
    """
    if not draft.spans or draft.is_whole:
        return draft
    first, last = draft.spans[0], draft.spans[-1]
    text = page_text(last)
    if text is None or text[last.start : last.end] != last.quote:
        return draft
    end = _sentence_end(text, last)
    if end is not None and end - last.end <= MOST_ADDED:
        draft = replace(
            draft, spans=(*draft.spans[:-1], replace(last, end=end, quote=text[last.start : end]))
        )
        end = None
    before = page_text(first) or ""
    return replace(draft, is_cut=end is not None, is_cut_before=_begins_inside(before, first))


def _sentence_end(text: str, span: Span) -> int | None:
    """Where the sentence ends that a quote breaks off in, on its page; None where the quote is whole.

    At the end of a page the rest stands on the next one: then it is beyond any limit.
    """
    is_row = " | " in span.quote  # cells of a sheet, which end with their line
    if is_row or _ENDED.search(span.quote) or not LAST_WORD.search(span.quote):
        return None
    if not text[span.end :].strip():
        return len(text) + MOST_ADDED + 1 if _OPEN_WORD.search(span.quote) else None
    if not _GOES_ON.match(text, span.end):
        return None
    rest = _REST.match(text, span.end)
    return span.end + len(rest[0].rstrip()) if rest else None


def _begins_inside(text: str, span: Span) -> bool:
    """True where a quote begins with a small letter behind words of the same sentence."""
    before = text[: span.start].rstrip(" \t")
    if not span.quote[:1].islower() or not before or before.endswith("\n"):
        return False
    return not _ENDED.search(before)


_NOTE = re.compile(r"(?m)^[ \t]*(?P<mark>\d{1,3}|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})(?:[.)]|[ \t])[ \t]*(?=[^\W\d_]).+")


def with_notes(span: Span, sentences: Sequence[ScoredSentence]) -> tuple[Span, ...]:
    """A quote and the notes below it on its page whose marks stand in it: they say what it holds for."""
    marks = note_marks(span.quote)
    below = [span_of(each) for each in sentences] if marks else []
    notes = {
        replace(
            each,
            start=each.start + found.start("mark"),
            end=each.start + found.end(),
            quote=found[0].lstrip(),
        )
        for each in below
        if each.page_key == span.page_key
        for found in _NOTE.finditer(each.quote)
        if unraised(found["mark"]) in marks and each.start + found.start() >= span.end
    }
    return span, *sorted(notes, key=lambda each: each.start)[: len(marks)]
