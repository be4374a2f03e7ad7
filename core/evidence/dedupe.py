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
        text = plain_text(text_of(item))
        if any(are_near_duplicates(text, known, similarity=similarity) for known in seen):
            continue
        kept.append(item)
        seen.append(text)
    return kept


def plain_text(text: str) -> tuple[str, str]:
    """A text as duplicates are told by: without case and extra white space, and its digits alone."""
    plain = " ".join(text.casefold().split())
    return plain, "".join(char for char in plain if char.isdigit())


def are_near_duplicates(
    one: tuple[str, str], other: tuple[str, str], *, similarity: float = SIMILARITY
) -> bool:
    """True where two plain texts have the same digits and hardly differ in anything else."""
    if one[1] != other[1]:
        return False
    return not (one[0] or other[0]) or fuzz.ratio(one[0], other[0], score_cutoff=similarity) > 0
