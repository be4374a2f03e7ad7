"""Typed values as a person reads them: the same words on pages, in answers and on the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from core.domain.fields import FieldType, Special, TypedValue

_SPECIAL = {Special.PERPETUAL: "Perpetual", Special.BLANK: "Left blank", Special.REDACTED: "Redacted"}
_DURATION = re.compile(
    r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?"
)
_WHOLE_DAYS = re.compile(r"P([1-9]\d*)D")
_IN_WEEKS = re.compile(r"\bweeks?\b", re.IGNORECASE)
_WEEK = 7
_WRITTEN = 12  # places behind the point: nobody writes more, and quotients have them
_YEARS = range(1900, 2101)
_UNITS = ("year", "month", "week", "day", "hour", "minute", "second")


def shown(value: TypedValue) -> str:
    """A value: `USD 1,250,000`, `3 Oct 2024`, `60 days`, `Yes`."""
    if value.special is Special.AMBIGUOUS:
        return " or ".join(_day(part) for part in value.text.split("/"))
    if value.special:
        return _SPECIAL[value.special]
    if value.type is FieldType.BOOLEAN:
        return "Yes" if value.text == "true" else "No"
    if value.type is FieldType.MONEY:
        return f"{value.unit} {_grouped(value.text, 'money')}".strip()
    if value.type is FieldType.NUMBER:
        return f"{_grouped(value.text, value.unit)} {value.unit}".strip()
    if value.type is FieldType.DATE:
        return _day(value.text)
    return _written_length(value) if value.type is FieldType.DURATION else value.text


def _written_length(value: TypedValue) -> str:
    """A length of time in weeks where the document counts weeks: `20 weeks`, stored as 140 days."""
    days = _WHOLE_DAYS.fullmatch(value.text)
    if days is None or int(days[1]) % _WEEK or not _IN_WEEKS.search(value.original):
        return duration(value.text)
    weeks = int(days[1]) // _WEEK
    return f"{weeks} week{'' if weeks == 1 else 's'}"


def shown_all(values: Sequence[TypedValue]) -> str:
    """Several values in one line."""
    return "; ".join(dict.fromkeys(shown(value) for value in values))


def _grouped(text: str, unit: str) -> str:
    try:
        whole = grouped(shortened(Decimal(text)), unit)
    except ArithmeticError:
        return text
    return whole.rstrip("0").rstrip(".") if re.fullmatch(r"[-\d,]+\.0+", whole) else whole


def grouped(number: Decimal, unit: str = "") -> str:
    """A number with its thousands apart; not one without a unit that may be a year: 2024."""
    return f"{number:f}" if number in _YEARS and not unit else f"{number:,f}"


def shortened(number: Decimal) -> Decimal:
    """A number that a division left without end: to two places, or four digits where it is below 1."""
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or exponent >= -_WRITTEN:
        return number
    if abs(number) >= 1:
        return number.quantize(Decimal("0.01"))
    return number.quantize(Decimal(1).scaleb(number.adjusted() - 3)).normalize()


def day_text(moment: date) -> str:
    """`3 Oct 2024`."""
    return f"{moment.day} {moment:%b %Y}"


def day_of(text: str) -> date | None:
    """The day that a canonical text says; None for anything else."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _day(iso: str) -> str:
    found = day_of(iso)
    return iso if found is None else day_text(found)


def duration(iso: str) -> str:
    """A length of time: `P1Y6M` -> `1 year 6 months`; as it is where it is none."""
    found = _DURATION.fullmatch(iso)
    parts = [(int(n), unit) for n, unit in zip(found.groups() if found else (), _UNITS, strict=False) if n]
    return " ".join(f"{n} {unit}{'' if n == 1 else 's'}" for n, unit in parts) or iso
