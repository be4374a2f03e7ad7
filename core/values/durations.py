"""Lengths of time as people write them: "sixty (60) days", "two-year", "1h30", "40min", "P60D"."""

from __future__ import annotations

import re
from decimal import Decimal

from core.domain.fields import NUMBER_SCALE, FieldType, Special, TypedValue
from core.text.patterns import any_case
from core.text.words import table
from core.values.numbers import CARDINAL_WORDS, is_end_of_range, parse_cardinal

DAYS_A_MONTH = Decimal("30.4375")
_UNITS, _EVERY = (
    {name: unit for unit, names in table(__file__, "durations")[part].items() for name in names.split()}
    for part in ("units", "every")
)
_UNIT = rf"(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})(?:['\u2019])?"
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
_HOURS = any_case(
    r"(?<![\w.,])(?P<hours>\d{1,4})[ ]?h[ ]?(?P<minutes>[0-5]?\d)(?:[ ]?m(?:in)?)?(?![\w/]|[.,]\d)"
)
_ISO = re.compile(
    r"P(?=\w)(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?"
    r"(?:T(?=\d)(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?)?"
)
_AND = any_case(r"[ \t\n]{0,3},?[ \t\n]{0,3}(?:and|plus)?[ \t\n]{0,3}")

_NET = re.compile(r"net (\d{1,3})", re.IGNORECASE)

Span = tuple[int, int, TypedValue]


def parse_duration(text: str) -> TypedValue | None:
    """The length of time that `text` states (the first, where it states several), or None.

    Canonical: 24 months are "P2Y", 18 months "P18M", two weeks "P14D". Words and digits that disagree
    ("sixty (90) days") are AMBIGUOUS with both readings in `text`. By themselves "annual" and "net 30" are
    lengths, too.
    """
    text = text.strip()[:2_000]
    if iso := _ISO.fullmatch(text):
        years, months, weeks, days, *time = (int(part or 0) for part in iso.groups())
        return duration(
            months=12 * years + months, days=7 * weeks + days, seconds=_seconds(*time), original=text
        )
    if net := _NET.fullmatch(text):
        return duration(days=int(net[1]), original=text)
    if unit := _EVERY.get(text.lower()):
        return _value([_measure(Decimal(1), unit)], text)
    found = find_durations(text)
    return found[0][2] if found else None


def find_durations(text: str) -> list[Span]:
    """Every length of time in `text`, in order: (start, end, value). "one year and six months" is one.

    Left out are the ends of a range ("30-60 days") and what has a sign ("-5 days").
    """
    parts: list[tuple[int, int, dict[str, Decimal], TypedValue]] = []
    matches = [*_DURATION.finditer(text), *_HOURS.finditer(text)]
    for match in sorted(matches, key=re.Match.start):
        if parts and match.start() < parts[-1][1]:
            continue
        amounts = [_clock(match)] if "hours" in match.re.groupindex else _amounts(match)
        if amounts is None:
            continue
        start, end = match.span()
        value = _value(amounts, match[0])
        if value is None or is_end_of_range(text, start, end):
            continue
        if parts and not value.special:
            before = parts[-1]
            gap = text[before[1] : start]
            joins = len(gap) <= 8 and _AND.fullmatch(gap) and "," not in gap.strip(" ,")
            if joins and _coarser(before[2], amounts, "and" in gap.lower()):
                total = {unit: before[2][unit] + amounts[0][unit] for unit in "mds"}
                joined = _value([total], text[before[0] : end])
                if joined is not None:
                    parts[-1] = (before[0], end, total, joined)
                    continue
        parts.append((start, end, amounts[0], value))
    return [(start, end, value) for start, end, _, value in parts]


def _coarser(before: dict[str, Decimal], after: list[dict[str, Decimal]], said: bool) -> bool:
    """True where a length goes on with a finer one. said: an "and" stands between them."""
    if len(after) != 1 or not any(before.values()):
        return False
    if after[0]["s"]:
        most = min(Decimal(3_600), before["s"]) if before["s"] else Decimal(86_400)
        return not before["m"] and after[0]["s"] < most
    return said and bool(before["m"]) and before["m"] % 12 == 0 and (after[0]["m"] or 0) < 12


def _clock(match: re.Match[str]) -> dict[str, Decimal]:
    """The seconds of "1h30"."""
    return _measure(Decimal(_seconds(int(match["hours"]), int(match["minutes"]))), "s")


def _seconds(hours: int = 0, minutes: int = 0, seconds: int = 0) -> int:
    return 3_600 * hours + 60 * minutes + seconds


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
    unit = _UNITS[match["unit"].lower()]
    return [_measure(number, unit) for number in readings]


def _measure(number: Decimal, unit: str) -> dict[str, Decimal]:
    zero = Decimal(0)
    months = {"m": number, "q": 3 * number, "y": 12 * number}.get(unit, zero)
    days = {"d": number, "w": 7 * number, "f": 14 * number}.get(unit, zero)
    seconds = {"s": number, "i": 60 * number, "h": 3_600 * number}.get(unit, zero)
    return {"m": months, "d": days, "s": seconds}


def _value(readings: list[dict[str, Decimal]], original: str) -> TypedValue | None:
    values = []
    for reading in readings:
        if any(number != number.to_integral_value() for number in reading.values()):
            return None  # a third of a month is no length that a calendar knows
        months, days, seconds = (int(reading[unit]) for unit in "mds")
        values.append(duration(months=months, days=days, seconds=seconds, original=original))
    if len(values) == 1 or values[0].text == values[1].text:
        return values[0]
    both = "/".join(value.text for value in values)
    return TypedValue(FieldType.DURATION, both, original=original, special=Special.AMBIGUOUS)


def duration(*, months: int = 0, days: int = 0, seconds: int = 0, original: str = "") -> TypedValue:
    """A length of time in its canonical form."""
    days, seconds = days + seconds // 86_400, seconds % 86_400
    amount = (DAYS_A_MONTH * months + days + Decimal(seconds) / 86_400).scaleb(NUMBER_SCALE)
    whole_years = bool(months) and months % 12 == 0
    date = f"{months // 12}Y" if whole_years else f"{months}M" if months else ""
    date += f"{days}D" if days else ""
    parts = zip((seconds // 3_600, seconds // 60 % 60, seconds % 60), "HMS", strict=True)
    time = "".join(f"{number}{unit}" for number, unit in parts if number)
    time = time and f"T{time}"
    return TypedValue(
        FieldType.DURATION, f"P{date}{time}" if date or time else "P0D", int(amount), "", original
    )


def months_and_days(value: TypedValue) -> tuple[int, int] | None:
    """Months and days that a canonical duration adds to a calendar date; None where it has no whole days."""
    iso = _ISO.fullmatch(value.text)
    if iso is None or value.special:
        return None
    years, months, weeks, days, *time = (int(part or 0) for part in iso.groups())
    return None if any(time) else (12 * years + months, 7 * weeks + days)
