"""Dates: found by our own pattern and read strictly. A blank is a blank, and two readings are two readings.

dateparser's search and dateutil's fuzzy mode were measured to invent dates, hence our own. All patterns are
bounded, so that hostile text costs time in proportion to its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple

from core.domain.fields import FieldType, Special, TypedValue
from core.text.marks import without_note_marks
from core.text.patterns import any_case
from core.text.words import table
from core.values.numbers import (
    CARDINAL_WORDS,
    ORDINAL_WORDS,
    NonOverlappingSpans,
    parse_cardinal,
    parse_ordinal,
)

_TABLE = table(__file__, "dates")
_NAMES: list[str] = _TABLE["months"]
_NUMBERS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}

ENGLISH = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")  # fmt: skip
_ENDINGS = {"Mar": "(?:ch)?", "May": "", "Jun": "e?", "Jul": "y?", "Sep": "t?(?:ember)?"}
ENGLISH_MONTH = "|".join(name[:3] + _ENDINGS.get(name[:3], f"(?:{name[3:]})?") for name in ENGLISH)
"""A pattern for an English month's name, written out or short, without a group around it."""

MONTH = "(?:" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"
"""A pattern for a month's name in lower case."""

DAY_FIRST_LANGUAGES: dict[str, str] = _TABLE["day_first"]
"""Languages that write the day before the month. English is not among them: both orders are English."""


def month_number(name: str) -> int:
    """1 to 12 for a month's name, written out or short, in any of the languages; 0 for anything else."""
    return _NUMBERS.get(name.strip(" .").lower(), 0)


Order = Literal["", "dmy", "mdy"]
Span = tuple[int, int, TypedValue]

_S = r"[ \t\u00a0]{0,3}\n?[ \t\u00a0]{0,3}"  # a line may break inside of a date, a paragraph may not
_BLANK = (
    r"(?:(?<!_)_{2,40}+|(?<!\.)[.\u2026]{4,40}+|[\[(][ \t_*\u2022\u25cf\u2022xX#\u00b7-]{0,20}[\])]"
    r"|\u25cf|\u2022|\[(?:date|day|month|year|insert[^\]\n]{0,30})\])"
)
_DAY = r"(?:(?:[0-2]?\d|3[0-9])(?!\d))"
_ORDINAL_MARK = r"(?:[ \t]{0,2}(?:st|s[ \t]t|nd|n[ \t]d|rd|r[ \t]d|th|t[ \t]h|\u00ba|\.|er)(?![A-Za-z]))"
_YEAR = r"(?:(?:1[89]|20)\d\d|'\d\d(?!\d))"
_SHORT = r"\d\d(?!\w|[:.]\d\d)"  # no hour: of `5 May, 09:45` none is the year
_DAY_OF = r"(?:[ \t\n]{0,3}\([ \t]{0,2}\d{1,2}[ \t]{0,2}(?:st|nd|rd|th)?[ \t]{0,2}\))?"

