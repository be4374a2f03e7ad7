"""Raised and lowered figures of PDF pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.pdf_files import drawn, parsed


@pytest.mark.parametrize("turn", [0, 90])
def test_raised_and_lowered_figures_are_no_digits_of_what_they_stand_at(tmp_path: Path, turn: int) -> None:
    def draw(canvas: Any) -> None:
        canvas.setPageRotation(turn)
        if turn:
            canvas.translate(595, 0)
            canvas.rotate(turn)
        for number, line in enumerate(
            (
                "The rent is EUR 61,500^3^ a year, and 2.5 x 10^-6^ m^2^",
                "Tanks hold CO_2_ and H_2_O since 2031^4,5^",
                "^3^Net of tax.",
                "Section 7 of 12 rooms",
            )
        ):
            x, rise = 60.0, 0
            for piece in re.split(r"([\^_])", line):
                if piece in ("^", "_"):
                    rise = 0 if rise else {"^": 4, "_": -2}[piece]
                    continue
                size = 7 if rise else 11
                canvas.setFont("Helvetica", size)
                canvas.drawString(x, 500 - 20 * number + rise, piece)
                x += canvas.stringWidth(piece, "Helvetica", size)

    assert parsed(tmp_path, drawn(draw)).pages[0].text.split("\n") == [
        "The rent is EUR 61,500\u00b3 a year, and 2.5 x 10\u207b\u2076 m\u00b2",
        "Tanks hold CO\u2082 and H\u2082O since 2031\u2074,\u2075",
        "\u00b3Net of tax.",
        "Section 7 of 12 rooms",
    ]
