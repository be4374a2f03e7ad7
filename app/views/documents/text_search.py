"""Words found again in a document's own text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from app.presenting.pages import Span
from core.domain.document import Page

MOST = 500


def find_in_pages(pages: Iterable[Page], words: str) -> list[Span]:
    """Every place where the words stand, in reading order, at most 500; any white space matches any other.

    Case is ignored. Blank words give [].
    """
    parts = words.split()
    if not parts:
        return []
    pattern = re.compile(r"\s+".join(re.escape(part) for part in parts), re.IGNORECASE)
    found: list[Span] = []
    for page in pages:
        for match in pattern.finditer(page.text):
            found.append(Span(page.page_no, match.start(), match.end()))
            if len(found) == MOST:
                return found
    return found
