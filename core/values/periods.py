"""Periods in words: days, months, quarters, seasons, decades, and what is reckoned from today.

The one exact reader of periods. Fiscal years are calendar years unless it is told otherwise, seasons are
those of the north.
All patterns are bounded, so that hostile text costs time in proportion to its length.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from typing import NamedTuple

from core.domain.fields import Special, TypedValue
from core.text.patterns import any_case
from core.values.calendar_periods import (
    DAYS_OF,
    MONTHS_OF,
    ONE_DAY,
    SEASONS,
    STEPS,
    WEEKDAYS,
    Period,
    holiday,
    in_fiscal_years,
    months,
    one_day,
    quarter,
    season_near,
    shifted,
    unit_of,
    weekday_near,
    whole_year,
    year_said,
)
from core.values.dates import ENGLISH_MONTH, MONTH, find_dates, month_number
from core.values.durations import months_and_days, parse_duration
from core.values.numbers import CARDINAL_WORDS, ORDINALS, NonOverlappingSpans, parse_cardinal


class FoundPeriod(NamedTuple):
    """Period of text[start:end]. base: that of its date alone, where `period` is all before or after it."""

    start: int
    end: int
    period: Period
    base: Period


@dataclass(frozen=True, slots=True)
class _Base:
    """A period before the words around it are read. of_year: the same of another year, where none is said."""

    start: int
    end: int
    period: Period
    of_year: Callable[[int], Period | None] | None = None


_Maker = Callable[[re.Match[str], date], Period | None]
_REACH = 40  # characters before a date in which words belong to it
_S = r"\s{1,4}"
_THE = rf"(?:the{_S})?"
_Y = r"(?:19|20)\d\d"
_ORDINAL = r"(?P<ordinal>first|second|third|fourth|last|final|1st|2nd|3rd|4th)"
_OF_YEAR = (
    rf"(?:[\s,/-]{{0,4}}(?:of|in)?\s{{0,4}}{_THE}"
    rf"(?:year{_S}|FY\s?|fiscal(?:{_S}year)?{_S}|calendar(?:{_S}year)?{_S})?"
    rf"(?P<year>{_Y}|'\d\d|(?<=FY)\d\d\b|(?:this|next|last|the current|the coming|the previous){_S}year))?"
)
_COUNT = rf"(?P<count>\d{{1,4}}|{CARDINAL_WORDS}|few|couple of|several)"
_UNITS = (
    r"(?:(?:calendar|business|working)\s{1,4})?"
    r"(?P<unit>days?|weeks?|fortnights?|months?|quarters?|years?|decades?)"
)
_UNIT = r"(?P<unit>week|month|quarter|year|decade)"
_WHICH = r"(?P<which>this|next|last|current|previous|coming|past|following)"
_PART = r"(?P<part>early|mid|middle of|late)"
_SIDE = (
    r"(?P<side>of|from|after|following|before|prior\s{1,4}to|preceding|leading\s{1,4}up\s{1,4}to|up\s{1,4}to)"
)
_DECADES = ["noughties", "teens", "twenties", "thirties", "forties",
            "fifties", "sixties", "seventies", "eighties", "nineties"]  # fmt: skip
_QUARTER = any_case(
    rf"\b(?:(?P<before>{_Y})[\s/-]?)?(?:Q\s?(?P<number>[1-4])|{_ORDINAL}{_S}(?:(?:calendar|fiscal){_S})?quarter)"
    rf"(?!\d){_OF_YEAR}"
)
_HALF = any_case(rf"\b(?:H(?P<number>[12])|(?P<ordinal>first|second|last|1st|2nd){_S}half)(?!\d){_OF_YEAR}")
_FISCAL = any_case(
    rf"\b(?:FY|(?:fiscal|financial)(?:{_S}year)?|(?:calendar|business){_S}year)\s?(?:of{_S})?(?P<year>(?:19|20)?\d\d)\b"
)
_NAMED = any_case(rf"\b{_THE}{_WHICH}{_S}(?:(?:calendar|fiscal|financial){_S})?{_UNIT}\b")
_ROLLING = any_case(
    rf"\b(?:(?:(?:with)?in|over|during|for|from){_S}the{_S}(?P<which>last|past|previous|next|coming|following)|(?P<past>past))"
    rf"{_S}{_UNIT}\b(?!{_S}of\b)"
)
_AHEAD = any_case(
    rf"\b(?:(?:(?:with)?in|over|during){_S}{_THE})?(?:next|coming|following|upcoming){_S}{_COUNT}[\s-]{_UNITS}\b"
)
_WITHIN = any_case(
    rf"\b(?P<word>within|in|inside|in{_S}less{_S}than|in{_S}under){_S}{_COUNT}[\s-]{_UNITS}\b"
    rf"(?:{_S}(?:from{_S}(?:now|today)|of{_S}today))?"
)
_FROM_NOW = any_case(
    rf"\b(?P<less>(?:less{_S}than|under){_S})?{_COUNT}[\s-]{_UNITS}{_S}from{_S}(?:now|today)\b"
)
_BACK = any_case(
    rf"\b(?:(?:(?:with)?in|over|during|for){_S})?{_THE}(?:last|past|previous|preceding){_S}{_COUNT}[\s-]{_UNITS}\b"
)
_AGO = any_case(
    rf"\b(?:(?P<than>more{_S}than|over|at{_S}least|less{_S}than|under){_S})?{_COUNT}[\s-]{_UNITS}{_S}(?P<ago>ago|back|old)\b"
)
_AGE = any_case(
    rf"\b(?P<than>older|newer|younger|more{_S}recent){_S}than{_S}(?:{_COUNT}|an?)[\s-]{_UNITS}\b(?!{_S}ago)"
)
_MONTH = any_case(
    rf"\b(?P<edge>in|by|before|after|since|until|of|during|from|this|next|last){_S}(?P<month>{MONTH})\b"
)
_BARE_MONTH = any_case(rf"\b(?:(?P<edge>this|next|last|past|coming){_S})?(?P<month>{ENGLISH_MONTH})\b")
_WRITTEN_MONTH = any_case(
    rf"(?<![\w./-])(?:(?P<number>0?[1-9]|1[0-2])/(?P<year>{_Y})|(?P<name>{MONTH})(?:\.|{_S}of(?:{_S}the{_S}year)?)\s{{0,4}}(?P<later>{_Y})"
    rf"|(?P<iso>{_Y})-(?P<of_iso>0[1-9]|1[0-2]))(?![\w/-]|\.\d)"
)
_DAY_OF_MONTH = any_case(
    rf"(?<![\w./-])(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?{_S}(?:of{_S})?(?P<month>{ENGLISH_MONTH})"
    rf"|(?P<name>{ENGLISH_MONTH}){_S}(?P<on>\d{{1,2}})(?:st|nd|rd|th)?)(?![\w/-]|[.,:]?\d)"
)
_YEAR = any_case(rf"(?<![\w.,$€£/#-])(?:(?:{_THE}|calendar{_S})year{_S})?(?P<year>{_Y})(?![\w/%-]|[.,]\d)")
_YEARS = any_case(rf"(?<![\w.,$€£/#-])(?P<year>{_Y})\s?[-–/]\s?(?P<other>(?:19|20)?\d\d)(?![\w/%-]|[.,]\d)")
_PART_OF_YEAR = any_case(rf"\b{_PART}[\s-]{{0,3}}(?:in{_S})?(?P<year>{_Y})\b")
_DECADE = any_case(
    rf"(?<![\w$€£])(?:{_PART}[\s-]{{1,3}})?(?:{_THE}(?P<year>(?:19|20)\d0)['’]?s|(?:the{_S}['’]?|['’])(?P<tens>\d0)['’]?s"
    rf"|{_THE}(?P<word>{'|'.join(_DECADES)}))\b"
)
_SEASON = any_case(
    rf"\b(?:(?P<which>this|last|next|past|coming){_S})?(?P<season>{'|'.join(SEASONS)})(?:{_S}(?:of{_S})?(?P<year>{_Y}))?\b"
)
_HOLIDAY = any_case(
    rf"\b(?P<name>christmas|easter|whitsun|pentecost|new{_S}year(?:['’]?s)?{_S}(?:eve|day))(?:{_S}(?:of{_S}|in{_S})?(?P<year>{_Y}))?\b"
)
_WEEKDAY = any_case(rf"\b(?:(?P<which>this|next|last|past|coming){_S})?(?P<day>{'|'.join(WEEKDAYS)})\b")
_SO_FAR = any_case(rf"\b(?:year{_S}to{_S}date|YTD|so{_S}far{_S}this{_S}year|this{_S}year{_S}so{_S}far)\b")
_EDGE_OF_NOW = any_case(
    rf"\b(?:(?P<edge>end|close|beginning|start){_S}of{_S}{_THE}(?P<unit>week|month|quarter|year)|(?P<of>month|quarter|year)[\s-]end)\b"
    rf"(?!{_S}(?:{_Y}|of)\b)"
)
_BESIDE = any_case(
    rf"\b(?:(?:with)?in|over|during){_S}{_THE}(?:(?:last|final){_S})?{_COUNT}[\s-]{_UNITS}{_S}{_SIDE}{_S}{_THE}"
)
_WITHIN_OF = any_case(
    rf"\b(?:with)?in{_S}(?:{_COUNT}|an?)[\s-]{_UNITS}{_S}{_SIDE}{_S}{_THE}"
    rf"(?:(?P<edge>start|beginning|end|close){_S}of{_S}{_THE})?"
)
_FAR_YEAR = any_case(
    rf"\b(?:in|by|before|after|since|until|till|during|through|(?:in{_S})?the{_S}year|year){_S}(?P<year>2[1-9]\d\d|[3-9]\d{{3}})"
    r"(?=\s{0,4}(?:$|[?!,;.)]|(?:and|or|but|with|without|that|which|who|have|has|for|by|at)\b))(?!\.\d|,\d)"
)
_DAY = any_case(r"\b(?:today|tomm?orr?ow|yesterday|now)\b")
_EDGE_OF = any_case(rf"\b{_THE}(?P<edge>end|close|beginning|start){_S}of{_S}{_THE}$")
_PREPOSITION = any_case(
    rf"\b(?P<word>on{_S}or{_S}after|on{_S}or{_S}before|no{_S}later{_S}than|not{_S}later{_S}than|not{_S}after|not{_S}before"
    rf"|no{_S}earlier{_S}than|not{_S}earlier{_S}than|earlier{_S}than|later{_S}than|prior{_S}to|ahead{_S}of|before|until"
    rf"|till|up{_S}to|through|after|following|past|beyond|since|starting{_S}from|from|as{_S}of|by"
    rf"|at{_S}the|in|during|on|within|throughout|of|for|at|older{_S}than|newer{_S}than|more{_S}recent{_S}than){_S}{_THE}$"
)
_BETWEEN = any_case(rf"\b(?P<word>between|from){_S}{_THE}$")
_JOINING = any_case(
    rf"\s{{0,4}}(?:and|to|through|until|till|-|–|up{_S}to)\s{{0,4}}{_THE}(?:end{_S}of{_S}{_THE})?"
)
_TO = any_case(rf"\s{{0,4}}(?:to|through|until|till|-|–|up{_S}to)\s{{0,4}}{_THE}(?:end{_S}of{_S}{_THE})?")
_NO_DAY = rf"(?!{_S}{_THE}(?:end{_S}of{_S})?\d)"
_ONWARDS = any_case(rf"\s{{0,4}}(?:on|onwards?|forward|and{_S}(?:later|after|on))\b{_NO_DAY}")
_OR_LATER = any_case(rf",?{_S}(?:or|and){_S}(?:later|after(?:wards)?|newer|onwards?|beyond|since)\b{_NO_DAY}")
_OR_EARLIER = any_case(rf",?{_S}(?:or|and){_S}(?:earlier|sooner|before|older|prior)\b(?!{_S}\d)")
_IN = any_case(rf"\b(?:in|on|from|during){_S}$")
_IN_OR = any_case(rf"\b(?:in|on|from|during){_S}or{_S}(?P<side>after|since|before){_S}$")


def _either(words: str) -> frozenset[str]:
    return frozenset(words.split("|"))


_BEFORE = _either("before|prior to|earlier than|ahead of|older than")
_UP_TO = _either("until|till|up to|through|by|on or before|not after|no later than|not later than")
_AFTER = _either("after|later than|following|past|beyond|newer than|more recent than")
_FROM = _either("since|from|starting from|as of|on or after|not before|no earlier than|not earlier than")
_ENDS = ("end", "close")


def find_periods(
    text: str, today: date, *, is_dated: bool = False, fiscal_month: int = 1
) -> list[FoundPeriod]:
    """Every period in `text` with the words that belong to it ("before", "by the end of"), in order.

    is_dated: all of it is said of a day, so that "april" is a month, "friday" the next one, "older than five
    years" a bound, and "2018-2020" three years. fiscal_month: the first of the fiscal year, which is called
    by the calendar year that it ends in.
    """
    free = NonOverlappingSpans()
    every = _bases(text, today, is_dated, fiscal_month)
    bases = [found for found in every if free.take(found.start, found.end)]
    bases.sort(key=lambda found: found.start)
    return list(_with_words(text, bases, today, is_dated))


def _bases(text: str, today: date, is_dated: bool, fiscal_month: int) -> Iterator[_Base]:
    plain = list(_plain_bases(text, today, is_dated, fiscal_month))
    at = defaultdict[int, list[_Base]](list)
    for base in plain:
        at[base.start].append(base)
    for match in _WITHIN_OF.finditer(text):
        for base in at[match.end()]:
            if not base.period.is_relative and (near := _near(match, base.period)):
                yield _Base(match.start(), base.end, near)
    yield from plain


def _near(match: re.Match[str], period: Period) -> Period | None:
    """ "Within six months of the start of 2025": the time from that day on, or up to it."""
    is_before = match["side"].lower() not in ("of", "from", "after", "following")
    is_end = (match["edge"] or ("start" if is_before else "end")).lower() in _ENDS
    edge, length = period.last if is_end else period.first, _length(match)
    other = shifted(edge, length, -1 if is_before else 1) if edge is not None and length else None
    if edge is None or other is None:
        return None
    return Period(other, edge) if is_before else Period(edge, other)


def _plain_bases(text: str, today: date, is_dated: bool, fiscal_month: int) -> Iterator[_Base]:
    dates = [(start, end, _stated(value)) for start, end, value in find_dates(text, partial=True)]
    at = {start: (end, day) for start, end, day in dates}
    for match in _BESIDE.finditer(text):
        end, day = at.get(match.end(), (0, None))
        if day is not None and (near := _beside(match, day)):
            yield _Base(match.start(), end, near)
    yield from (_Base(start, end, stated) for start, end, stated in dates if stated is not None)
    for pattern, make in (*_MAKERS, *(_DATED_MAKERS if is_dated else ())):
        for match in pattern.finditer(text):
            said = match[0].lower()
            is_fiscal = "fy" in said or "fiscal" in said or "financial" in said
            month = fiscal_month if is_fiscal else 1
            period = in_fiscal_years(partial(make, match), today, month)
            if period is not None:
                end = match.start() + len(match[0].rstrip(" ,-/"))
                yield _Base(match.start(), end, period, _of_year(make, match))
    yield from _bare_months(text, today) if is_dated else _months_after_words(text, today)
    for match in _YEAR.finditer(text):
        yield _Base(match.start(), match.end(), whole_year(int(match["year"])))
    for match in _FAR_YEAR.finditer(text):
        yield _Base(match.start("year"), match.end("year"), whole_year(int(match["year"])))
    for match in _DAY.finditer(text):
        shift = {"tom": 1, "yes": -1}.get(match[0][:3].lower(), 0)
        yield _Base(match.start(), match.end(), one_day(today + timedelta(days=shift), is_relative=True))


def _of_year(make: _Maker, match: re.Match[str]) -> Callable[[int], Period | None] | None:
    """The same of another year, for a month, a quarter or a day of which no year is said."""
    said = match.groupdict()
    is_open = make in (_quarter, _half, _day_of_month, _holiday) and not (
        said.get("year") or said.get("before")
    )
    return (lambda year: make(match, date(year, 1, 1))) if is_open else None


def _stated(value: TypedValue) -> Period | None:
    if value.special is Special.AMBIGUOUS:
        # As read month first, which the answer shows; the other reading is named in the question's notes.
        return one_day(date.fromisoformat(value.text.split("/")[0]))
    if value.special is Special.BLANK and re.fullmatch(r"\d{4}-\d\d", value.text):
        return months(int(value.text[:4]), int(value.text[5:]), 1)
    if value.special or value.amount is None:
        return None
    return one_day(date.fromordinal(value.amount))


def _written_month(match: re.Match[str], _today: date) -> Period | None:
    """ "09/2024", "2024-09", "Sept. 2024", "September of 2024"."""
    month = int(match["number"] or match["of_iso"] or 0) or month_number(match["name"])
    return months(int(match["year"] or match["later"] or match["iso"]), month, 1)


def _number(match: re.Match[str], last: int) -> int:
    if match["number"]:
        return int(match["number"])
    word = match["ordinal"].lower()
    return last if word in ("last", "final") else ORDINALS.get(word) or int(word[0])


def _quarter(match: re.Match[str], today: date) -> Period | None:
    if match["number"] is None and match["ordinal"].lower() == "last" and not match["year"]:
        return None  # "last quarter" is the one before this one
    year = int(match["before"]) if match["before"] else year_said(match["year"], today)
    return quarter(year, _number(match, 4))


def _half(match: re.Match[str], today: date) -> Period | None:
    if match["number"] is None and match["ordinal"].lower() == "last" and not match["year"]:
        return None
    return months(year_said(match["year"], today), 6 * _number(match, 2) - 5, 6)


def _fiscal(match: re.Match[str], _today: date) -> Period:
    digits = match["year"]
    return whole_year(int(digits) if len(digits) == 4 else 2000 + int(digits))


def _named(match: re.Match[str], today: date) -> Period:
    return unit_of(match["unit"].lower(), STEPS.get(match["which"].lower(), 0), today)


def _rolling(match: re.Match[str], today: date) -> Period | None:
    """ "Over the last year", "the past month": so long before today, or after it."""
    is_ahead = STEPS.get((match["which"] or "past").lower(), 0) > 0
    unit = match["unit"].lower()
    length = (MONTHS_OF.get(unit, 0), DAYS_OF.get(unit, 0))
    other = shifted(today, length, 1 if is_ahead else -1)
    if other is None:
        return None
    return Period(today, other, is_relative=True) if is_ahead else Period(other, today, is_relative=True)


def _length(match: re.Match[str]) -> tuple[int, int] | None:
    said = (match["count"] or "one").lower()
    count = int(said) if said.isdigit() else _LOOSE.get(said) or parse_cardinal(said)
    unit = match["unit"].lower().rstrip("s")
    return None if count is None else (count * MONTHS_OF.get(unit, 0), count * DAYS_OF.get(unit, 0))


_LOOSE = {"few": 3, "several": 3, "couple of": 2}


def _ahead(match: re.Match[str], today: date) -> Period | None:
    length = _length(match)
    last = shifted(today, length, 1) if length else None
    return Period(today, last, is_relative=True) if last else None


def _within(match: re.Match[str], today: date) -> Period | None:
    period = _ahead(match, today)
    value = parse_duration(f"{match['count']} {match['unit']}")
    return replace(period, length=value) if period and value and months_and_days(value) else period


def _back(match: re.Match[str], today: date) -> Period | None:
    length = _length(match)
    first = shifted(today, length, -1) if length else None
    return Period(first, today, is_relative=True) if first else None


def _ago(match: re.Match[str], today: date) -> Period | None:
    """ "Two years ago" is that year; "more than two years ago" all before that day."""
    length = _length(match)
    day = shifted(today, length, -1) if length else None
    than = (match["than"] or "").lower()
    if day is None or (match["ago"].lower() == "old" and not than):
        return None
    if than.startswith(("less", "under")):
        return Period(day + ONE_DAY, today, is_relative=True)
    if than:
        return Period(None, day if than.startswith("at") else day - ONE_DAY, is_relative=True)
    unit = match["unit"].lower().rstrip("s")
    return unit_of(unit, 0, day) if unit in ("week", "month", "year") else one_day(day, is_relative=True)


def _age(match: re.Match[str], today: date) -> Period | None:
    """ "Older than five years": before that day."""
    length = _length(match)
    day = shifted(today, length, -1) if length else None
    if day is None:
        return None
    is_older = match["than"].lower() == "older"
    return Period(None, day - ONE_DAY, True) if is_older else Period(day + ONE_DAY, None, True)


def _beside(match: re.Match[str], day: Period) -> Period | None:
    """ "In the 60 days before 31 December 2024": the days that end the day before it."""
    length = _length(match)
    side = " ".join(match["side"].lower().split())
    if side in ("of", "from"):
        return None
    is_after = side in ("after", "following")
    edge = day.last if is_after else day.first
    other = shifted(edge, length, 1 if is_after else -1) if edge is not None and length else None
    if edge is None or other is None:
        return None
    return Period(edge, other) if is_after else Period(other, edge - ONE_DAY)


def _decade(match: re.Match[str], today: date) -> Period | None:
    if match["year"]:
        first = int(match["year"])
    else:
        tens = int(match["tens"]) if match["tens"] else 10 * _DECADES.index(match["word"].lower())
        first = 2000 + tens if 2000 + tens <= today.year else 1900 + tens
    thirds = {"ear": (0, 3), "mid": (4, 6), "lat": (7, 9)}
    start, end = thirds.get((match["part"] or "").lower()[:3], (0, 9))
    return Period(date(first + start, 1, 1), date(first + end, 12, 31))


def _part_of_year(match: re.Match[str], _today: date) -> Period:
    part = match["part"].lower()
    return months(int(match["year"]), 1 if part == "early" else 9 if part == "late" else 5, 4)


def _season(match: re.Match[str], today: date) -> Period | None:
    month = SEASONS[match["season"].lower()]
    if match["year"]:
        return months(int(match["year"]), month, 3)
    which = match["which"]
    return season_near(month, STEPS.get(which.lower(), 0), today) if which else None


def _holiday(match: re.Match[str], today: date) -> Period:
    return one_day(holiday(match["name"].lower(), year_said(match["year"], today)))


def _weekday(match: re.Match[str], today: date) -> Period:
    number = WEEKDAYS.index(match["day"].lower())
    return one_day(weekday_near(number, (match["which"] or "").lower(), today), is_relative=True)


def _so_far(_match: re.Match[str], today: date) -> Period:
    return Period(date(today.year, 1, 1), today, is_relative=True)


def _edge_of_now(match: re.Match[str], today: date) -> Period:
    whole = unit_of((match["unit"] or match["of"]).lower(), 0, today)
    day = whole.last if (match["edge"] or "end").lower() in _ENDS else whole.first
    return Period(day, day, is_relative=True)


def _day_of_month(match: re.Match[str], today: date) -> Period | None:
    try:
        day = date(
            today.year, month_number(match["month"] or match["name"]), int(match["day"] or match["on"])
        )
    except ValueError:
        return None
    return one_day(day)


def _years(match: re.Match[str], _today: date) -> Period | None:
    first, other = int(match["year"]), match["other"]
    last = int(other) if len(other) == 4 else first // 100 * 100 + int(other)
    return Period(date(first, 1, 1), date(last, 12, 31)) if first < last else None


_MAKERS: tuple[tuple[re.Pattern[str], _Maker], ...] = (
    (_WRITTEN_MONTH, _written_month),
    (_QUARTER, _quarter),
    (_HALF, _half),
    (_FISCAL, _fiscal),
    (_SO_FAR, _so_far),
    (_AHEAD, _ahead),
    (_WITHIN, _within),
    (_FROM_NOW, _ahead),
    (_AGO, _ago),
    (_BACK, _back),
    (_ROLLING, _rolling),
    (_NAMED, _named),
    (_DECADE, _decade),
    (_PART_OF_YEAR, _part_of_year),
    (_SEASON, _season),
    (_HOLIDAY, _holiday),
    (_EDGE_OF_NOW, _edge_of_now),
)
_DATED_MAKERS: tuple[tuple[re.Pattern[str], _Maker], ...] = (
    (_AGE, _age),
    (_YEARS, _years),
    (_DAY_OF_MONTH, _day_of_month),
    (_WEEKDAY, _weekday),
)


def _months_after_words(text: str, today: date) -> Iterator[_Base]:
    """Months without a year in running text, which a capital and the word before tell from other words."""
    for match in _MONTH.finditer(text):
        if match["month"][0].isupper() and len(match["month"]) > 2:
            yield _Base(match.start("month"), match.end(), _this_month(match, today))


def _bare_months(text: str, today: date) -> Iterator[_Base]:
    for match in _BARE_MONTH.finditer(text):
        is_word = match["month"] in ("may", "march", "mar", "dec") and not match["edge"]
        before = text[max(0, match.start() - _REACH) : match.start()]
        if is_word and not (_PREPOSITION.search(before) or _BETWEEN.search(before) or _TO.search(before)):
            continue
        of_year = None if match["edge"] else _month_of(month_number(match["month"]))
        yield _Base(match.start(), match.end(), _this_month(match, today), of_year)


def _month_of(month: int) -> Callable[[int], Period | None]:
    return lambda year: replace(months(year, month, 1), is_relative=True)


def _this_month(match: re.Match[str], today: date) -> Period:
    """The month of this year; the last one is that before this month, the next one that after it."""
    month, step = month_number(match["month"]), STEPS.get((match["edge"] or "").lower(), 0)
    shift = -1 if step < 0 and month >= today.month else 1 if step > 0 and month <= today.month else 0
    return replace(months(today.year + shift, month, 1), is_relative=True)


def _with_words(text: str, bases: list[_Base], today: date, is_dated: bool) -> Iterator[FoundPeriod]:
    at = 0
    while at < len(bases):
        base = bases[at]
        whole = _joined(text, base, bases[at + 1], is_dated) if at + 1 < len(bases) else None
        if whole is not None:
            yield whole
            at += 2
            continue
        yield _bounded(text, base, today)
        at += 1


def _joined(text: str, base: _Base, other: _Base, is_dated: bool) -> FoundPeriod | None:
    """Two dates as the ends of one period: "from March to May 2020"; None where they are two periods."""
    back = max(0, base.start - _REACH)
    opened = _BETWEEN.search(text[back : base.start])
    between = text[base.end : other.start]
    if not (opened and _JOINING.fullmatch(between)) and not (is_dated and _TO.fullmatch(between)):
        return None
    period = base.period
    if base.of_year is not None and other.of_year is None and other.period.last is not None:
        year = other.period.last.year
        made = base.of_year(year)
        is_late = made is not None and made.first is not None and made.first > other.period.last
        period = (base.of_year(year - 1) if is_late else made) or period
    whole = Period(period.first, other.period.last, period.is_relative and other.period.is_relative)
    return FoundPeriod(back + opened.start() if opened else base.start, other.end, whole, whole)


def _with_rest(text: str, base: _Base) -> FoundPeriod | None:
    """A period with all that is later, or earlier: "in 2017 or later", "in or after 2017"; else None."""
    later, earlier = _OR_LATER.match(text, base.end), _OR_EARLIER.match(text, base.end)
    back = max(0, base.start - _REACH)
    before = _IN_OR.search(text[back : base.start])
    side = before["side"].lower() if before else "after" if later else "before" if earlier else ""
    period = base.period
    if not side or period.length is not None:
        return None
    found = later or earlier
    end = found.end() if before is None and found is not None else base.end
    plain = before or _IN.search(text[back : base.start])
    start = back + plain.start() if plain is not None else base.start
    open_ended = replace(period, first=None) if side == "before" else replace(period, last=None)
    return FoundPeriod(start, end, open_ended, period)


def _bounded(text: str, base: _Base, today: date) -> FoundPeriod:
    whole = _with_rest(text, base)
    if whole is not None:
        return whole
    start, end, period, is_end = base.start, base.end, base.period, False
    back = max(0, start - _REACH)
    edge = _EDGE_OF.search(text[back:start])
    if edge:
        start = back + edge.start()
        is_end = edge["edge"].lower() in _ENDS
        day = period.last if is_end else period.first
        period = replace(period, first=day, last=day)
    back = max(0, start - _REACH)
    match = _PREPOSITION.search(text[back:start])
    if match is None or period.length is not None:
        return FoundPeriod(start, end, period, period)
    word = " ".join(match["word"].lower().split())
    if word == "since" and base.of_year is not None and period.first is not None and period.first > today:
        period = base.of_year(today.year - 1) or period
    return FoundPeriod(back + match.start(), end, _after_word(word, period, text, end, is_end), period)


def _after_word(word: str, period: Period, text: str, end: int, is_end: bool) -> Period:
    """The period that a preposition makes of one."""
    if word in _BEFORE and period.first:
        # "before the end of 2024" is said of the 31st as well.
        return replace(period, first=None, last=period.last if is_end else period.first - ONE_DAY)
    if word in _UP_TO:
        return replace(period, first=None)
    if word in _AFTER and period.last:
        return replace(period, first=period.last + ONE_DAY, last=None)
    if word == "from" and period.first != period.last and not _ONWARDS.match(text, end):
        return period  # "receipts from the second quarter" are of it
    return replace(period, last=None) if word in _FROM else period
