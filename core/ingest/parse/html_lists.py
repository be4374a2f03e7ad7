"""Marks of list items as a browser shows them: numbers, letters, Roman numerals, else bullets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

BULLET = "- "
LISTS = frozenset(["ol", "ul", "menu", "dir"])
_STYLE = re.compile(r"list-style(?:-type)?\s*:\s*([\w-]+)", re.IGNORECASE)
_OF_STYLE = {
    "decimal": "1", "lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A", "upper-latin": "A",
    "lower-roman": "i", "upper-roman": "I", "none": "", "disc": "", "circle": "", "square": "",
}  # fmt: skip
_TYPES = frozenset(["1", "a", "A", "i", "I"])
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST_ROMAN = 3_999
_INTEGER = re.compile(r"\s*[+-]?\d{1,9}")


@dataclass(slots=True)
class _OpenList:
    """A list that is being read; kind: the type of its numbers, "" for bullets."""

    kind: str
    number: int = 1
    step: int = 1


class ListMarks:
    """Marks of items in reading order; lists may stand in lists.

    Source: HTML Standard, 4.4.5 The ol element: start, reversed, type, and value of an item.
    """

    def __init__(self) -> None:
        self._open: list[_OpenList] = []

    @property
    def is_numbered(self) -> bool:
        """True where the innermost list has numbers."""
        return bool(self._open) and bool(self._open[-1].kind)

    @property
    def is_open(self) -> bool:
        """True within a list."""
        return bool(self._open)

    @property
    def depth(self) -> int:
        """Number of lists around the innermost one."""
        return max(0, len(self._open) - 1)

    def begin(self, element: Any) -> None:
        """Go into a list."""
        if element.tag != "ol":
            self._open.append(_OpenList(""))
            return
        is_reversed = "reversed" in element.attrib
        first = sum(child.tag == "li" for child in element) if is_reversed else 1
        start = _integer(element.get("start"))
        kind = _kind_of(element, "1")
        self._open.append(_OpenList(kind, first if start is None else start, -1 if is_reversed else 1))

    def end(self) -> None:
        """Come out of the innermost list."""
        if self._open:
            self._open.pop()

    def mark(self, item: Any) -> str:
        """The mark of an item, with a blank behind it; counts on."""
        if not self._open:
            return BULLET
        inner = self._open[-1]
        said = _integer(item.get("value"))
        number = inner.number if said is None else said
        inner.number = number + inner.step
        kind = _kind_of(item, inner.kind) if inner.kind else ""
        return f"{_written(number, kind)}. " if kind else BULLET


def _kind_of(element: Any, otherwise: str) -> str:
    style = _STYLE.search(element.get("style", ""))
    kind = _OF_STYLE.get(style[1].lower()) if style else None
    if kind is not None:
        return kind
    said = element.get("type", "").strip()
    return said if said in _TYPES else otherwise


def _integer(said: str | None) -> int | None:
    match = _INTEGER.match(said or "")
    return int(match[0]) if match else None


def _written(number: int, kind: str) -> str:
    """A number as a list of that type shows it; what has no such form stands in digits."""
    written = str(number)
    if kind in "aA" and number > 0:
        written = ""
        while number:
            number, letter = divmod(number - 1, 26)
            written = chr(ord("a") + letter) + written
    elif kind in "iI" and 0 < number <= _MOST_ROMAN:
        written = ""
        for value, letters in _ROMAN:
            count, number = divmod(number, value)
            written += letters * count
    return written.upper() if kind.isupper() else written
