"""Lengths of time as contracts write them: "sixty (60) days", "two-year", "18 months", "P60D"."""

from __future__ import annotations

import re
from decimal import Decimal

from core.domain.fields import NUMBER_SCALE, FieldType, Special, TypedValue
from core.text.patterns import any_case
from core.values.numbers import CARDINAL_WORDS, is_end_of_range, parse_cardinal

DAYS_A_MONTH = Decimal("30.4375")
_UNITS = {"hour": "h", "day": "d", "week": "w", "fortnight": "f", "month": "m", "quarter": "q", "year": "y"}
_UNIT = r"(?P<unit>hours?|days?|weeks?|fortnights?|months?|quarters?|years?)(?:['\u2019])?"
_FRACTION = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}
_QUALIFIER = (
    r"(?:(?:full|calendar|business|working|banking|consecutive|contract|successive|additional|fiscal|further"
    r"|continuous|whole|complete|lunar|natural|trading)[ \t\n]{1,3}){0,3}"
)
_NUMBER = (
    rf"(?:(?P<words>{CARDINAL_WORDS}|an?)(?P<half>[ \n-]{{1,2}}and[ \n-](?:a[ \n-]|one[ \n-])?half)?"
    rf"(?:[ \t\n-]{{0,3}}[(\[][ \t]{{0,2}}(?P<digits>\d{{1,5}}(?:\.\d{{1,2}})?|[Il])[ \t]{{0,2}}[)\]])?"
    rf"|(?P<plain>\d{{1,5}}(?:\.\d{{1,2}})?)"
    rf"(?:[ \t\n]{{0,3}}[(\[][ \t]{{0,2}}(?P<again>{CARDINAL_WORDS}|\d{{1,5}})[ \t]{{0,2}}[)\]])?)"
)
_DURATION = any_case(
    rf"(?<![A-Za-z0-9.,$%/])(?:{_NUMBER})(?:[ \t\n]{{0,3}}-?[ \t\n]{{0,2}}|-){_QUALIFIER}{_UNIT}(?![A-Za-z])"
)
_ISO = re.compile(r"P(?=\w)(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(\d{1,5})H)?")
_AND = any_case(r"[ \t\n]{0,3},?[ \t\n]{0,3}(?:and|plus)?[ \t\n]{0,3}")

_RATES = {"annual": "P1Y", "yearly": "P1Y", "quarterly": "P3M", "monthly": "P1M", "weekly": "P7D"}
_NET = re.compile(r"net (\d{1,3})", re.IGNORECASE)

Span = tuple[int, int, TypedValue]


def parse_duration(text: str) -> TypedValue | None:
    """The length of time that `text` states (the first, where it states several), or None.

    Canonical: 24 months are "P2Y", 18 months "P18M", two weeks "P14D". Words and digits that disagree
    ("sixty (90) days") are AMBIGUOUS with both readings in `text`. By themselves "annual" and "net 30" are
    lengths, too.
    """
    text = text.strip()[:2_000]
    net = _NET.fullmatch(text)
    short = f"P{int(net[1])}D" if net else _RATES.get(text.lower(), text)
    if iso := _ISO.fullmatch(short):
        years, months, weeks, days, hours = (int(part or 0) for part in iso.groups())
        return duration(months=12 * years + months, days=7 * weeks + days, hours=hours, original=text)
    found = find_durations(text)
    return found[0][2] if found else None


