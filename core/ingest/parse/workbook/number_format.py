"""Cells of a workbook as it shows them: codes with their zeros, amounts with their currency, long hours."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from core.ingest.clean import normalise

_PART = re.compile(
    r'\[\$(?P<sign>[^\]-]*)[^\]]*\]|\[[^\]]*\]|"(?P<text>[^"]*)"|\\(?P<one>.)|[_*].|(?P<char>.)', re.DOTALL
)
_SIGNS = "$\u20ac\u00a3\u00a5\u20b9"
_PLACES = "0#?"
_BETWEEN = "-/ ()+"  # that stand for themselves between the digits of a code
_DIGITS = 15  # that a workbook keeps of a number
_LONGEST = 12  # characters beside the digits of a number
_MOST_DECIMALS = 6
_SCALED = re.compile(r"[0#?],+(?![0#?])")
_DECIMALS = re.compile(r" *0\.(0+) *")
_SLOT = "\x00"


class NumberFormat(NamedTuple):
    """Text beside the digits, and whether they are per cent.

    mask: of a code such as `000-00`, with a NUL for each digit. decimals: of one such as `0.00`, whose zeros
    at the end tell something: version 1.10.
    """

    before: str
    behind: str
    is_percent: bool
    mask: str = ""
    decimals: int = 0


@lru_cache(maxsize=1_024)
def number_format(code: str) -> NumberFormat:
    """The texts that a number format puts beside the digits: `#,##0.00 "EUR"` has "EUR" behind them."""
    positive = code.split(";", 1)[0]
    parts = list(_PART.finditer(positive))
    bare = "".join(part["char"] or " " for part in parts)
    digits = next((at for at, char in enumerate(bare) if char in _PLACES), len(bare))
    before, behind = "", ""
    for at, part in enumerate(parts):
        text = part["sign"] or part["text"] or part["one"] or (bare[at] if bare[at] in _SIGNS else "")
        before, behind = (before + text, behind) if at < digits else (before, behind + text)
    before, behind = before.strip(), behind.strip()
    if mask := _mask(parts):
        return NumberFormat("", "", False, mask)
    if len(before) > _LONGEST or len(behind) > _LONGEST or any(c.isdigit() for c in before + behind):
        before = behind = ""
    if _SCALED.search(bare):
        behind = ""  # the cell shows thousands of what it holds: "1,235 k"
    decimals = _DECIMALS.fullmatch(bare)
    return NumberFormat(
        before if before not in ("-", "(", "+") else "",
        behind.strip(")"),
        "%" in bare,
        "",
        min(_MOST_DECIMALS, len(decimals[1])) if decimals else 0,
    )


def _mask(parts: list[re.Match[str]]) -> str:
    """The mask of a code, which always has all its digits; "" for the format of an amount."""
    mask = ""
    for part in parts:
        char = part["char"] or ""
        if char and char != "0" and char not in _BETWEEN:
            return ""
        mask += _SLOT if char == "0" else char or part["text"] or part["one"] or part["sign"] or ""
    return mask.strip() if mask.count(_SLOT) > 1 else ""


def cell_text(value: object, code: str = "General") -> str:
    """A cell for a reader, on one line; "" for an empty one."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float | Decimal):
        return _number(value, code)
    if isinstance(value, datetime.datetime):
        is_day = value.time() == datetime.time()
        return value.date().isoformat() if is_day else value.isoformat(" ", "seconds")
    if isinstance(value, datetime.timedelta):
        return _elapsed(value, code.casefold())
    return " ".join(normalise(str(value)).split())


def _elapsed(value: datetime.timedelta, code: str) -> str:
    """Hours and minutes, as many as there are: 30:15."""
    seconds = round(abs(value.total_seconds()))
    sign = "-" if value < datetime.timedelta() else ""
    if "h" not in code and "[m" in code:
        return f"{sign}{seconds // 60}:{seconds % 60:02}"
    text = f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}"
    return f"{text}:{seconds % 60:02}" if "s" in code or seconds % 60 else text


def _number(value: int | float | Decimal, code: str) -> str:
    digits = _plain(value)
    if code in ("General", "@", "", "0") or not digits[-1:].isdigit():
        return digits
    shown = number_format(code)
    sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    if shown.mask and digits.isdigit():
        return sign + _filled(shown.mask, digits)
    if shown.is_percent:
        digits = _plain(Decimal(digits) * 100) + "%"
    elif shown.decimals:
        whole, _, fraction = digits.partition(".")
        digits = f"{whole}.{fraction.ljust(shown.decimals, '0')}"
    if not shown.before and not shown.behind:
        return sign + digits
    space = " " if shown.before[-1:].isalpha() else ""
    behind = "" if shown.is_percent else f" {shown.behind}"
    return f"{sign}{shown.before}{space}{digits}{behind}".strip()


def _filled(mask: str, digits: str) -> str:
    """The digits of a code in its mask, from its end; what is more stands at its beginning."""
    slots = mask.count(_SLOT)
    told = digits.rjust(slots, "0")
    rest = iter(told[len(told) - slots + 1 :])
    head, _, tail = mask.partition(_SLOT)
    return head + told[: len(told) - slots + 1] + "".join(next(rest) if c == _SLOT else c for c in tail)


def _plain(value: int | float | Decimal) -> str:
    """Digits without an exponent, as many as a workbook keeps."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            return str(value)
        value = Decimal(f"{value:.{_DIGITS}g}")
    text = f"{value.normalize():f}"
    return text if text != "-0" else "0"
