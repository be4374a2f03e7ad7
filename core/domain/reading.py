"""Text read off the image of a page, and the place of each line on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.span import Box

READ_BY, CONFIDENCE = "read_by", "ocr_confidence"
"""Keys of a version's metadata: "ocr", and the mean confidence of its lines (0 to 1, two decimals)."""


@dataclass(frozen=True, slots=True)
class ReadLine:
    """Characters [start, end) of the page's text, the rectangle that they were read from, how sure it is."""

    start: int
    end: int
    box: Box
    confidence: float


@dataclass(frozen=True, slots=True)
class PageReading:
    """A page as it was read; without lines it was looked at, and nothing was found."""

    page_no: int
    text: str
    lines: tuple[ReadLine, ...] = ()

    def boxes(self, start: int, end: int) -> list[Box]:
        """A box for each line that the span runs over, from top to bottom, cut to its characters."""
        found = []
        for line in self.lines:
            first, last = max(start, line.start), min(end, line.end)
            if first < last:
                found.append(_part(line, first, last))
        return found

    def words(self) -> list[tuple[str, Box]]:
        """The words in reading order, each with its part of the line's box."""
        found = []
        for line in self.lines:
            at = line.start
            for word in self.text[line.start : line.end].split():
                at = self.text.index(word, at, line.end)
                found.append((word, _part(line, at, at + len(word))))
                at += len(word)
        return found


def confidence_of(readings: Sequence[PageReading]) -> float:
    """The mean confidence of all characters that were read; 0 where there are none."""
    weighted = [(line.end - line.start, line.confidence) for each in readings for line in each.lines]
    total = sum(length for length, _ in weighted)
    return sum(length * confidence for length, confidence in weighted) / total if total else 0.0


def confidence_in(metadata: Mapping[str, str]) -> float | None:
    """Confidence of the readings of a version's text; None for text that its file holds itself."""
    return float(metadata.get(CONFIDENCE, 0)) if READ_BY in metadata else None


def _part(line: ReadLine, first: int, last: int) -> Box:
    """Characters of a line are taken to be of one width: a word is off by a letter or two at most."""
    length = max(1, line.end - line.start)
    width = line.box.x1 - line.box.x0
    return Box(
        line.box.x0 + width * (first - line.start) / length,
        line.box.y0,
        line.box.x0 + width * (last - line.start) / length,
        line.box.y1,
    )
