"""Character spans: the only way that anything points into a document."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageSpan:
    """Characters [start, end) of the text of page `page_no` (from 1)."""

    page_no: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page image in fractions of its width and height, origin at the top left."""

    x0: float
    y0: float
    x1: float
    y1: float