_MONTH_FIRST = any_case(
    rf"(?<![A-Za-z])(?P<month>{MONTH})\.?{_S}(?P<day>{_DAY}){_ORDINAL_MARK}?{_S},?{_S}(?:of{_S})?"
    rf"(?P<year>{_YEAR})(?![\d_])"
)
_DAY_FIRST = any_case(
    rf"(?<![\d.,/-])(?P<day>{_DAY}){_ORDINAL_MARK}?{_S}(?:day{_S}(?:of{_S})?|of{_S}|de{_S}|[-/.]{_S})?"
    rf"(?P<month>{MONTH})(?![A-Za-z])\.?{_S}[-/,]?{_S}(?:of{_S}|del?{_S})?(?P<year>{_YEAR}|{_SHORT}"
    rf")(?![\d_])"
)
_WORDED = any_case(
    rf"(?<![A-Za-z])(?P<ordinal>{ORDINAL_WORDS}){_DAY_OF}{_S}(?:day{_S}(?:of{_S})?|of{_S})?(?P<month>{MONTH})"
    rf"(?![A-Za-z])\.?{_S},?{_S}(?:(?:in{_S})?the{_S}year{_S}(?:of{_S})?|of{_S})?"
    rf"(?:(?P<year>{_YEAR})(?!\d)|(?P<years>{CARDINAL_WORDS}))"
)
_WORDED_YEAR = any_case(
    rf"(?<![A-Za-z])(?P<month>{MONTH}){_S}(?P<day>{_DAY}){_ORDINAL_MARK}?{_S},?{_S}"
    rf"(?P<years>(?:two{_S}thousand|nineteen)"
    rf"[A-Za-z -]{{0,40}})"
)
_ISO = re.compile(
    r"(?<![\d./-])(?P<year>(?:1[89]|20)\d\d)(?P<mark>[-/.])"
    r"(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?![\d/-]|\.\d)"
)
_CJK = re.compile(
    r"(?P<year>(?:1[89]|20)\d\d)\s?\u5e74\s?(?P<month>\d{1,2})\s?\u6708\s?(?P<day>\d{1,2})\s?\u65e5"
)
_NUMERIC = re.compile(
    r"(?<![\d./-])(?P<one>\d{1,2})[ ]?(?P<mark>[-/.])[ ]?(?P<two>\d{1,2})[ ]?(?P=mark)[ ]?(?P<year>(?:1[89]"
    rf"|20)\d\d|{_SHORT})(?![\d/_-]|\.\d)"
)
_BLANKS = any_case(
    rf"(?<![A-Za-z])(?:(?P<month>{MONTH})\.?{_S}(?P<b1>{_BLANK}){_ORDINAL_MARK}?{_S},?{_S}(?P<y1>{_YEAR}"
    rf"|20_{{1,6}}|{_BLANK})|(?P<b2>{_BLANK}|(?<!_)\d{{0,2}}_{{1,10}}+)(?:{_S}(?:st|nd|rd"
    rf"|th)\b)?{_S}day{_S}of{_S}(?P<m2>{MONTH}|{_BLANK})(?:{_S},?{_S}(?P<y2>{_YEAR}|[12][09]?_{{1,6}}"
    rf"|20[ ]{{1,3}}|{_BLANK}))?|(?P<d3>\d{{1,2}})(?:st|nd|rd"
    rf"|th)?{_S}day{_S}of{_S}(?P<b3>{_BLANK}){_S},?{_S}(?P<y3>{_YEAR}|20_{{1,6}}|{_BLANK})"
    rf"|(?P<d6>\d{{1,2}})(?:st|nd|rd|th)?{_S}(?:day{_S})?(?:of{_S})?(?P<m6>{MONTH})"
    rf"(?![A-Za-z]){_S},?{_S}(?P<y8>20_{{1,6}}|{_BLANK})|(?P<m7>{MONTH})\.?{_S}\d{{1,2}}(?:st|nd|rd"
    rf"|th)?{_S},?{_S}(?P<y7>20_{{1,6}}|(?<!_)_{{2,40}}+)"
    rf"|(?P<b5>{_BLANK}){_S}(?P<m5>{MONTH}){_S},?{_S}(?P<y5>{_YEAR}|20_{{1,6}}|{_BLANK}))"
    rf"|(?P<b4>(?<!_)_{{2,40}}+|\[[ \t_*\u2022\u25cf-]{{0,20}}\]){_S},?{_S}(?P<y4>(?:19|20)\d\d"
    r"|20_{1,6})(?!\d)|(?:\[\]|\d\d?|\[[^\]\n]{0,4}\])/(?:\[\]|\[[^\]\n]{0,4}\])/(?P<y6>\d{4}|\[\])"
)
_DAY_FIRST_HOME = any_case(
    r"\bS[DO]N\.?[ ]?B[HN]D\b|\bMalaysia\b|\bSelangor\b|\bKuala Lumpur\b|\bJohor\b|\bRM[ ]?\d|\bGST\b"
    r"|\bA\.?B\.?N\.?[ ]?:?[ ]?\d|\bPte\.? Ltd|\bPvt\.? Ltd|\bVAT (?:No|Reg)|\u00a3[ ]?\d|\b(?:London"
    r"|England|Singapore|India|Australia)\b"
)
_MONTH_FIRST_HOME = re.compile(
    r"\b(?:AL|AZ|CA|CO|CT|DC|DE|FL|GA|IL|IN|KS|KY|LA|MA|MD|MI|MN|MO|NC|NE|NJ|NM|NV|NY|OH|OK|OR|PA|SC|TN|TX"
    r"|UT|VA|WA|WI)[ ]{1,2}\d{5}\b|\b(?:California|New York|Texas|Florida|Illinois|Massachusetts|New Jersey"
    r"|Pennsylvania|Virginia|Washington)[ ]{1,2}\d{5}\b"
)
_OTHER_YEAR = any_case(
    rf"{_S}(?:or{_S}|and/or{_S}|[-\u2013\u2014/])(?P<year>(?:1[89]|20)\d\d)(?![\d/.-]\d|\d)"
)
_NUMBERS_VERSION = any_case(
    r"(?:\b(?:v|ver|version|rev|revision|release|build|firmware|software|section|sec|art|article|clause|chapter"
    r"|no|nr|item|para|paragraph|rule|step|ip|iso|din|en)\b\.?|\u00a7)[ \t]{0,2}[:#]?[ \t]{0,2}$"
)
_ANCHOR = any_case(
    r"(?:1[89]|20)\d\d|\d[-/.][ ]?\d|\d[ -][A-Za-z]{3,9}[-. ,]{1,2}\d\d|'\d\d|__|[\[(][^\])\n]{0,30}[\])]/"
    r"|day of|[*\u25cf\u2022]\]"
    r"|\[[ \t_]{0,20}\]|thousand|nineteen|\d[A-Za-z]{3}\d|\[(?:date|day|month|year|insert)|\.{4}|\(\s{0,9}\)"
)
_SPACE = re.compile(r"\s")
_PARTIAL = any_case(rf"(?<![A-Za-z])(?P<month>{MONTH}),?{_S}(?P<year>(?:19|20)\d\d)(?!\d)")


