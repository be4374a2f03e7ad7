"""Heads of a table on a page: the lines above a row that say its periods, currency and scale."""

from __future__ import annotations

import re

from core.values.scales import find_scales
from core.values.stated_years import written_years

_REACH_CHARS = 6_000  # above a row
_NEAR = 120  # characters from a scale to the brackets around it
_CELL = r"\d[\d,.]{0,20}[ ]?[)%]?"
_CELLS = re.compile(rf"{_CELL}[ \t|$\u20ac\u00a3(-]{{1,6}}{_CELL}\s{{0,3}}$")
_DIGITS = re.compile(r"\d+")
_LEAST_YEARS = 2  # of a line that heads columns


def table_heads(text: str, start: int) -> tuple[tuple[int, int], ...]:
    """The spans of the nearest words above `start` that state a scale, and the years of columns, in order.

    With a line of years stands the one above it ("Three Months Ended December 31,").
    """
    begin = text.rfind("\n", 0, start) + 1
    first = max(0, begin - _REACH_CHARS)
    lines = _lines(text, first, begin)
    found: set[tuple[int, int]] = set()
    scales = find_scales(text[first:begin])
    if scales:
        found.add(_whole(text, first + scales[-1][0], first + scales[-1][1]))
    years = next((at for at in reversed(range(len(lines))) if column_years(text[slice(*lines[at])])), None)
    if years is not None:
        found.add(lines[years])
        if years and not column_years(text[slice(*lines[years - 1])]):
            found.add(lines[years - 1])
    return tuple(
        each for each in sorted(found) if not any(_is_within(each, other) for other in found - {each})
    )


def column_years(line: str) -> tuple[int, ...]:
    """The years of a line that heads columns, two or more with hardly another number; () of others."""
    years = tuple(map(int, written_years(line)))
    is_head = len(years) >= _LEAST_YEARS and len(_DIGITS.findall(line)) <= 2 * len(years) + 1
    return years if is_head else ()


def is_row(line: str) -> bool:
    """True of words that end in figures, two or more: a label with its cells."""
    return bool(_CELLS.search(line))


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """A statement with the brackets around it, or else its line; it may stand a word a line."""
    opened, closed = text.rfind("(", max(0, start - _NEAR), start), text.find(")", end, end + _NEAR)
    if opened >= 0 and closed >= 0 and ")" not in text[opened:start]:
        start, end = opened, closed + 1
    line_end = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, line_end if line_end >= 0 else len(text)


def _is_within(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return other[0] <= one[0] and one[1] <= other[1]


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The lines of a stretch that are not empty."""
    spans: list[tuple[int, int]] = []
    for line in text[start:end].splitlines(keepends=True):
        if line.strip():
            spans.append((start, start + len(line.rstrip())))
        start += len(line)
    return spans
