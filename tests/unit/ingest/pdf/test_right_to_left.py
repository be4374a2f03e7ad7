"""Words from right to left of PDF pages."""

from __future__ import annotations

from typing import cast

import pytest

from core.ingest.pdf.glyphs import Glyphs
from core.ingest.pdf.right_to_left import turn_right_to_left
from core.ingest.pdfium.base import Bounds
from core.ingest.pdfium.page import PdfPage


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
        (
            "abcde \u05d2\u05d3 \u05d0\u05d1",
            [0, 5, 10, 15, 20, 25, 35, 30, 40, 50, 45],
            "abcde \u05d0\u05d1 \u05d2\u05d3",
        ),
        ("\u05d0\u05d1 \u05d2\u05d3", [30, 25, 20, 15, 10], "\u05d0\u05d1 \u05d2\u05d3"),
        ("\u064a\u0628\u062d", [9, 9, 9], "\u062d\u0628\u064a"),  # a glyph of three letters
        (  # as browsers paint it: letters, codes and brackets from left to right, signs by their shape
            "\u05d1\u05d0 )\u05d3\u05d2( -17XY",
            [60, 65, 0, 50, 40, 45, 35, 0, 10, 15, 20, 0, 5],
            "\u05d0\u05d1 (\u05d2\u05d3) XY-17",
        ),
        ("\u05d1\u05d0 17% 9", [60, 65, 0, 40, 45, 50, 0, 20], "\u05d0\u05d1 17% 9"),
        ("\u0644\u0627\u0645", [9, 9, 2], "\u0644\u0627\u0645"),  # a ligature that PDFium took apart
    ],
)
def test_words_from_right_to_left_are_in_order(raw: str, lefts: list[float], read: str) -> None:
    glyphs = Glyphs(cast(PdfPage, _Page(raw, lefts)))
    turn_right_to_left(glyphs)

    assert glyphs.raw == read
