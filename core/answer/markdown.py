"""Turning document text into Markdown that shows exactly those characters.

Document text is data: whatever it holds, it can neither format the page, nor link anywhere, nor look like a
citation of ours.
"""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"[\\`*\[\]<>$~|{}]|(?<!\w)_|_(?!\w)")
_LINE_START = re.compile(r"^(\s*)(#{1,6}\s|[-+]\s|\d{1,9}[.)]\s|={3,}|-{3,})")
_ADDRESS = re.compile(r"(?i)\b(https?|ftp|mailto|javascript|data):")


def flatten(text: str) -> str:
    """The text with every run of white space as one space, trimmed."""
    return " ".join(text.split())


def escape(text: str) -> str:
    """The flattened text as Markdown that renders as itself: no emphasis, links, formulas or citations."""
    flat = _SPECIAL.sub(lambda match: "\\" + match.group(), flatten(text))
    flat = _ADDRESS.sub(lambda match: f"{match.group(1)}\\:", flat)
    return _LINE_START.sub(lambda match: f"{match.group(1)}{_guard(match.group(2))}", flat)


def _guard(marker: str) -> str:
    head, tail = marker.rstrip(), marker[len(marker.rstrip()) :]
    return head[:-1] + "\\" + head[-1] + tail
