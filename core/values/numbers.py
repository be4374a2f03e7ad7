"""Numbers, percentages and quantities with units, each in one canonical unit."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from decimal import Decimal
from typing import Final

from core.domain.fields import NUMBER_SCALE, FieldType, Special, TypedValue
from core.values.edges import doubts_number
from core.values.number_words import CARDINAL_WORDS, parse_cardinal, plain_number, read_digits
from core.values.units import canonical_unit, convert, unit_name


class NonOverlappingSpans:
    """The spans that were taken so far."""

    def __init__(self) -> None:
        self._spans: list[tuple[int, int]] = []

    def take(self, start: int, end: int) -> bool:
        """Take [start, end) unless a character of it is taken; whether it was taken now."""
        at = bisect_left(self._spans, (start, end))
        if at < len(self._spans) and self._spans[at][0] < end:
            return False
        if at and self._spans[at - 1][1] > start:
            return False
        insort(self._spans, (start, end))
        return True


_MAX_UNITS: Final = 2**63 - 1
_DIGITS = (
    r"(?:\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,6}(?:\.\d{1,12})?|\d{1,24}(?:[.,'\u2019]\d{1,12}){0,8}|\.\d{1,12})"
)
_NUMBER = (
    rf"(?P<sign>[-+\u2212])?[ ]?(?P<digits>{_DIGITS})(?:[ ]?[xX\u00d7\u00b7*][ ]?10\^?"
    rf"(?P<power>[-\u2212]?\d{{1,2}})|[eE](?P<exponent>[-+]?\d{{1,2}}))?"
)
_UNIT = (
    r"(?P<unit>[A-Za-z%\u00b0\u2103\u2109\u00b5\u03bc\u03a9\u2126\u2030\"']"
    r"[A-Za-z\u00b0\u00b5\u03bc\u03a9\u2126\u00b2\u00b30-9/^*\u00b7.\"'-]{0,29})?"
)
_QUANTITY = re.compile(rf"\(?{_NUMBER}\)?[ \t\u00a0]{{0,3}}{_UNIT}")
_WORDED = re.compile(
    rf"(?P<words>{CARDINAL_WORDS})(?:[ \t\n]{{0,3}}\([ ]?(?P<digits>\d{{1,12}}"
    rf"(?:[.,]\d{{1,3}}){{0,4}})[ ]?%?[ ]?\))?"
    r"[ \t\n-]{0,3}(?P<unit>[A-Za-z%][A-Za-z]{0,29})?",
    re.IGNORECASE,
)
_PERCENT = re.compile(
    rf"(?<![\d.,A-Za-z])(?:(?P<words>{CARDINAL_WORDS})(?:[ \n-]{{1,2}}and[ \n-](?:a[ \n-]"
    rf"|one[ \n-])?(?P<half>half))?"
    rf"[ \t\n]{{0,3}}(?:per[ ]?cent(?:age)?)?[ \t\n]{{0,3}}"
    rf"(?:\([ ]?(?P<inside>\d{{1,3}}(?:[.,]\d{{1,4}})?)[ ]?%?[ ]?\))?[ \t\n]{{0,3}}"
    r"(?P<mark>%|per[ ]?cent\b)?|(?P<sign>(?<![\w.,)%])[-+\u2212])?(?P<plain>\d{1,3}(?:[.,]\d{1,6})?)"
    r"[ \t\n]{0,2}(?:%|per[ ]?cent\b"
    r"|percentage[ ]points?))",
    re.IGNORECASE,
)

_SQUARE = re.compile(
    r"\b(sq|square|cu|cubic)\.?[ ](ft|feet|foot|in|inch|inches|m|meters?|metres?|km|miles?|yards?|yd)\b\.?",
    re.I,
)
_NOT_UNIT_WORDS = "to or and of in for the by a an at on as per with from than is are net day days"
_NOT_UNITS = frozenset(_NOT_UNIT_WORDS.split())


def parse_number(text: str, unit: str = "") -> TypedValue | None:
    """The number that `text` is, with its unit in canonical form, or None where it is anything else.

    "5 kg" is 5000 "g"; "five percent (5%)" is 5 "%"; a plain number has no unit. unit: the unit that
    the field wants, into which what was read is converted (None where it is of another kind; a number
    without unit is taken to be in it). Rounded to six places; None where that would change it visibly.
    """
    text = _SQUARE.sub(_of_square, text.strip()[:200])
    if percent := _percent(text):
        return percent if unit in ("", "%", "percent") else None
    match = _QUANTITY.fullmatch(text)
    if match:
        number = _decimal(match)
        written = (match["unit"] or "").strip()
    else:
        worded = _WORDED.fullmatch(text)
        if worded is None:
            return None
        number, written = _of_words(worded), (worded["unit"] or "").strip()
    if number is None:
        return None
    return _quantity(number, written, unit, text)


def _of_square(match: re.Match[str]) -> str:
    return f"{match[2]}^{2 if match[1].lower().startswith('sq') else 3}"


def find_percents(text: str) -> list[tuple[int, int, TypedValue]]:
    """Every percentage in `text`, in order: (start, end, value with the unit "%").

    Words and digits that disagree ("ten percent (12%)") are AMBIGUOUS with both numbers in `text`. Left out
    is what touches more than was read.
    """
    found = []
    for match in _PERCENT.finditer(text):
        value = _percent_value(match)
        end = match.start() + len(match[0].rstrip())
        if value and not doubts_number(text, match.start(), end):
            found.append((match.start(), end, value))
    return found


def _percent(text: str) -> TypedValue | None:
    match = _PERCENT.fullmatch(text)
    return _percent_value(match) if match else None


def _percent_value(match: re.Match[str]) -> TypedValue | None:
    original = match[0].strip()
    if match["plain"]:
        number = read_digits(match["plain"].replace(",", "."))
        if number is None:
            return None
        return number_value(-number if match["sign"] in ("-", "\u2212") else number, "%", original)
    said = match[0].lower()
    if not (match["mark"] or "%" in said or "percent" in said or "per cent" in said):
        return None
    whole = parse_cardinal(match["words"])
    worded = None if whole is None else whole + (Decimal("0.5") if match["half"] else Decimal(0))
    inside = read_digits(match["inside"].replace(",", ".")) if match["inside"] else None
    if worded is not None and inside is not None and worded != inside:
        both = f"{plain_number(worded)}/{plain_number(inside)}"
        return TypedValue(FieldType.NUMBER, both, None, "%", original, special=Special.AMBIGUOUS)
    number = inside if worded is None else worded
    return number_value(number, "%", original) if number is not None else None


def _decimal(match: re.Match[str]) -> Decimal | None:
    number = read_digits(match["digits"])
    if number is None:
        return None
    power = (match["power"] or match["exponent"] or "0").replace("\u2212", "-")
    number = number.scaleb(int(power))
    negative = match["sign"] in ("-", "\u2212") or (match[0].startswith("(") and ")" in match[0])
    return -number if negative else number


def _of_words(match: re.Match[str]) -> Decimal | None:
    number = parse_cardinal(match["words"])
    digits = read_digits(match["digits"]) if match["digits"] else None
    if number is None or (digits is not None and digits != number):
        return None
    return Decimal(number)


def _quantity(number: Decimal, written: str, wanted: str, original: str) -> TypedValue | None:
    if written.lower() in _NOT_UNITS and written != "A":
        return None
    if not written:
        canonical = canonical_unit(wanted) if wanted else ""
        if canonical is None:
            return None
        return number_value(number, wanted, original)
    name = unit_name(written)
    if name in ("", "%"):
        return number_value(number, name, original) if wanted in ("", name) else None
    converted = convert(number, name, wanted)
    if converted is None:
        return None
    return number_value(converted[0], converted[1], original)


def number_value(number: Decimal, unit: str = "", original: str = "") -> TypedValue | None:
    """A number as a value; None where it does not fit what is stored."""
    rounded = number.quantize(Decimal(1).scaleb(-NUMBER_SCALE)) if abs(number) < Decimal(10) ** 18 else None
    if rounded is None or abs(rounded - number) * 1_000 > abs(number):
        return None
    if abs(units := int(rounded.scaleb(NUMBER_SCALE))) > _MAX_UNITS:
        return None
    return TypedValue(FieldType.NUMBER, plain_number(rounded), units, unit, original)
