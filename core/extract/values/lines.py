"""A receipt or an invoice as lines of keys and amounts, however its text was laid out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from core.domain.fields import TypedValue
from core.values.money import parse_money

_LINE = re.compile(r"[^\n]+")
_AMOUNT = re.compile(
    r"(?<![\d.,/:-])(?P<minus>[-\u2212])?(?:(?P<mark>RM|MYR|USD|EUR|GBP|SGD|INR|Rs\.?|US\$"
    r"|[$\u20ac\u00a3\u20b9])[ ]?)?(?P<digits>\d{1,3}(?:[, ]\d{3}){1,3}[.,][ ]?\d{2}|\d{1,7}[.,][ ]?\d{2})"
    r"(?![\d/:%]|[.,]\d|[ ]?%)(?P<trail>-(?=[ ]{0,3}(?:\n|$)))?",
    re.IGNORECASE,
)
MAX_LINES = 2_000


class Line(NamedTuple):
    """A line that is not blank, without the white space at its ends."""

    start: int
    end: int
    text: str


class Amount(NamedTuple):
    """An amount as a receipt prints it, with or without a currency."""

    start: int
    end: int
    number: Decimal
    value: TypedValue


def read_lines(text: str) -> list[Line]:
    """The first 2,000 lines of a text that hold anything."""
    lines: list[Line] = []
    for match in _LINE.finditer(text):
        stripped = match[0].strip()
        if stripped:
            start = match.start() + len(match[0]) - len(match[0].lstrip())
            lines.append(Line(start, start + len(stripped), stripped))
        if len(lines) >= MAX_LINES:
            break
    return lines


def amounts_in(text: str, start: int, end: int, currency: str) -> list[Amount]:
    """The amounts with cents between two offsets, in order."""
    return list(_amounts(text, start, end, currency))


def _amounts(text: str, start: int, end: int, currency: str) -> Iterator[Amount]:
    for match in _AMOUNT.finditer(text, start, end):
        digits = match["digits"].replace(" ", "")
        mark = (match["mark"] or "").strip()
        sign = "-" if match["minus"] or match["trail"] else ""
        value = parse_money(f"{sign}{mark} {digits}" if mark else f"{sign}{digits}", currency)
        if value is None or value.amount is None:
            continue
        exact = TypedValue(value.type, value.text, value.amount, value.unit, match[0].strip())
        begin = match.start() + len(match[0]) - len(match[0].lstrip())
        yield Amount(begin, match.end(), Decimal(value.text), exact)


def currency_in(text: str) -> str:
    """The one currency that a receipt is in, "" where it does not say: its marks, or where it is from."""
    marks = re.findall(
        r"(?<![A-Za-z])(RM|MYR|USD|EUR|GBP|SGD|INR|Rs\.)(?![A-Za-z])|([$\u20ac\u00a3\u20b9])", text[:20_000]
    )
    names = {"RM": "MYR", "Rs.": "INR", "$": "USD", "\u20ac": "EUR", "\u00a3": "GBP", "\u20b9": "INR"}
    counts: dict[str, int] = {}
    for code, symbol in marks:
        name = names.get(code or symbol, code)
        counts[name] = counts.get(name, 0) + 1
    if counts:
        return max(counts, key=lambda name: counts[name])
    return "MYR" if re.search(r"\bS[DO]N\.?[ ]?B[HN]D\b|\bMALAYSIA\b", text, re.IGNORECASE) else ""


def values_after(lines: list[Line], index: int, key_end: int, text: str) -> Iterator[tuple[int, int]]:
    """Spans where a key's value can stand: behind it on its line, else on the next lines."""
    line = lines[index]
    rest = text[key_end : line.end]
    if re.search(r"[A-Za-z0-9]", rest):
        skip = len(rest) - len(rest.lstrip(" \t:.#-=*"))
        yield key_end + skip, line.end
    for following in lines[index + 1 : index + 3]:
        yield following.start, following.end