def find_durations(text: str) -> list[Span]:
    """Every length of time in `text`, in order: (start, end, value). "one year and six months" is one.

    Left out are the ends of a range ("30-60 days") and what has a sign ("-5 days").
    """
    parts: list[tuple[int, int, dict[str, Decimal], TypedValue]] = []
    for match in _DURATION.finditer(text):
        amounts = _amounts(match)
        if amounts is None:
            continue
        start, end = match.span()
        value = _value(amounts, match[0])
        if value is None or is_end_of_range(text, start, end):
            continue
        if parts and not value.special:
            before = parts[-1]
            gap = text[before[1] : start]
            joins = (
                len(gap) <= 8 and _AND.fullmatch(gap) and "," not in gap.strip(" ,") and "and" in gap.lower()
            )
            if joins and _coarser(before[2], amounts):
                total = {unit: before[2][unit] + amounts[0][unit] for unit in "mdh"}
                joined = _value([total], text[before[0] : end])
                if joined is not None:
                    parts[-1] = (before[0], end, total, joined)
                    continue
        parts.append((start, end, amounts[0], value))
    return [(start, end, value) for start, end, _, value in parts]


def _coarser(before: dict[str, Decimal], after: list[dict[str, Decimal]]) -> bool:
    return len(after) == 1 and bool(before["m"]) and before["m"] % 12 == 0 and (after[0]["m"] or 0) < 12


def _amounts(match: re.Match[str]) -> list[dict[str, Decimal]] | None:
    """The readings of one match: one, or two where words and digits disagree."""
    readings: list[Decimal] = []
    if match["words"]:
        word = match["words"].lower()
        number = 1 if word in ("a", "an") else parse_cardinal(word)
        if number is None or (word in ("a", "an") and match["digits"] is None):
            return None  # "a year" is a rate far more often than a length
        readings.append(Decimal(number) + (_FRACTION["half"] if match["half"] else 0))
    for group in ("digits", "plain", "again"):
        if match[group]:
            again = "1" if match[group] in ("I", "l") else match[group]  # as scans read "one (1) year"
            value = Decimal(again) if again[0].isdigit() else Decimal(parse_cardinal(again) or 0)
            if value not in readings:
                readings.append(value)
    unit = _UNITS[match["unit"].lower().rstrip("s")]
    return [_measure(number, unit) for number in readings]


def _measure(number: Decimal, unit: str) -> dict[str, Decimal]:
    zero = Decimal(0)
    months = {"m": number, "q": 3 * number, "y": 12 * number}.get(unit, zero)
    days = {"d": number, "w": 7 * number, "f": 14 * number}.get(unit, zero)
    return {"m": months, "d": days, "h": number if unit == "h" else zero}


def _value(readings: list[dict[str, Decimal]], original: str) -> TypedValue | None:
    values = []
    for reading in readings:
        if any(number != number.to_integral_value() for number in reading.values()):
            return None  # a third of a month is no length that a calendar knows
        months, days, hours = (int(reading[unit]) for unit in "mdh")
        values.append(duration(months=months, days=days, hours=hours, original=original))
    if len(values) == 1 or values[0].text == values[1].text:
        return values[0]
    both = "/".join(value.text for value in values)
    return TypedValue(FieldType.DURATION, both, original=original, special=Special.AMBIGUOUS)


def duration(*, months: int = 0, days: int = 0, hours: int = 0, original: str = "") -> TypedValue:
    """A length of time in its canonical form."""
    days, hours = days + hours // 24, hours % 24
    amount = (DAYS_A_MONTH * months + days + Decimal(hours) / 24).scaleb(NUMBER_SCALE)
    whole_years = bool(months) and months % 12 == 0
    date = f"{months // 12}Y" if whole_years else f"{months}M" if months else ""
    date += f"{days}D" if days else ""
    time = f"T{hours}H" if hours else ""
    return TypedValue(
        FieldType.DURATION, f"P{date}{time}" if date or time else "P0D", int(amount), "", original
    )


def months_and_days(value: TypedValue) -> tuple[int, int] | None:
    """Months and days that a canonical duration adds to a calendar date; None where it has no whole days."""
    iso = _ISO.fullmatch(value.text)
    if iso is None or value.special:
        return None
    years, months, weeks, days, hours = (int(part or 0) for part in iso.groups())
    return None if hours else (12 * years + months, 7 * weeks + days)
