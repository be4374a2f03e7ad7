"""Titles of documents as families are known by: an amendment names the agreement that it amends."""

from __future__ import annotations

import re
import unicodedata

_NUMBERING = re.compile(r"\b(?:amended|restated|the|and|of|no|number|first|second|third)\b")


def family_key(title: str) -> str:
    """A title in lower case, without numbers of amendments, accents and punctuation: equal for one family."""
    folded = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return " ".join(re.findall(r"[a-z0-9]+", _NUMBERING.sub(" ", folded)))
