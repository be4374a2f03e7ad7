"""Numbers as lists write them: letters and Roman numerals."""

from __future__ import annotations

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST_ROMAN = 3_999
_MOST_REPEATED = 780


def roman(count: int) -> str:
    """4 is iv; what has no such form stands in digits."""
    if not 0 < count <= _MOST_ROMAN:
        return str(count)
    written = ""
    for value, signs in _ROMAN:
        times, count = divmod(count, value)
        written += signs * times
    return written


def letters(count: int, *, repeat: bool = False) -> str:
    """2 is b. 28 is ab, or with `repeat` bb, as Word counts; what has no such form stands in digits."""
    if count <= 0 or (repeat and count > _MOST_REPEATED):
        return str(count)
    if repeat:
        return chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
    written = ""
    while count:
        count, letter = divmod(count - 1, 26)
        written = chr(ord("a") + letter) + written
    return written
