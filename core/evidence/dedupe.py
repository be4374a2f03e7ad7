"""Dropping near-duplicates: the same clause in two versions of a contract is one piece of evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rapidfuzz import fuzz

T = TypeVar("T")
SIMILARITY = 95.0  # per cent of characters that need no edit


def drop_near_duplicates(
    items: Sequence[T], text_of: Callable[[T], str], *, similarity: float = SIMILARITY
) -> list[T]:
    """The items in their order without any whose text is at least `similarity` per cent that of a kept one.

    Case and white space do not count; digits do: texts whose numbers differ are never duplicates, however
    alike they are otherwise. [] gives [].
    """
    kept: list[T] = []
    seen: list[tuple[str, str]] = []
    for item in items:
        text = " ".join(text_of(item).casefold().split())
        digits = "".join(char for char in text if char.isdigit())
        if any(digits == d and fuzz.ratio(text, t, score_cutoff=similarity) > 0 for t, d in seen):
            continue
        if any(not text and not t for t, _ in seen):
            continue
        kept.append(item)
        seen.append((text, digits))
    return kept
