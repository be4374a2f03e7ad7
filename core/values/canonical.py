"""Values that a condition writes canonically, read strictly: a text that could mean two things is refused."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from datetime import date
from decimal import Decimal, localcontext

from core.domain.fields import MONEY_SCALE, NUMBER_SCALE, TEXTS, FieldType, Special, TypedValue
from core.text.patterns import any_case
from core.values.durations import duration, find_durations, parse_duration
from core.values.money import FACTORS, SYMBOL, SYMBOLS, money_text
from core.values.numbers import plain_number

SPECIAL_WORDS = frozenset(each.value for each in Special if each)

_NUMBER = r"(?P<number>[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|[+-]?\.\d+)"
_MONEY = re.compile(
    rf"(?:(?P<before>{SYMBOL}|[A-Za-z]{{3}})\s*)?{_NUMBER}\s*(?P<scale>[kKmMbB](?![A-Za-z]))?\s*(?P<after>[A-Za-z]{{3}})?"
)
_QUANTITY = re.compile(rf"{_NUMBER}(?P<scale>[kKmMbB](?![A-Za-z]))?\s*(?P<unit>\D.*)?")
_SPAN = any_case(r"(?P<count>\d{1,25}(?:\.\d{1,6})?)\s*(?P<unit>hour|day|week|month|year)s?")
_ISO_SPAN = any_case(r"P(?P<count>\d{1,9}\.\d{1,6})(?P<unit>[DWMY])")
_MONTHS = {"m": 1, "y": 12}
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}
_LONGEST = 500  # characters of what is no text
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def read_value(text: str, kind: FieldType) -> TypedValue | None:
    """The value that a canonical text has as a type; None where it has none.

    Dates and durations are ISO 8601 ("24 months" too), numbers have a point for decimals; K, M and B
    multiply; a currency may be missing, its `unit` is then "". An amount may be greater than any that is
    stored: a condition may well ask for less than it. A special word (`perpetual`, `blank`, ...) is
    that of any type but texts.
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
    if len(text) > _LONGEST:
        return None
    with localcontext(prec=2 * _LONGEST):  # a condition may name a number that nothing stored comes near
        return readers[kind](text)


def as_money(value: TypedValue) -> TypedValue | None:
    """A plain number as an amount without a currency; None where it is finer than money is kept."""
    if value.decimal is None:
        return None
    amount = _at_scale(value.decimal, MONEY_SCALE)
    return (
        None
        if amount is None
        else TypedValue(FieldType.MONEY, money_text(value.decimal), amount, "", value.original)
    )


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
    mark = found["before"] or found["after"] or ""
    number = _scaled(found)
    amount = None if number is None else _at_scale(number, MONEY_SCALE)
    if number is None or amount is None:
        return None
    return TypedValue(FieldType.MONEY, money_text(number), amount, SYMBOLS.get(mark, mark.upper()), text)


def _number(text: str) -> TypedValue | None:
    found = _QUANTITY.fullmatch(text)
    number = None if found is None else _scaled(found)
    amount = None if number is None else _at_scale(number, NUMBER_SCALE)
    if found is None or number is None or amount is None:
        return None
    return TypedValue(FieldType.NUMBER, plain_number(number), amount, (found["unit"] or "").strip(), text)


def _duration(text: str) -> TypedValue | None:
    found = _SPAN.fullmatch(text) or _ISO_SPAN.fullmatch(text)
    if found is None:
        is_iso = text[:1] in ("P", "p") and text[-1].isalpha()
        whole = [end - start for start, end, _ in find_durations(text)] == [len(text)]
        value = parse_duration(text.upper()) if whole or (is_iso and any(map(str.isdigit, text))) else None
        return None if value is None else replace(value, original=text)
    count, unit = Decimal(found["count"]), found["unit"][0].lower()
    months, hours = count * _MONTHS.get(unit, 0), count * _HOURS.get(unit, 0)
    if months != int(months) or hours != int(hours):
        return None  # a third of a month is no length that a calendar knows
    return duration(months=int(months), seconds=3_600 * int(hours), original=text)


def _scaled(found: re.Match[str]) -> Decimal | None:
    try:
        return Decimal(found["number"].replace(",", "")) * FACTORS.get((found["scale"] or "").lower(), 1)
    except ArithmeticError:  # more digits or places than Decimal computes with
        return None


def _at_scale(number: Decimal, scale: int) -> int | None:
    amount = number.scaleb(scale)
    return int(amount) if amount == amount.to_integral_value() else None


_NUMBERING = re.compile(r"\b(?:amended|restated|the|and|of|no|number|first|second|third)\b")


def family_key(title: str) -> str:
    """A title in lower case, without numbers of amendments, accents and punctuation: equal for one family."""
    folded = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return " ".join(re.findall(r"[a-z0-9]+", _NUMBERING.sub(" ", folded)))
