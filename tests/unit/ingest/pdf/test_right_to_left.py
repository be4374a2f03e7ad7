"""Words from right to left of PDF pages."""

from __future__ import annotations

from typing import cast

import pytest

from core.ingest.pdf.glyphs import Glyphs
from core.ingest.pdf.right_to_left import turn_right_to_left
from core.ingest.pdfium import Bounds, PdfPage


class _Page:
    """A page of characters with places given."""

    def __init__(self, raw: str, lefts: list[float]) -> None:
        self._raw, self._lefts = raw, lefts

    def raw_text(self) -> str:
        return self._raw

    def char_places(self, raw: str) -> list[int]:
        return list(range(len(raw)))

    def char_bounds(self, index: int) -> Bounds:
        return Bounds(self._lefts[index], 0, self._lefts[index] + 5, 10)


@pytest.mark.parametrize(
    ("raw", "lefts", "read"),
    [
        ("a \u05d2\u05d3 \u05d0\u05d1", [0, 5, 15, 10, 20, 30, 25], "a \u05d0\u05d1 \u05d2\u05d3"),
        ("\u05d0\u05d1 \u05d2\u05d3", [30, 25, 20, 15, 10], "\u05d0\u05d1 \u05d2\u05d3"),
        ("\u064a\u0628\u062d", [9, 9, 9], "\u062d\u0628\u064a"),  # a glyph of three letters
        ("\u0644\u0627\u0645", [9, 9, 2], "\u0644\u0627\u0645"),  # a ligature that PDFium took apart
    ],
)
def test_words_from_right_to_left_are_in_order(raw: str, lefts: list[float], read: str) -> None:
    glyphs = Glyphs(cast(PdfPage, _Page(raw, lefts)))
    turn_right_to_left(glyphs)

    assert "".join(raw[glyphs.sources.get(at, at)] for at in range(len(raw))) == read
