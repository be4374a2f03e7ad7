"""Columns of text by the gutter between them, where a page is painted line by line across it.

PDFium gives text in the order of painting. That is the order of reading nearly always, and stays so: only
where lines run over a gutter between columns of sentences are they cut and read one column after the other.
Columns of figures and names are those of tables, whose rows are what belongs together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from core.ingest.pdf.glyphs import Glyphs
from core.ingest.pdfium.base import Bounds

_LEAST_LINES = 5
_LONG = 130  # characters; a line that is longer may be several
_SAMPLE = 12
_LEAST_PARTED = 3
_WIDE = 0.45  # of the text's width: shorter lines stand in one column
_GAP = 0.75  # of a line's height; blanks of justified lines stay below
_FILLED = 0.75  # of a column's width that its lines usually fill
_RUNS_ON = 0.25  # of a column's lines that begin within a sentence
_NARROWEST = 0.15
_MOST_COLUMNS = 4

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a painted line between wide gaps."""

    start: int
    end: int
    line: int
    box: Bounds


def column_order(glyphs: Glyphs) -> list[Span] | None:
    """The lines in the order of reading, cut at the gutters; None where they are painted in it."""
    lines = [part for line in glyphs.lines for part in _unwound(glyphs, line)]
    if len(lines) < _LEAST_LINES:
        return None
    places = [(at, box) for at, line in enumerate(lines) if (box := glyphs.around(*line)) is not None]
    if not places:
        return None
    width = max(box.x1 for _, box in places) - min(box.x0 for _, box in places)
    wide = [at for at, box in places if box.x1 - box.x0 > _WIDE * width]
    sample = wide[:: max(1, len(wide) // _SAMPLE)]
    parted = sum(_has_gutter(glyphs, lines[at]) for at in sample)
    if parted < _LEAST_PARTED and not _alternates([box for _, box in places]):
        return None
    pieces = [piece for at, _ in places for piece in _pieces(glyphs, at, lines[at])]
    ordered = _ordered(glyphs, pieces, _MOST_COLUMNS)
    return [(piece.start, piece.end) for piece in ordered] if ordered is not None else None


def _unwound(glyphs: Glyphs, line: Span) -> Iterator[Span]:
    """The lines in what PDFium takes for one, where those of a column stand between those of another."""
    start, end = line
    if end - start > _LONG:
        left: Bounds | None = None
        for at in range(start + 1, end):
            if glyphs.raw[at - 1] == " " and (box := glyphs.at(at)) is not None:
                if left is not None and box.x1 < left.x0:
                    yield start, at - 1
                    start = at
                left = box
    yield start, end


def _has_gutter(glyphs: Glyphs, line: Span) -> bool:
    texts = [glyphs.raw[a:b] for a, b in _cut(glyphs, line)]
    return any(_is_wordy(left) and _is_wordy(right) for left, right in pairwise(texts))


def _is_wordy(text: str) -> bool:
    return sum(any(map(str.isalpha, word)) for word in text.split()) >= 2


def _alternates(boxes: Sequence[Bounds]) -> bool:
    """True where lines are painted left, right, left, right, each pair below the last."""
    returns = sum(
        after.x1 < before.x0 and -0.5 * before.height < before.middle - after.middle < 2.5 * before.height
        for before, after in pairwise(boxes)
    )
    return returns >= _LEAST_PARTED


def _cut(glyphs: Glyphs, line: Span) -> Iterator[Span]:
    """The parts of a line between gaps that are wider than those between words."""
    raw = glyphs.raw
    start, end = line
    begin = start
    at = raw.find(" ", start, end)
    while at >= 0:
        behind = at + 1
        while behind < end and raw[behind] == " ":
            behind += 1
        left, right = glyphs.at(at - 1), glyphs.at(behind) if behind < end else None
        if left and right and right.x0 - left.x1 > _GAP * min(left.height, right.height) > 0:
            yield begin, at
            begin = behind
        at = raw.find(" ", behind, end)
    yield begin, end


def _pieces(glyphs: Glyphs, number: int, line: Span) -> Iterator[_Piece]:
    for start, end in _cut(glyphs, line):
        box = glyphs.around(start, end)
        if box is not None:
            yield _Piece(start, end, number, box)


def _ordered(glyphs: Glyphs, pieces: Sequence[_Piece], columns: int) -> list[_Piece] | None:
    """The pieces by bands from the top, in each band column by column; None where there are no columns."""
    gutter = _gutter(pieces) if columns > 1 else None
    if gutter is None:
        return None
    order: list[_Piece] = []
    has_columns = False
    for band in _bands(pieces, gutter):
        whole = _side_by_side(glyphs, band, gutter, columns)
        parts = [whole] if whole else [_side_by_side(glyphs, part, gutter, columns) for part in _parts(band)]
        has_columns = has_columns or any(parts)
        for part, found in zip([band] if whole else _parts(band), parts, strict=True):
            order += found or _by_line(part)
    return order if has_columns else None


def _side_by_side(glyphs: Glyphs, band: Sequence[_Piece], gutter: float, columns: int) -> list[_Piece] | None:
    """What is left of the gutter, then what is right of it; None where they are not both sentences."""
    order: list[_Piece] = []
    sides = (
        [piece for piece in band if piece.box.x1 <= gutter + 1],
        [piece for piece in band if piece.box.x0 >= gutter - 1],
    )
    if sum(map(len, sides)) != len(band):
        return None
    for side in sides:
        if not side:
            return None
        found = _ordered(glyphs, side, columns - 1) or (_by_line(side) if _runs(glyphs, side) else None)
        if found is None:
            return None
        order += found
    return order


def _parts(band: Sequence[_Piece]) -> list[list[_Piece]]:
    """A band cut where it is blank over more than a line's height."""
    parts: list[list[_Piece]] = []
    low = 0.0
    for piece in sorted(band, key=lambda piece: -piece.box.y1):
        if parts and low - piece.box.y1 <= 1.2 * piece.box.height:
            parts[-1].append(piece)
            low = min(low, piece.box.y0)
        else:
            parts.append([piece])
            low = piece.box.y0
    return parts


def _gutter(pieces: Sequence[_Piece]) -> float | None:
    """The place that fewest pieces run over and that has some on both sides."""
    low, high = min(piece.box.x0 for piece in pieces), max(piece.box.x1 for piece in pieces)
    margin = _NARROWEST * (high - low)
    ends = sorted({piece.box.x1 for piece in pieces if low + margin <= piece.box.x1 <= high - margin})
    best: tuple[int, float, float] | None = None
    for end in ends[:: max(1, len(ends) // 60)]:
        following = min((piece.box.x0 for piece in pieces if piece.box.x0 > end), default=high)
        if following > high - margin:
            continue
        place = (end + following) / 2
        across = sum(piece.box.x0 < place < piece.box.x1 for piece in pieces)
        sides = (
            sum(piece.box.x1 <= place for piece in pieces),
            sum(piece.box.x0 >= place for piece in pieces),
        )
        if min(sides) >= _LEAST_PARTED:
            found = (across, end - following, place)
            best = found if best is None else min(best, found)
    return best[2] if best else None


def _bands(pieces: Sequence[_Piece], gutter: float) -> Iterator[list[_Piece]]:
    """Runs of pieces from the top of the page, those over the gutter apart from those beside it."""
    by_height = sorted(pieces, key=lambda piece: -piece.box.middle)
    for _, run in groupby(by_height, lambda piece: piece.box.x0 < gutter - 1 and piece.box.x1 > gutter + 1):
        yield list(run)


def _runs(glyphs: Glyphs, column: Sequence[_Piece]) -> bool:
    """True of lines of sentences: they fill their column, and some begin within a sentence."""
    if len(column) < 2:
        return False
    widths = sorted(piece.box.x1 - piece.box.x0 for piece in column)
    full = max(piece.box.x1 for piece in column) - min(piece.box.x0 for piece in column)
    if widths[len(widths) // 2] < _FILLED * full:
        return False
    texts = [glyphs.raw[piece.start : piece.end] for piece in column]
    if sum(map(_is_wordy, texts)) < 0.75 * len(texts):
        return False
    later = [next((sign for sign in text if sign.isalpha()), "") for text in texts[1:]]
    within = sum(sign.islower() or not (sign.isupper() or sign == "") for sign in later)
    return within >= max(1, _RUNS_ON * len(later))


def _by_line(pieces: Sequence[_Piece]) -> list[_Piece]:
    """Pieces from the top; those of one painted line stay that line."""
    lines: dict[int, _Piece] = {}
    for piece in sorted(pieces, key=lambda piece: piece.start):
        known = lines.get(piece.line)
        if known is not None:
            piece = _Piece(known.start, piece.end, piece.line, known.box.union(piece.box))
        lines[piece.line] = piece
    return sorted(lines.values(), key=lambda piece: (-round(piece.box.middle), piece.box.x0))
