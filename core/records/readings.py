"""Values that a condition writes canonically, read strictly: a text that could mean two things is refused."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from core.domain.fields import MONEY_SCALE, NUMBER_SCALE, FieldType, Special, TypedValue

TEXTS = frozenset({FieldType.TEXT, FieldType.ENUM, FieldType.PARTY})
SPECIAL_WORDS = frozenset(each.value for each in Special if each)

_NUMBER = r"(?P<number>[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|[+-]?\.\d+)"
_MONEY = re.compile(
    rf"(?:(?P<before>[A-Za-z]{{3}}|[$€£¥])\s*)?{_NUMBER}\s*(?P<scale>[kKmMbB](?![A-Za-z]))?\s*(?P<after>[A-Za-z]{{3}})?"
)
_QUANTITY = re.compile(rf"{_NUMBER}\s*(?P<scale>[kKmMbB](?![A-Za-z]))?\s*(?P<unit>\D.*)?")
_SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_SCALES = {"k": 1_000, "m": 1_000_000, "b": 1_000_000_000}
_SPAN = re.compile(r"(?P<count>\d+(?:\.\d+)?)\s*(?P<unit>day|week|month|year)s?", re.IGNORECASE)
_ISO_SPAN = re.compile(r"P(?P<count>\d+(?:\.\d+)?)(?P<unit>[DWMY])", re.IGNORECASE)
_DAYS = {"d": "1", "w": "7", "m": "30.4375", "y": "365.25"}
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def read_value(text: str, kind: FieldType) -> TypedValue | None:
    """The value that a canonical text has as a type; None where it has none.

    Dates are ISO 8601, numbers have a point for decimals; K, M and B multiply; a currency may be missing, its
    `unit` is then "". A special word (`perpetual`, `blank`, ...) is that of any type but texts.
    """
    text = text.strip()
    if kind in TEXTS:
        return TypedValue(kind, text, original=text)
    if text.casefold() in SPECIAL_WORDS:
        return TypedValue(kind, text, original=text, special=Special(text.casefold()))
    readers = {
        FieldType.BOOLEAN: _boolean,
        FieldType.DATE: _date,
        FieldType.MONEY: _money,
        FieldType.NUMBER: _number,
        FieldType.DURATION: _duration,
    }
    return readers[kind](text)


def as_money(value: TypedValue) -> TypedValue | None:
    """A plain number as an amount without a currency; None where it is finer than money is kept."""
    if value.decimal is None:
        return None
    amount = value.decimal.scaleb(MONEY_SCALE)
    if amount != amount.to_integral_value():
        return None
    return TypedValue(FieldType.MONEY, value.text, int(amount), "", value.original)


def _boolean(text: str) -> TypedValue | None:
    truth = _TRUTHS.get(text.casefold())
    if truth is None:
        return None
    return TypedValue(FieldType.BOOLEAN, "true" if truth else "false", int(truth), original=text)


def _date(text: str) -> TypedValue | None:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return TypedValue(FieldType.DATE, found.isoformat(), found.toordinal(), original=text)


def _money(text: str) -> TypedValue | None:
    found = _MONEY.fullmatch(text)
    if found is None or (found["before"] and found["after"]):
        return None
    unit = (found["before"] or found["after"] or "").upper()
    number = _scaled(found)
    amount = None if number is None else _at_scale(number, MONEY_SCALE)
    if number is None or amount is None:
        return None
    return TypedValue(FieldType.MONEY, str(number), amount, _SYMBOLS.get(unit, unit), text)


def _number(text: str) -> TypedValue | None:
    found = _QUANTITY.fullmatch(text)
    number = None if found is None else _scaled(found)
    amount = None if number is None else _at_scale(number, NUMBER_SCALE)
    if found is None or number is None or amount is None:
        return None
    return TypedValue(FieldType.NUMBER, str(number), amount, (found["unit"] or "").strip(), text)


def _duration(text: str) -> TypedValue | None:
    found = _SPAN.fullmatch(text) or _ISO_SPAN.fullmatch(text)
    if found is None:
        return None
    days = Decimal(found["count"]) * Decimal(_DAYS[found["unit"][0].lower()])
    amount = _at_scale(days, NUMBER_SCALE)
    if amount is None:
        return None
    return TypedValue(FieldType.DURATION, f"P{found['count']}{found['unit'][0].upper()}", amount, "", text)


def _scaled(found: re.Match[str]) -> Decimal | None:
    try:
        return Decimal(found["number"].replace(",", "")) * _SCALES.get((found["scale"] or "").lower(), 1)
    except ArithmeticError:  # more digits or places than Decimal computes with
        return None


def _at_scale(number: Decimal, scale: int) -> int | None:
    amount = number.scaleb(scale)
    return int(amount) if amount == amount.to_integral_value() else None
