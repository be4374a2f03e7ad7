"""Words around a span that leave out what it names: "except for [receipts]", "[drafts] aside"."""

from __future__ import annotations

import re

from core.plan.reader.reading import QuestionReading, ReadSpan
from core.text.words import word_list

EXCLUDING = word_list("reading", "excluding")
_REACH = 24  # characters in front of a span in which a word may leave it out
_WORDS = 3  # of these, the last ones that count
_BEHIND = re.compile(
    r"\s+(?:(?:is|are|was|were|being|to\s+be)\s+)?(?:left\s+out|left\s+aside|excluded|not\s+counted|not\s+included|"
    r"don['’]t\s+count|do\s+not\s+count|aside|apart)\b",
    re.IGNORECASE,
)
_LISTING = frozenset(("and", "or", "nor", "the", "any", "all", "&", ","))


def is_excluded(span: ReadSpan, reading: QuestionReading) -> bool:
    """True where words leave out what a span names, also among others: "without receipts and [notes]"."""
    question = reading.question
    before = question[max(0, span.start - _REACH) : span.start].casefold().split()
    if span.is_negated or set(before[-_WORDS:]) & EXCLUDING or _BEHIND.match(question, span.end):
        return True
    same = [each for each in reading.of(span.role) if each.end <= span.start]
    between = question[same[-1].end : span.start].casefold().split() if same else ["-"]
    return bool(same) and set(between) <= _LISTING and is_excluded(same[-1], reading)
