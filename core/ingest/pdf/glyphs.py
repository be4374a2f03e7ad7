"""Characters of a page with their places, looked up as they are needed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from core.ingest.pdfium.base import Bounds
from core.ingest.pdfium.page import PdfPage

HYPHENS = "\ufffe\u0002"
"""What PDFium writes for a hyphen at the end of a line."""

_BREAK = re.compile(f"\r\n?|\n|[{HYPHENS}](?:\r\n?)?")
_WORD = re.compile(r"\S+")


class PlacedWord(NamedTuple):
    """Characters [start, end) of the raw text, the end of its line, and the room that they take."""

    start: int
    end: int
    line_end: int
    box: Bounds


class Glyphs:
    """The raw text of a page.

    characters: those that others stand for, one for one; gone: what is left out.
    """

    def __init__(self, page: PdfPage) -> None:
        self.page = page
        self.raw = page.raw_text()
        self.characters: dict[int, str] = {}
        self.is_turned = False
        self.gone: set[int] = set()
        self._known: dict[int, Bounds | None] = {}

    @cached_property
    def places(self) -> Sequence[int]:
        """PDFium's index of each character."""
        return self.page.char_places(self.raw)

    def turn(self, order: Sequence[int], raw: str) -> None:
        """Put the characters in another order, before anything is said of them. raw: what they read then."""
        self.places = [self.places[at] for at in order]
        self.raw = raw
        self.is_turned = True
        self._known.clear()

    def at(self, index: int) -> Bounds | None:
        """The room of a character; None for what is drawn nowhere, as blanks between words."""
        if index not in self._known:
            place = self.places[index]
            self._known[index] = self.page.char_bounds(place) if place >= 0 else None
        return self._known[index]

    def around(self, start: int, end: int) -> Bounds | None:
        """The room of a run within a line, by its first and last character that has one."""
        first = next(
            (box for i in range(start, end) if not self.raw[i].isspace() and (box := self.at(i))), None
        )
        if first is None:
            return None
        inner = range(end - 1, start - 1, -1)
        last = next((box for i in inner if not self.raw[i].isspace() and (box := self.at(i))), first)
        return first.union(last)

    @property
    def is_changed(self) -> bool:
        """True where the text is not to be stored as it was painted."""
        return bool(self.characters or self.gone or self.is_turned)

    @cached_property
    def lines(self) -> list[tuple[int, int]]:
        """The lines in the order in which they are painted, without blanks around them and their breaks."""
        found: list[tuple[int, int]] = []
        start = 0
        for match in _BREAK.finditer(self.raw):
            if match.start() in self.gone:
                continue
            found += self._line(start, match.start())
            start = match.end()
        return found + self._line(start, len(self.raw))

    def _line(self, start: int, end: int) -> list[tuple[int, int]]:
        line = self.raw[start:end]
        text = line.strip()
        return [(start + (lead := len(line) - len(line.lstrip())), start + lead + len(text))] if text else []

    def ends_in_hyphen(self, end: int) -> bool:
        """True where PDFium took the end of a line at `end` for one within a word."""
        return self.raw[end : end + 1] != "" and self.raw[end] in HYPHENS

    @cached_property
    def words(self) -> list[PlacedWord]:
        """All words with their places, from the bottom of the page to its top."""
        found = []
        for start, end in self.lines:
            for match in _WORD.finditer(self.raw, start, end):
                box = self.around(*match.span())
                if box is not None:
                    found.append(PlacedWord(*match.span(), end, box))
        return sorted(found, key=lambda word: word.box.middle)

    @cached_property
    def _heights(self) -> list[float]:
        return [word.box.middle for word in self.words]

    def words_between(self, low: float, high: float) -> Iterator[PlacedWord]:
        """The words whose middles lie between two heights, the lowest first."""
        for at in range(bisect_left(self._heights, low), len(self.words)):
            if self._heights[at] > high:
                return
            yield self.words[at]

    def words_above(self, height: float, most: int) -> list[PlacedWord]:
        """At most so many words whose middles lie above, the nearest first."""
        first = bisect_left(self._heights, height)
        return self.words[first : first + most]
