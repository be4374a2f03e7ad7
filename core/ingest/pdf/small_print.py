"""Figures that a page sets smaller and higher or lower than what they stand at, as Unicode has them.

Without that a footnote's mark is a digit of the amount before it, and ten to the fifth is 105.
"""

from __future__ import annotations

import re

from core.ingest.pdf.glyphs import Glyphs
from core.ingest.pdfium.base import Bounds
from core.text.marks import lowered, raised

_TOKEN = re.compile(r"[(+\-\u2212]?\d(?:[\d.,'+\-\u2212]*\d)?\)?")
_BREAK = re.compile(r"[ ]*\r?\n[ ]*")
_LONGEST = 3  # figures of a mark that stands by itself
_SMALLER = 0.87
_RAISED, _LOWERED = 0.15, 0.01  # of the height of what it stands at
_NEAR = 1.0
_SHIFTS = {
    **dict.fromkeys(raised("0123456789()"), 1),
    **dict.fromkeys(lowered("0123456789()"), -1),
}  # of a mark behind another


def mark_small_print(glyphs: Glyphs) -> None:
    """Change raised and lowered figures to such characters, and drop the line breaks that they caused."""
    raw = glyphs.raw
    for token in _TOKEN.finditer(raw):
        start, end = token.span()
        first = _digit_at(raw, start, end, 1)
        last = _digit_at(raw, start, end, -1)
        if first != last and not _is_alike(glyphs.at(first), glyphs.at(last)):
            _mark_parts(glyphs, end, first)
        elif last - first < _LONGEST or raw[start - 1 : start].isalpha():
            _mark_whole(glyphs, start, end, first)


def _digit_at(raw: str, start: int, end: int, step: int) -> int:
    at = start if step > 0 else end - 1
    while not raw[at].isdigit():
        at += step
    return at


def _is_alike(one: Bounds | None, other: Bounds | None) -> bool:
    return (
        one is None
        or other is None
        or abs(one.height - other.height) <= (1 - _SMALLER) * max(one.height, other.height)
    )


def _mark_parts(glyphs: Glyphs, end: int, first: int) -> None:
    """Of a run of figures of two sizes, the part behind the first one: "72,000" and "2"."""
    base = glyphs.at(first)
    at = first
    while at < end and _is_alike(base, glyphs.at(at)):
        at += 1
    # a comma or sign between belongs to the mark where it is as small
    if base is not None and at < end:
        _change(glyphs, at, end, _shift(base, glyphs.at(at)))


def _mark_whole(glyphs: Glyphs, start: int, end: int, first: int) -> None:
    """Figures all of one size, by what stands before them, or at the start of a line behind them."""
    raw, own = glyphs.raw, glyphs.at(first)
    if own is None:
        return
    before = start - 1
    while before >= 0 and raw[before] in " \r\n":
        before -= 1
    is_first = "\n" in raw[before + 1 : start]
    base = glyphs.at(before) if before >= 0 else None
    if base is not None and own.x0 - base.x1 < _NEAR * base.height and own.x1 > base.x0:
        is_another = before in glyphs.characters and _is_alike(base, own) and base.y0 < own.middle < base.y1
        shift = _SHIFTS.get(glyphs.characters.get(before, ""), 0) if is_another else _shift(base, own)
        if shift and (not is_first or own.x0 >= base.x1 - 0.3 * base.height):
            _change(glyphs, start, end, shift)
            if is_first:
                _drop_break(glyphs, before + 1, start)
            return
    if is_first or before < 0:
        behind = end
        while behind < len(raw) and raw[behind] in " \r\n":
            behind += 1
        base = glyphs.at(behind) if behind < len(raw) else None
        if base is not None and -0.3 * base.height < base.x0 - own.x1 < _NEAR * base.height:
            _change(glyphs, start, end, _shift(base, own))


def _shift(base: Bounds, own: Bounds | None) -> int:
    """1 for what is smaller and raised, -1 for what is lowered, 0 for all else."""
    if own is None or own.height >= _SMALLER * base.height or base.height <= 0:
        return 0
    rise = (own.y0 - base.y0) / base.height
    if own.y0 >= base.y1 or own.y1 <= base.y0:
        return 0  # on another line
    if rise >= _RAISED and own.middle > base.middle:
        return 1
    return -1 if rise <= -_LOWERED and own.middle < base.middle else 0


def _change(glyphs: Glyphs, start: int, end: int, shift: int) -> None:
    if not shift:
        return
    raw = glyphs.raw
    text = raised(raw[start:end]) if shift > 0 else lowered(raw[start:end])
    if len(text) == end - start and text != raw[start:end]:
        glyphs.characters.update(zip(range(start, end), text, strict=True))
        match = _BREAK.match(raw, end)
        own = glyphs.at(end - 1)
        behind = glyphs.at(match.end()) if match and match.end() < len(raw) else None
        if match and own and behind and _goes_on(own, behind):
            _drop_break(glyphs, match.start(), match.end())


def _goes_on(own: Bounds, behind: Bounds) -> bool:
    """True where what comes behind a mark stands beside it."""
    is_level = behind.y0 < own.middle < behind.y1 + 0.3 * behind.height
    return is_level and -0.3 * behind.height < behind.x0 - own.x1 < 2 * behind.height


def _drop_break(glyphs: Glyphs, start: int, end: int) -> None:
    """Leave out a line break between figures and what they stand at; of blanks around it one stays."""
    blanks = [at for at in range(start, end) if glyphs.raw[at] == " "]
    glyphs.gone.update(set(range(start, end)) - set(blanks[:1]))
