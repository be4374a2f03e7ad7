"""Hebrew and Arabic in the order of reading, by where the page shows the letters.

PDFium turns some words and leaves others as they are painted; a line with figures and Latin words among them
is in neither order. So each line is read off the page from left to right, and the bidirectional algorithm
(Unicode UAX 9) is undone: which words were shown from right to left, and which figures from left to right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby, pairwise

from core.ingest.pdf.glyphs import Glyphs
from core.ingest.pdfium.base import Bounds

_ANY = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LINE = re.compile("[^\r\n\ufffe\u0002]+")
_LAM, _ALEFS = "\u0644", "\u0622\u0623\u0625\u0627"
_STEADY = 0.8  # share of a word's steps in one direction, from which on its letters have that direction
_WIDE = 1.0  # of a line's height; blanks between columns are wider, those between words are not
_OVER = 0.6  # of the narrower of two words; kerning stays below
_BRACKETS = re.compile(r"[()\[\]{}]")
_MIRRORED = str.maketrans("()[]{}", ")(][}{")


class _Kind(Enum):
    RIGHT = auto()  # letters from right to left
    LEFT = auto()
    FIGURE = auto()
    SIGN = auto()
    BLANK = auto()


@dataclass(frozen=True, slots=True)
class _Unit:
    """A word from right to left, its letters in order, or any other character. kind: its direction."""

    kind: _Kind
    letters: tuple[int, ...]
    box: Bounds
    bidi: str = ""


def turn_right_to_left(glyphs: Glyphs) -> None:
    """Put the characters of lines that hold Hebrew or Arabic in order."""
    raw = glyphs.raw
    if raw.isascii() or not _ANY.search(raw):
        return
    is_page_right = _leans_right(raw)
    order, signs = list(range(len(raw))), list(raw)
    for line in _LINE.finditer(raw):
        if not _ANY.search(line[0]):
            continue
        for start, end in _levels(glyphs, *line.span()):
            turned = _read(glyphs, start, end, is_page_right)
            order[start:end] = turned
            signs[start:end] = _bracketed("".join(raw[at] for at in turned))
    glyphs.turn(order, "".join(signs))


def _read(glyphs: Glyphs, start: int, end: int, is_page_right: bool) -> list[int]:
    """Characters [start, end) in the order of reading; where words lie over one another each by itself."""
    text = glyphs.raw[start:end]
    units = list(_units(glyphs, start, end))
    shown = sorted(units, key=lambda unit: unit.box.x0 + unit.box.x1)
    if any(_lies_over(before, after) for before, after in pairwise(shown)):
        places = {
            at: letter
            for unit in units
            for at, letter in zip(sorted(unit.letters), unit.letters, strict=True)
        }
        return [places.get(at, at) for at in range(start, end)]
    blanks = [at for at in range(start, end) if text[at - start].isspace()]
    shown = _with_blanks(shown, blanks, text)
    read = _from_right(shown[::-1]) if is_page_right or _leans_right(text) else _from_left(shown)
    turned = [at for unit in read for at in unit.letters]
    return turned + sorted(set(range(start, end)).difference(turned))


def _lies_over(one: _Unit, other: _Unit) -> bool:
    narrower = min(one.box.x1 - one.box.x0, other.box.x1 - other.box.x0)
    is_word = _Kind.RIGHT in (one.kind, other.kind)
    return is_word and one.box.x1 - other.box.x0 > _OVER * narrower


def _leans_right(text: str) -> bool:
    kinds = [_kind(unicodedata.bidirectional(sign)) for sign in text if sign.isalpha()]
    return 2 * kinds.count(_Kind.RIGHT) > len(kinds)


def _kind(bidi: str) -> _Kind:
    if bidi in ("R", "AL"):
        return _Kind.RIGHT
    return _Kind.LEFT if bidi == "L" else _Kind.FIGURE if bidi in ("EN", "AN") else _Kind.SIGN


def _levels(glyphs: Glyphs, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Parts of a line on one height that hold such letters: PDFium takes several lines for one at times."""
    held: Bounds | None = None
    first = start
    for at in range(start, end):
        box = None if glyphs.raw[at].isspace() else glyphs.at(at)
        if box is not None and held is not None and (box.y0 > held.y1 or box.y1 < held.y0):
            if _ANY.search(glyphs.raw, first, at):
                yield first, at
            first, held = at, None
        held = held if box is None else box if held is None else held.union(box)
    if _ANY.search(glyphs.raw, first, end):
        yield first, end


def _units(glyphs: Glyphs, start: int, end: int) -> Iterator[_Unit]:
    def is_word(at: int) -> bool:
        return unicodedata.bidirectional(glyphs.raw[at]) in ("R", "AL", "NSM")

    shown = [at for at in range(start, end) if not glyphs.raw[at].isspace() and glyphs.at(at)]
    words = groupby(shown, lambda at: (is_word(at), glyphs.raw.rfind(" ", start, at)))
    for (is_right, _), group in words:
        run = list(group)
        boxes = [box for at in run if (box := glyphs.at(at)) is not None]
        if is_right:
            bidi = unicodedata.bidirectional(glyphs.raw[run[0]])
            yield _Unit(_Kind.RIGHT, tuple(_letters(glyphs, run)), _around(boxes), bidi)
            continue
        for at, box in zip(run, boxes, strict=True):
            bidi = unicodedata.bidirectional(glyphs.raw[at])
            yield _Unit(_kind(bidi), (at,), box, bidi)


