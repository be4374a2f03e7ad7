"""Words around a candidate as hashed columns: near it by their place, farther off as a bag, and its own look.

Words are hashed (CRC-32), so that no vocabulary is shipped and training and use cannot differ in it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from zlib import crc32

COLUMNS = 1 << 15
"""Hash values, of every field its own."""

_NEAR, _FAR = 160, 420  # characters to either side
_PLACED = 4  # words whose distance counts
_BAG = 12
_TOKEN = re.compile(r"[^\W\d_]+|\d+|[$%\u20ac\u00a3\"\u201c\u201d():;,]|\n")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


@lru_cache(maxsize=200_000)
def column(name: str) -> int:
    """The column of a feature by its name."""
    return crc32(name.encode("utf-8", "replace")) & (COLUMNS - 1)


def context_columns(text: str, start: int, end: int, own: Iterable[str] = ()) -> tuple[int, ...]:
    """Columns of a candidate [start, end): its neighbourhood, and what is said of it in `own`."""
    left = _tokens(text[max(0, start - _NEAR) : start])[-_BAG:]
    right = _tokens(text[end : end + _NEAR])[:_BAG]
    names = [*_side("l", left[::-1]), *_side("r", right)]
    before = text[max(0, start - _FAR) : start]
    cut = max(before.rfind(". "), before.rfind(".\n"), before.rfind(";"))
    sentence = _WORD.findall(before[cut + 1 :].lower())
    names += [f"s {_plain(word)}" for word in set(sentence)]
    names += [f"o {_plain(word)}" for word in set(_WORD.findall(before.lower()))]
    after = text[end : end + _FAR]
    stop = re.search(r"\.[ \n]|;", after)
    names += [
        f"t {_plain(word)}" for word in set(_WORD.findall(after[: stop.start() if stop else _FAR].lower()))
    ]
    names += [f"h {_plain(word)}" for word in _head(text, start)]
    names += [f"= {each}" for each in own]
    return tuple(sorted({column(name) for name in names}))


def _side(side: str, near: Sequence[str]) -> list[str]:
    """Names of the words on one side, the nearest first."""
    names = [f"{side}{at} {word}" for at, word in enumerate(near[:_PLACED])]
    names += [f"{side} {word}" for word in near]
    names += [f"{side}2 {one} {other}" for one, other in itertools.pairwise(near)]
    names += [f"{side}3 {' '.join(near[at : at + 3])}" for at in range(min(4, len(near) - 2))]
    return names


def _head(text: str, start: int) -> list[str]:
    """The first words of the paragraph of a place: its heading, mostly."""
    begin = max(0, start - 3_000)
    breaks = [match.end() for match in _PARAGRAPH.finditer(text, begin, start)]
    first = breaks[-1] if breaks else begin
    return _WORD.findall(text[first : min(start, first + 90)].lower())[:7]


def _tokens(text: str) -> list[str]:
    return [_plain(token) for token in _TOKEN.findall(text.lower())]


def _plain(token: str) -> str:
    if token[0].isdigit():
        return "0000" if len(token) == 4 else "0"
    return '"' if token in "\u201c\u201d" else token
