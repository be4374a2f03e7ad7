"""Names of several things of one kind in passages: "Auburn Police Department", "Colusa Police Department"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.domain.ids import DocumentId
from core.text.analyse import analyse, content_terms

MOST_NAME_WORDS = 4
_NAME = r"[A-Z](?:[a-z'’.&-]+|[A-Z.&]+)(?![A-Za-z])"


def named_instances(words: str, texts: Iterable[tuple[DocumentId, str]]) -> dict[str, DocumentId]:
    """Names that have these words in capitals at their end or beginning, with the first document of each.

    A name may go on behind them: "Superior Court of California, County of Ventura". Of two names of which one
    has all the words of the other, the shorter is kept, unless it is a kind of several: "State Park".
    """
    kind = frozenset(analyse(words))
    pattern = _pattern(words)
    found: dict[frozenset[str], tuple[str, DocumentId]] = {}
    for document, text in texts:
        for match in pattern.finditer(text):
            name = _without_opening(match.group())
            own = frozenset(term for word in name.split() for term in content_terms(word)) - kind
            if own:
                found.setdefault(own, (name, document))
    kinds = {own for own in found if sum(own < other for other in found) > 1}
    kept = [
        own for own in found if own not in kinds and not any(other < own for other in found.keys() - kinds)
    ]
    return dict(found[own] for own in kept)


def _pattern(words: str) -> re.Pattern[str]:
    called = r"[ \-]".join(rf"(?=[A-Z])(?i:{re.escape(word)})" for word in words.split())
    before = rf"(?<![\w])(?:{_NAME} (?:(?:of|and|the|&) )?){{1,{MOST_NAME_WORDS}}}{called}(?!\w)"
    joint = r"(?:,| of| -| –|, County of| County of)?"
    behind = rf"(?<!\w){called}(?: of(?: the)?|,| -| –) {_NAME}(?:{joint} {_NAME}){{0,3}}"
    return re.compile(rf"{behind}|{before}")


def _without_opening(name: str) -> str:
    words = name.split()
    while len(words) > 1 and not content_terms(words[0]):
        words.pop(0)
    return " ".join(words).rstrip(".,-–' ")