def _around(boxes: Sequence[Bounds]) -> Bounds:
    around = boxes[0]
    for box in boxes[1:]:
        around = around.union(box)
    return around


def _letters(glyphs: Glyphs, run: Sequence[int]) -> list[int]:
    """The letters of a word in order; those of a glyph that stands for several are turned with the word."""
    groups = [list(group) for _, group in groupby(run, glyphs.at)]
    middles = [box.x0 + box.x1 for group in groups if (box := glyphs.at(group[0])) is not None]
    steps = [after - before for before, after in pairwise(middles)]
    rising = sum(step > 0 for step in steps)
    if steps and rising >= _STEADY * len(steps):  # as painted: PDFium turned neither word nor glyph
        return _with_marks(glyphs, [at for group in reversed(groups) for at in group])
    if rising > (1 - _STEADY) * len(steps):
        groups = [group for _, group in sorted(zip(middles, groups, strict=True), key=lambda each: -each[0])]
    letters: list[int] = []
    for group in groups:
        text = "".join(glyphs.raw[at] for at in group)
        is_in_order = len(text) == 2 and text[0] == _LAM and text[1] in _ALEFS  # U+FEFB, taken apart
        letters += group if is_in_order else reversed(group)
    return letters


def _with_marks(glyphs: Glyphs, letters: list[int]) -> list[int]:
    """Letters that were turned, each with the marks that stood behind it behind it again."""
    found: list[int] = []
    marks: list[int] = []
    for at in letters:
        if unicodedata.combining(glyphs.raw[at]):
            marks.append(at)
        else:
            found += [at, *marks[::-1]]
            marks = []
    return found + marks


def _with_blanks(units: Sequence[_Unit], blanks: Sequence[int], text: str) -> list[_Unit]:
    """Units from left to right with as many blanks as the line has between words, in the widest gaps."""
    count = min(len(text.split()) - 1, len(units) - 1)
    gaps = [(after.box.x0 - before.box.x1, -at) for at, (before, after) in enumerate(pairwise(units))]
    widest = {-at for _, at in sorted(gaps, reverse=True)[: max(0, count)]}
    found: list[_Unit] = []
    free = iter(blanks)
    for at, unit in enumerate(units):
        found.append(unit)
        if at in widest:
            after = units[at + 1].box
            gap = Bounds(unit.box.x1, min(unit.box.y0, after.y0), after.x0, max(unit.box.y1, after.y1))
            found.append(_Unit(_Kind.BLANK, (next(free),), gap))
    return found


def _from_right(units: Sequence[_Unit]) -> list[_Unit]:
    """Units that are shown from right to left, of a line in that direction, in the order of reading."""
    read: list[_Unit] = []
    while len(read) < len(units):
        end = _end_of_run(units, len(read))
        read += units[len(read) : end][::-1]
    return read


def _end_of_run(units: Sequence[_Unit], start: int) -> int:
    """Behind the Latin words and figures from `start` on that are shown from left to right together.

    Signs of money and percent that touch a figure belong to it. Figures with a blank between are several.
    """
    last = start
    if units[start].bidi == "ET" and start + 1 < len(units) and units[start + 1].kind is _Kind.FIGURE:
        last += 1
    if units[last].kind not in (_Kind.LEFT, _Kind.FIGURE):
        return start + 1
    for at in range(last + 1, len(units)):
        unit, between = units[at], units[last + 1 : at]
        if unit.kind is _Kind.RIGHT or _is_wide(unit):
            break
        if unit.kind in (_Kind.LEFT, _Kind.FIGURE):
            is_parted = any(each.kind is _Kind.BLANK for each in between)
            if is_parted and _Kind.LEFT not in (unit.kind, units[last].kind):
                break
            last = at
        elif unit.bidi == "ET" and at == last + 1 and units[last].kind is _Kind.FIGURE:
            last = at
    return last + 1


def _from_left(units: Sequence[_Unit]) -> list[_Unit]:
    """Units of a line from left to right, phrases of the other direction within it turned."""
    read: list[_Unit] = []
    at = 0
    while at < len(units):
        end = at + 1
        for behind in range(at, len(units) if units[at].kind is _Kind.RIGHT else at):
            if units[behind].kind is _Kind.LEFT or _is_wide(units[behind]):
                break
            if units[behind].kind is _Kind.RIGHT:
                end = behind + 1
        read += _from_right(units[at:end][::-1])
        at = end
    return read


def _is_wide(unit: _Unit) -> bool:
    return unit.kind is _Kind.BLANK and unit.box.x1 - unit.box.x0 > _WIDE * unit.box.height


def _bracketed(text: str) -> str:
    """A line with its brackets as they are typed: a page shows them mirrored."""
    first = _BRACKETS.search(text)
    is_mirrored = first is not None and first[0] in ")]}" and first[0].translate(_MIRRORED) in text
    return text.translate(_MIRRORED) if is_mirrored else text
