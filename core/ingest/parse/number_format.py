"""Cells of a workbook as text: with the currency, the percent sign or the unit that their format shows.

All digits of the value are kept, also those that the format rounds away.
"""

from __future__ import annotations

import datetime
import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from core.ingest.clean import normalise

_CURRENCY = re.compile(r"\[\$(?P<sign>[^\]-]*)(?:-[^\]]*)?\]")
_LITERAL = re.compile(r'"(?P<text>[^"]*)"|\\(?P<one>.)|_.|\*.')
_BRACKETED = re.compile(r"\[[^\]]*\]")
_SIGNS = "$\u20ac\u00a3\u00a5\u20b9"
_DIGITS = 15  # that a workbook keeps of a number
_LONGEST = 12  # characters beside the digits of a number


class NumberFormat(NamedTuple):
    """Text beside the digits, and whether they are per cent."""

    before: str
    behind: str
    is_percent: bool


@lru_cache(maxsize=1_024)
def number_format(code: str) -> NumberFormat:
    """The texts that a number format puts beside the digits: `#,##0.00 "EUR"` has "EUR" behind them."""
    positive = code.split(";", 1)[0]
    positive = _CURRENCY.sub(lambda match: f'"{match["sign"]}"', positive)
    texts: list[tuple[int, str]] = []

    def keep(match: re.Match[str]) -> str:
        text = match["text"] if match["text"] is not None else match["one"] or ""
        texts.append((match.start(), text))
        return "\x00" * len(match[0])

    bare = _BRACKETED.sub(lambda match: "\x00" * len(match[0]), _LITERAL.sub(keep, positive))
    digits = next((at for at, char in enumerate(bare) if char in "0#?"), len(bare))
    texts += [(at, char) for at, char in enumerate(bare) if char in _SIGNS]
    texts.sort()
    before = "".join(text for at, text in texts if at < digits).strip()
    behind = "".join(text for at, text in texts if at > digits).strip()
    if len(before) > _LONGEST or len(behind) > _LONGEST or any(c.isdigit() for c in before + behind):
        before = behind = ""
    return NumberFormat(before if before not in ("-", "(", "+") else "", behind.strip(")"), "%" in bare)


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
    return " ".join(normalise(str(value)).split())


def _number(value: int | float | Decimal, code: str) -> str:
    digits = _plain(value)
    if code in ("General", "@", "", "0"):
        return digits
    shown = number_format(code)
    if shown.is_percent:
        return f"{_plain(Decimal(digits) * 100)}%" if digits[-1:].isdigit() else digits
    if not shown.before and not shown.behind:
        return digits
    sign = "-" if digits.startswith("-") else ""
    space = " " if shown.before[-1:].isalpha() else ""
    return f"{sign}{shown.before}{space}{digits.lstrip('-')} {shown.behind}".strip()


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
