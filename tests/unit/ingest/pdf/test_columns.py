"""Columns of PDF pages, in the order of reading."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.ingest.render_process import find_boxes
from tests.support.pdf_files import drawn, lines, parsed

_LEFT = [
    "The harbour board of Vessby met in the old",
    "customs house and agreed to dredge the north-",
    "ern channel to nine metres before win-",
    "ter. The works are let to Kranholm, who be-",
    "gin in spring and end in the month of March.",
]
_RIGHT = [
    "The museum of rope making moves to the",
    "former sail loft. Its director, Petra Aalto,",
    "said that visitors doubled since the ferry",
    "returned. Entry stays free for all pupils of",
    "the district on every weekday until noon.",
]
_HEADING = "Vessby Courier, the paper of the harbour and of the whole town in the month of May"
_READ = (
    "The harbour board of Vessby met in the old customs house and agreed to dredge the northern channel to "
    "nine metres before winter. The works are let to Kranholm, who begin in spring and end in the month of "
    "March. " + " ".join(_RIGHT)
)


def _by_rows(canvas: Any, drop: float) -> None:
    lines(canvas, 60, 800, [_HEADING])
    for number, (left, right) in enumerate(zip(_LEFT, _RIGHT, strict=True)):
        lines(canvas, 60, 770 - 13 * number, [left])
        lines(canvas, 310, 770 - drop - 13 * number, [right])


def _by_columns(canvas: Any) -> None:
    lines(canvas, 60, 800, [_HEADING])
    lines(canvas, 60, 770, _LEFT)
    lines(canvas, 310, 770, _RIGHT)


@pytest.mark.parametrize(
    "draw",
    [lambda canvas: _by_rows(canvas, 0), lambda canvas: _by_rows(canvas, 6), _by_columns],
    ids=("row by row", "rows half a line apart", "column by column"),
)
def test_columns_are_read_one_after_the_other(tmp_path: Path, draw: Callable[[Any], None]) -> None:
    text = parsed(tmp_path, drawn(draw)).pages[0].text

    assert " ".join(text.split()) == f"{_HEADING} {_READ}"
    start = text.index("Petra Aalto")
    ((box,),) = find_boxes(tmp_path / "paper.pdf", 1, [(start, start + 11)], text)
    assert box.x0 > 0.5


def test_three_columns_and_the_table_below_them(tmp_path: Path) -> None:
    words = " ".join(_LEFT + _RIGHT).replace("- ", "").split()
    columns = [[" ".join(words[at + 4 * n : at + 4 * n + 4]) for n in range(5)] for at in (0, 20, 40)]
    rows = [
        ("Ship", "Tons", "Berth"),
        ("Alma", "1,200", "N4"),
        ("Brage", "3,400", "S1"),
        ("Cetus", "900", "N2"),
    ]

    def draw(canvas: Any) -> None:
        for number in range(5):
            for at, column in enumerate(columns):
                if number < len(column):
                    lines(canvas, 40 + 175 * at, 770 - 13 * number, [column[number]])
        for number, row in enumerate(rows):
            for at, cell in enumerate(row):
                lines(canvas, 40 + 175 * at, 660 - 13 * number, [cell])

    read = parsed(tmp_path, drawn(draw)).pages[0].text.split("\n")

    assert read[:15] == [line.strip() for column in columns for line in column]
    assert read[15:] == [" ".join(row) for row in rows]


def test_a_table_of_words_keeps_its_rows(tmp_path: Path) -> None:
    rows = [(f"Duty number {n} of the keeper", f"Done by person {n} of the crew") for n in range(8)]

    def draw(canvas: Any) -> None:
        for number, (left, right) in enumerate(rows):
            lines(canvas, 60, 770 - 13 * number, [left])
            lines(canvas, 310, 770 - 13 * number, [right])

    assert parsed(tmp_path, drawn(draw)).pages[0].text.split("\n") == [f"{a} {b}" for a, b in rows]