class DateOrder(NamedTuple):
    """Order of day and month in a document's dates ("" where nothing tells), and the reason for it."""

    order: Order
    evidence: str


def parse_date(text: str, order: Order = "") -> TypedValue | None:
    """The first date that `text` states, or None. A date that no calendar has (31/02/2020) is none.

    order: what decides 03/04/2021; without it such a date is AMBIGUOUS, its `text` holding both readings.
    Blanks ("the __ day of ____ 20__") are BLANK or REDACTED, `text` then being what is known ("2004-12").
    """
    found = find_dates(text.strip()[:500], order)
    return found[0][2] if found else None


def find_dates(text: str, order: Order = "", *, partial: bool = False) -> list[Span]:
    """Every date and every blank for one in `text`, in order: (start, end, value), never overlapping.

    partial: also a month with a year and no day, as BLANK with `text` "2004-12".
    """
    text = without_note_marks(text)
    free = NonOverlappingSpans()
    taken = [span for span in _all(text, order, partial) if free.take(span[0], span[1])]
    return sorted(taken, key=lambda span: span[0])


def _all(text: str, order: Order, partial: bool) -> Iterator[Span]:
    windows = list(_windows(text))
    for pattern in (_MONTH_FIRST, _DAY_FIRST, _ISO, _CJK):
        for match in _matches(pattern, text, windows):
            name = match["month"]
            month = int(name) if name.isdigit() else month_number(name)
            yield from _span(match, _year(match["year"]), month, int(match["day"]))
    for pattern in (_WORDED, _WORDED_YEAR):
        for match in _matches(pattern, text, windows):
            yield from _span_of_words(match)
    for match in _matches(_NUMERIC, text, windows):
        yield from _numeric(match, order)
    for match in _matches(_BLANKS, text, windows):
        yield _blank(match)
    if partial:
        for match in _matches(_PARTIAL, text, windows):
            known = f"{match['year']}-{month_number(match['month']):02d}"
            value = TypedValue(FieldType.DATE, known, original=match[0], special=Special.BLANK)
            yield match.start(), match.end(), value


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Windows that can hold a date: 100 characters around years, slashes and blanks, cut between words."""
    start = end = -1
    for anchor in _ANCHOR.finditer(text):
        first = max(0, anchor.start() - 100)
        if first > end:
            if end >= 0:
                yield start, end
            start = first
        reach = min(len(text), anchor.end() + 200)
        stop = _SPACE.search(text, min(reach, anchor.end() + 100), reach)
        end = max(end, stop.end() if stop else reach)
    if end >= 0:
        yield start, end


def _matches(pattern: re.Pattern[str], text: str, windows: list[tuple[int, int]]) -> Iterator[re.Match[str]]:
    for start, end in windows:
        yield from pattern.finditer(text, start, end)


def _span(match: re.Match[str], year: int, month: int, day: int) -> Iterator[Span]:
    value = date_value(year, month, day, match[0])
    if not value:
        return
    other = _OTHER_YEAR.match(match.string, match.end()) if match.end("year") == match.end() else None
    second = date_value(int(other["year"]), month, day) if other else None
    if other and second:
        both = match.string[match.start() : other.end()]
        yield match.start(), other.end(), _ambiguous((value, second), both)
        return
    yield match.start(), match.end(), value


def _ambiguous(readings: Sequence[TypedValue], original: str) -> TypedValue:
    both = "/".join(each.text for each in readings)
    return TypedValue(FieldType.DATE, both, original=original, special=Special.AMBIGUOUS)


def _span_of_words(match: re.Match[str]) -> Iterator[Span]:
    groups = match.groupdict()
    day = parse_ordinal(groups["ordinal"]) if "ordinal" in groups else int(groups["day"])
    end = match.end()
    if groups.get("year"):
        year: int | None = _year(groups["year"])
    else:
        year, used = _year_in_words(match["years"])
        end = match.start("years") + used
    value = date_value(year or 0, month_number(match["month"]), day or 0, match.string[match.start() : end])
    if value:
        yield match.start(), end, value


def _year_in_words(text: str) -> tuple[int | None, int]:
    words = list(re.finditer(r"[A-Za-z]+", text))[:7]
    for count in range(len(words), 0, -1):
        said = [word[0].lower() for word in words[:count] if word[0].lower() != "and"]
        if said[:1] == ["nineteen"]:
            rest = said[2:] if said[1:2] == ["hundred"] else said[1:]
            below = parse_cardinal(" ".join(rest)) if rest else 0
            year = None if below is None or below > 99 else 1900 + below
        else:
            year = parse_cardinal(" ".join(said))
        if year is not None and 1800 <= year <= 2199:
            return year, words[count - 1].end()
    return None, 0


def _numeric(match: re.Match[str], order: Order) -> Iterator[Span]:
    one, two, year = int(match["one"]), int(match["two"]), _year(match["year"])
    day_first = date_value(year, two, one, match[0])
    month_first = date_value(year, one, two, match[0])
    if match["mark"] == "." and day_first:
        order = "dmy"  # nobody writes the month first with points
    if match["mark"] == "." and _is_version(match):
        return
    value = day_first or month_first
    year_first = None if order else _year_first(match)
    if year_first and value and year_first.text != value.text:
        value = _ambiguous((year_first, value), match[0])
    elif day_first and month_first and one != two:
        value = {"dmy": day_first, "mdy": month_first}.get(order) or _ambiguous(
            (month_first, day_first), match[0]
        )
    if value:
        yield match.start(), match.end(), value


def _is_version(match: re.Match[str]) -> bool:
    """True where it numbers a section or a version: "1.2.10", "Version 1.2.2021"."""
    if len(match["year"]) == 2 and len(match[0]) < 8:
        return True
    is_padded = len(match["one"]) == len(match["two"]) == 2
    start = match.start()
    return not is_padded and bool(_NUMBERS_VERSION.search(match.string[max(0, start - 20) : start]))


def _year_first(match: re.Match[str]) -> TypedValue | None:
    """Date of "20-12-31" with the year first; None for what is not written so."""
    if match["mark"] != "-" or not len(match["one"]) == len(match["two"]) == len(match["year"]) == 2:
        return None
    return date_value(_year(match["one"]), int(match["two"]), int(match["year"]), match[0])


def _blank(match: re.Match[str]) -> Span:
    groups = match.groupdict()
    month = month_number(
        groups["month"] or groups["m2"] or groups["m5"] or groups["m6"] or groups["m7"] or ""
    )
    years = (groups[name] for name in ("y1", "y2", "y3", "y4", "y5", "y6") if groups[name])
    year = re.fullmatch(r"(?:18|19|20)\d\d", next(years, ""))
    known = (year[0] if year else "") + (f"-{month:02d}" if year and month else "")
    special = Special.REDACTED if "*" in match[0] else Special.BLANK
    return match.start(), match.end(), TypedValue(FieldType.DATE, known, original=match[0], special=special)


def _year(text: str) -> int:
    digits = text.lstrip("'")
    if len(digits) == 4:
        return int(digits)
    return int(digits) + (2000 if int(digits) < 50 else 1900)


def date_value(year: int, month: int, day: int, original: str = "") -> TypedValue | None:
    """A calendar date as a value; None where there is no such day, or it lies outside 1800 to 2199."""
    if not 1800 <= year <= 2199:
        return None
    try:
        when = date(year, month, day)
    except ValueError:
        return None
    return TypedValue(FieldType.DATE, when.isoformat(), when.toordinal(), "", original)


@lru_cache(maxsize=4)
def date_order(text: str, language: str = "") -> DateOrder:
    """Date order by a document's own numeric dates, or else its language.

    Dates of both orders in one document tell nothing.
    """
    days = months = ""
    for match in _NUMERIC.finditer(text[:200_000]):
        if _year_first(match):
            continue  # which of the two is the day, it does not say itself
        if int(match["one"]) > 12 >= int(match["two"]) > 0:
            days = days or match[0]
        elif int(match["two"]) > 12 >= int(match["one"]) > 0:
            months = months or match[0]
    if bool(days) != bool(months):
        seen = days or months
        return DateOrder("dmy" if days else "mdy", f"the document also writes {seen}")
    home = _home(text[:20_000]) if not days and not months else None
    if home:
        return home
    if language in DAY_FIRST_LANGUAGES:
        return DateOrder("dmy", f"the document is written in {DAY_FIRST_LANGUAGES[language]}")
    return DateOrder("", "")


def _home(text: str) -> DateOrder | None:
    """Date order of the country that a document is plainly from."""
    day_first, month_first = _DAY_FIRST_HOME.search(text), _MONTH_FIRST_HOME.search(text)
    if bool(day_first) == bool(month_first):
        return None
    if day_first:
        return DateOrder("dmy", f"the document is from where the day comes first ({day_first[0]!r})")
    return (
        DateOrder("mdy", f"the document has an address in the United States ({month_first[0]!r})")
        if month_first
        else None
    )


def add_months(start: date, months: int, days: int = 0) -> date:
    """The date that lies whole months, then days, after `start`; the 31st becomes a shorter month's last day.

    Raises ValueError beyond the calendar.
    """
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    for day in range(start.day, start.day - 4, -1):
        try:
            return date(year, month + 1, day) + timedelta(days=days)
        except ValueError:
            continue
    raise ValueError(f"No date lies {months} months after {start}.")


_WRITTEN = any_case(
    rf"(?<![\w./-])(?:\d{{1,2}}[/.-]\d{{1,2}}[/.-](?:19|20)\d\d|(?:19|20)\d\d-\d{{1,2}}-\d{{1,2}}"
    rf"|{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d|\d{{1,2}}(?:st|nd|rd|th)?\s+{MONTH}\s+(?:19|20)\d\d)"
    r"(?![\w/-])"
)


def impossible_date(text: str) -> str:
    """The first date that is written as one and that no calendar has ("31/02/2020"); "" for none."""
    known = [(start, end) for start, end, _ in find_dates(text)]
    for match in _WRITTEN.finditer(text):
        if not any(start < match.end() and end > match.start() for start, end in known):
            return match[0]
    return ""


def ambiguous_date(text: str) -> tuple[str, tuple[str, ...]] | None:
    """The first date with two readings as it is written, and the readings; None where there is none."""
    for start, end, value in find_dates(text):
        if value.special is Special.AMBIGUOUS:
            return text[start:end], tuple(value.text.split("/"))
    return None
