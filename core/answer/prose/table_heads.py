"""Heads of a table on a page: the lines above a row that say its periods, currency and scale."""

from __future__ import annotations

import re

from core.values.scales import stated_scales

_REACH_CHARS = 6_000  # above a row
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DIGITS = re.compile(r"\d+")
_LEAST_YEARS = 2  # of a line that heads columns


def table_heads(text: str, start: int) -> tuple[tuple[int, int], ...]:
    """The spans of the nearest lines above `start` that state a scale, and the years of columns, in order.

    With a line of years that says no month stands the one above it ("Three Months Ended December 31,").
    """
    begin = text.rfind("\n", 0, start) + 1
    lines = _lines(text, max(0, begin - _REACH_CHARS), begin)
    found: set[tuple[int, int]] = set()
    scale = next((span for span in reversed(lines) if stated_scales(text[slice(*span)])), None)
    years = next((at for at in reversed(range(len(lines))) if _are_years(text[slice(*lines[at])])), None)
    if scale is not None:
        found.add(scale)
    if years is not None:
        found.add(lines[years])
        if years and not _are_years(text[slice(*lines[years - 1])]):
            found.add(lines[years - 1])
    return tuple(sorted(found))


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The lines of a stretch that are not empty."""
    spans: list[tuple[int, int]] = []
    for line in text[start:end].splitlines(keepends=True):
        if line.strip():
            spans.append((start, start + len(line.rstrip())))
        start += len(line)
    return spans


def _are_years(line: str) -> bool:
    """True of a line that heads columns: two years or more, and hardly another number."""
    years, numbers = len(_YEAR.findall(line)), len(_DIGITS.findall(line))
    return years >= _LEAST_YEARS and numbers <= 2 * years + 1
