"""Amounts, percentages, lengths of time, numbers and periods in a question: typed, with their place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal, InvalidOperation

from core.plan.language.pieces import Period, Quantity
from core.plan.language.reading.dates import find_periods
from core.values.durations import find_durations
from core.values.money import find_money
from core.values.number_words import CARDINAL_WORDS, parse_cardinal
from core.values.numbers import find_percents, number_value
from core.values.overlap import NonOverlappingSpans

Found = tuple[int, int, Quantity | Period, str]

_SCALES = {"k": 10**3, "thousand": 10**3, "m": 10**6, "mio": 10**6, "million": 10**6, "bn": 10**9,
           "billion": 10**9}  # fmt: skip
_NUMBER = re.compile(
    r"(?<![\w.,-])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,15}(?:\.\d{1,6})?)"
    r"(?:\s?(?P<scale>[kK]|M|mio|million|thousand|bn|billion)\b)?"
    r"(?:\s?(?P<unit>mm|cm|kWp|kWh|kW|Wp|Wh|W|kg|kV|mV|V|kA|mA|A|°C|°F|degrees|dB|kPa|Pa|Nm|N·m|Hz|inches|inch"
    r"|metres|meters|metre|meter|millimetres|millimeters|centimetres|centimeters|kilograms|kilogrammes|kilos|kilo|mils|grammes|grams|tons"
    r"|watts|watt|kilowatts|volts|volt|amps|amperes|pascals|pascal|newton metres|lbs|pounds|feet|ft|g|m|t)"
    r"(?![\w]))?(?![\w])"
)
_SCALED = re.compile(
    r"(?<![\w.,-])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,15}(?:\.\d{1,6})?)"
    r"\s?(?P<scale>[kK]|M|mio|million|thousand|bn|billion)\s+(?P<currency>dollars?|euros?|pounds?|[A-Z]{3})\b"
)
_WORDED = re.compile(rf"\b(?P<words>{CARDINAL_WORDS})\b", re.IGNORECASE)


def find_literals(text: str, today: date) -> list[Found]:
    """Every literal in `text`, in order: (start, end, meaning, reason); spans never overlap."""
    free = NonOverlappingSpans()
    return sorted((found for found in _all(text, today) if free.take(found[0], found[1])), key=lambda f: f[0])


def _all(text: str, today: date) -> Iterator[Found]:
    for match in _SCALED.finditer(text):
        number = _decimal(match)
        named = find_money(f"{number} {match['currency']}") if number is not None else []
        if named:
            value = replace(named[0][2], original=match[0])
            yield match.start(), match.end(), Quantity(value), f"an amount: {value.text} {value.unit}"
    for start, end, value in find_money(text):
        yield start, end, Quantity(value), f"an amount: {value.text} {value.unit}"
    for start, end, value in find_percents(text):
        yield start, end, Quantity(value), f"a percentage: {value.text}"
    periods = find_periods(text, today)
    for start, end, period in periods:
        yield start, end, period, f"a period: {said(period)}"
    for start, end, value in find_durations(text):
        yield start, end, Quantity(value), f"a length of time: {value.text}"
    for match in _NUMBER.finditer(text):
        number = _decimal(match)
        found = None if number is None else number_value(number, match["unit"] or "", match[0])
        if found is not None:
            yield match.start(), match.end(), Quantity(found), f"a number: {found.text} {found.unit}".rstrip()
    for match in _WORDED.finditer(text):
        cardinal = parse_cardinal(match["words"])
        worded = None if cardinal is None else number_value(Decimal(cardinal), "", match[0])
        if worded is not None and match["words"].lower() not in (
            "one",
            "zero",
            "hundred",
            "thousand",
            "million",
        ):
            yield match.start(), match.end(), Quantity(worded), f"a number: {worded.text}"


def _decimal(match: re.Match[str]) -> Decimal | None:
    try:
        number = Decimal(match["digits"].replace(",", ""))
    except InvalidOperation:
        return None
    return number * _SCALES[match["scale"].lower()] if match["scale"] else number


def said(period: Period) -> str:
    """A period for a person: "2024-10-01 to 2024-12-31", "until 2025-06-30"."""
    if period.first and period.last:
        same = period.first == period.last
        return (
            period.first.isoformat() if same else f"{period.first.isoformat()} to {period.last.isoformat()}"
        )
    if period.last:
        return f"until {period.last.isoformat()}"
    return f"from {period.first.isoformat()}" if period.first else "any time"
