"""Periods that a question names: dates, months, quarters, years, and what is reckoned from today."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta

from core.domain.fields import Special, TypedValue
from core.plan.language.pieces import Period
from core.values.dates import MONTH, add_months, find_dates, month_number
from core.values.durations import months_and_days, parse_duration
from core.values.numbers import CARDINAL_WORDS, ORDINALS, NonOverlappingSpans, parse_cardinal

Found = tuple[int, int, Period]

_ORDINAL = r"(?P<ordinal>first|second|third|fourth|last|final|1st|2nd|3rd|4th)"
_OF_YEAR = (
    r"(?:[\s,/-]*(?:of|in)?[\s]*(?:the\s+)?(?:year\s+|FY\s?|fiscal(?:\s+year)?\s+|calendar(?:\s+year)?\s+)?"
    r"(?P<year>(?:19|20)\d\d|'\d\d|(?:this|next|last|the current|the coming|the previous)\s+year))?"
)
_QUARTER = re.compile(
    rf"\b(?:(?P<before>(?:19|20)\d\d)[\s/-]?)?(?:Q\s?(?P<number>[1-4])|{_ORDINAL}\s+(?:calendar\s+|fiscal\s+)?quarter)"
    rf"(?!\d){_OF_YEAR}",
    re.IGNORECASE,
)
_HALF = re.compile(
    rf"\b(?:H(?P<number>[12])|(?P<ordinal>first|second|1st|2nd)\s+half)(?!\d){_OF_YEAR}", re.IGNORECASE
)
_FISCAL = re.compile(
    r"\b(?:FY|(?:fiscal|financial|calendar|business)\s+year)\s?(?:of\s+)?(?P<year>(?:19|20)?\d\d)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:the\s+)?(?P<which>this|next|last|current|previous|coming|past|following)\s+"
    r"(?:calendar\s+|fiscal\s+|financial\s+)?(?P<unit>week|month|quarter|year)\b",
    re.IGNORECASE,
)
_COUNT = rf"(?P<count>\d{{1,4}}|{CARDINAL_WORDS}|few|couple of)"
_UNITS = r"(?:calendar\s+|business\s+|working\s+)?(?P<unit>days?|weeks?|months?|quarters?|years?)"
_AHEAD = re.compile(
    rf"\b(?:(?:with)?in\s+(?:the\s+)?(?:next|coming|following|upcoming)|(?:over|during)\s+(?:the\s+)?"
    rf"(?:next|coming|following)|(?:the\s+)?(?:next|coming|upcoming|following))\s+{_COUNT}[\s-]{_UNITS}\b",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    rf"\b(?P<word>within|in|inside|in\s+less\s+than|in\s+under)\s+{_COUNT}[\s-]{_UNITS}\b"
    r"(?:\s+(?:from\s+(?:now|today)|of\s+today))?",
    re.IGNORECASE,
)
_FROM_NOW = re.compile(
    rf"\b(?P<less>less\s+than\s+|under\s+)?{_COUNT}[\s-]{_UNITS}\s+from\s+(?:now|today)\b", re.I
)
_AGO = re.compile(
    rf"\b(?:(?:with)?in|over|during|for)?\s*(?:the\s+)?(?:last|past|previous|preceding)\s+{_COUNT}[\s-]{_UNITS}\b",
    re.IGNORECASE,
)
_MONTH = re.compile(
    rf"\b(?P<edge>in|by|before|after|since|until|of|during|from|this|next|last)\s+(?P<month>{MONTH})\b", re.I
)
_WRITTEN_MONTH = re.compile(
    rf"(?<![\w./-])(?:(?P<number>0?[1-9]|1[0-2])/|(?P<name>{MONTH})\.\s*)(?P<year>(?:19|20)\d\d)(?![\w/-]|\.\d)",
    re.IGNORECASE,
)
_YEAR = re.compile(
    r"(?<![\w.,$€£/#-])(?:the\s+year\s+|calendar\s+year\s+)?(?P<year>(?:19|20)\d\d)(?![\w/%-]|[.,]\d)", re.I
)
_BESIDE = re.compile(
    rf"\b(?:(?:with)?in|over|during)\s+(?:the\s+)?(?:last\s+|final\s+)?{_COUNT}[\s-]{_UNITS}\s+"
    r"(?P<side>before|prior\s+to|preceding|leading\s+up\s+to|up\s+to|after|following)\s+(?:the\s+)?",
    re.IGNORECASE,
)
_WITHIN_OF = re.compile(
    rf"\b(?:with)?in\s+{_COUNT}[\s-]{_UNITS}\s+(?P<side>of|from|after|following|before|prior\s+to)\s+(?:the\s+)?"
    r"(?:(?P<edge>start|beginning|end|close)\s+of\s+(?:the\s+)?)?",
    re.IGNORECASE,
)
_FAR_YEAR = re.compile(
    r"\b(?:in|by|before|after|since|until|till|during|through|(?:in\s+)?the\s+year|year)\s+(?P<year>2[1-9]\d\d|[3-9]\d{3})"
    r"(?=\s*(?:$|[?!,;.)]|(?:and|or|but|with|without|that|which|who|have|has|for|by|at)\b))(?!\.\d|,\d)",
    re.IGNORECASE,
)
_DAY = re.compile(r"\b(?:today|tomorrow|yesterday|now)\b", re.IGNORECASE)
_EDGE_OF = re.compile(r"\b(?:the\s+)?(?P<edge>end|close|beginning|start)\s+of\s+(?:the\s+)?$", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"\b(?P<word>on\s+or\s+after|on\s+or\s+before|no\s+later\s+than|not\s+later\s+than|not\s+after|not\s+before"
    r"|no\s+earlier\s+than|not\s+earlier\s+than|earlier\s+than|later\s+than|prior\s+to|ahead\s+of|before|until"
    r"|till|up\s+to|through|after|following|past|beyond|since|starting\s+from|from|as\s+of|by"
    r"|at\s+the|in|during|on|within|throughout|of|for|at|older\s+than|newer\s+than|more\s+recent\s+than)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\b(?P<word>between|from)\s+$", re.IGNORECASE)
_JOINING = re.compile(
    r"\s*(?:and|to|through|until|till|-|–|up to)\s*(?:the\s+)?(?:end\s+of\s+)?", re.IGNORECASE
)
_WRITTEN = re.compile(
    rf"(?<![\w./-])(?:\d{{1,2}}[/.-]\d{{1,2}}[/.-](?:19|20)\d\d|(?:19|20)\d\d-\d{{1,2}}-\d{{1,2}}"
    rf"|{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d|\d{{1,2}}(?:st|nd|rd|th)?\s+{MONTH}\s+(?:19|20)\d\d)"
    r"(?![\w/-])",
    re.IGNORECASE,
)
_BEFORE = frozenset(["before", "prior to", "earlier than", "ahead of", "older than"])
_UP_TO = frozenset(
    [
        "until",
        "till",
        "up to",
        "through",
        "by",
        "on or before",
        "no later than",
        "not later than",
        "not after",
    ]
)
_AFTER = frozenset(["after", "later than", "following", "past", "beyond", "newer than", "more recent than"])
_NO_DAY = r"(?!\s+(?:the\s+)?(?:end\s+of\s+)?\d)"
_ONWARDS = re.compile(rf"\s*(?:on|onwards?|forward|and\s+(?:later|after|on))\b{_NO_DAY}", re.IGNORECASE)
_FROM = frozenset(
    ["since", "from", "starting from", "as of", "on or after",
     "not before", "no earlier than", "not earlier than"]
)  # fmt: skip


def find_periods(text: str, today: date) -> list[Found]:
    """Every period in `text` with the words that belong to it ("before", "by the end of"), in order.

    Fiscal years are taken to be calendar years.
    """
    free = NonOverlappingSpans()
    bases = [found for found in _bases(text, today) if free.take(found[0], found[1])]
    bases.sort(key=lambda found: found[0])
    return list(_with_prepositions(text, bases))


_OVER = re.compile(
    r"\b(?:(?P<plain>expired|lapsed|elapsed|ended|timed\s+out|gone\s+out\s+of\s+(?:force|date))"
    r"|run\s+(?:out|off)|come\s+to\s+an\s+end)(?:\s+(?:already|by\s+now|now|today|since))*$",
    re.IGNORECASE,
)
_PERFECT = re.compile(r"\b(?:have|has|had|having|already)\b|['’]ve\b", re.IGNORECASE)
_CLAUSE = 24  # characters before words in which "have" belongs to them


def says_over(text: str, question: str) -> bool:
    """True of words that say that something is over: "expired", "have run out"; not of "which run out".

    What "can be ended" is not over.
    """
    found = _OVER.search(text)
    if found is None or is_permitted(text, question):
        return False
    at = max(0, question.find(text))
    return bool(
        found["plain"] or _PERFECT.search(text) or _PERFECT.search(question[max(0, at - _CLAUSE) : at])
    )


_PERMITTED = re.compile(  # right before a verb: "may at any time be", "allow us to", "can either party"
    r"\b(?:(?:can|could|may|might|must|should|able\s+to|free\s+to|allowed\s+to|permitted\s+to|possible\s+to)"
    r"(?:\s+\w+){0,4}?\s+(?:be|get)(?:\s+\w+ly)?"
    r"|(?:allow|permit|entitle|enable)(?:s|d|ed|ing)?(?:\s+\w+){1,3}?\s+to|lets?(?:\s+\w+){1,2}"
    r"|(?:able|free|allowed|permitted|entitled|right|possible)\s+to"
    r"|(?:can|could|may|might)\s+(?:we|i|you|they|one|either|(?:(?:the|our|any|each|either|a)\s+)?"
    r"(?:part(?:y|ies)|sides?|customers?|clients?|vendors?|suppliers?|providers?|distributors?|buyers?|sellers?"
    r"|tenants?|landlords?|licensees?|licensors?|compan(?:y|ies))))"
    r"(?:\s+\w+ly)?\s+$",
    re.IGNORECASE,
)
_PASSIVE_PERMITTED = re.compile(
    r"\b(?:can|could|may|might|must|should|to)\s+(?:not\s+)?(?:be|get)\s+\w+", re.IGNORECASE
)


def is_permitted(text: str, question: str) -> bool:
    """True of a verb that somebody is free to do: "can be ended", "allow us to end", not "have ended"."""
    at = question.find(text)
    before = question[:at] if at >= 0 else ""
    return bool(_PASSIVE_PERMITTED.search(text) or _PERMITTED.search(before))


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


def quarter(year: int, number: int) -> Period:
    """A quarter of a calendar year."""
    return _months(year, 3 * number - 2, 3)


def _months(year: int, month: int, count: int) -> Period:
    last = month + count - 1
    return Period(date(year, month, 1), date(year, last, monthrange(year, last)[1]))


def _year(year: int) -> Period:
    return Period(date(year, 1, 1), date(year, 12, 31))


def _of_year(match: re.Match[str], _: date) -> Period | None:
    """ "09/2024", "Sept. 2024"."""
    month = int(match["number"]) if match["number"] else month_number(match["name"])
    return _months(int(match["year"]), month, 1)


def _bases(text: str, today: date) -> Iterator[Found]:
    plain = list(_plain_bases(text, today))
    for match in _WITHIN_OF.finditer(text):
        for start, end, period in plain:
            if start != match.end() or period.is_relative:
                continue
            near = _near(match, period)
            if near is not None:
                yield match.start(), end, near
    yield from plain


def _near(match: re.Match[str], period: Period) -> Period | None:
    """ "Within six months of the start of 2025": the time from that day on, or up to it."""
    is_before = match["side"].lower() in ("before", "prior to")
    is_end = (match["edge"] or ("start" if is_before else "end")).lower() in ("end", "close")
    edge, length = period.last if is_end else period.first, _length(match)
    other = _shifted(edge, length, -1 if is_before else 1) if edge is not None and length else None
    if edge is None or other is None:
        return None
    return Period(other, edge) if is_before else Period(edge, other)


def _plain_bases(text: str, today: date) -> Iterator[Found]:
    makers: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Period | None]], ...] = (
        (_WRITTEN_MONTH, _of_year),
        (_QUARTER, _quarter),
        (_HALF, _half),
        (_FISCAL, _fiscal),
        (_AHEAD, _ahead),
        (_WITHIN, _within),
        (_FROM_NOW, _from_now),
        (_AGO, _ago),
        (_NAMED, _named),
    )
    dates = [(start, end, _stated(value)) for start, end, value in find_dates(text, partial=True)]
    for match in _BESIDE.finditer(text):
        for start, end, day in dates:
            near = _beside(match, day) if start == match.end() and day is not None else None
            if near is not None:
                yield match.start(), end, near
    yield from ((start, end, stated) for start, end, stated in dates if stated is not None)
    for pattern, make in makers:
        for match in pattern.finditer(text):
            period = make(match, today)
            if period is not None:
                yield match.start(), match.start() + len(match[0].rstrip(" ,-/")), period
    for match in _MONTH.finditer(text):
        if match["month"][0].isupper() and len(match["month"]) > 2:
            yield match.start("month"), match.end(), _this_month(match, today)
    for match in _YEAR.finditer(text):
        yield match.start(), match.end(), _year(int(match["year"]))
    for match in _FAR_YEAR.finditer(text):
        yield match.start("year"), match.end("year"), _year(int(match["year"]))
    for match in _DAY.finditer(text):
        shift = {"tomorrow": 1, "yesterday": -1}.get(match[0].lower(), 0)
        then = today + timedelta(days=shift)
        yield match.start(), match.end(), Period(then, then, is_relative=True)


def _stated(value: TypedValue) -> Period | None:
    if value.special is Special.AMBIGUOUS:
        # As read month first, which the answer shows; the other reading is named in the question's notes.
        day = date.fromisoformat(value.text.split("/")[0])
        return Period(day, day)
    if value.special is Special.BLANK and re.fullmatch(r"\d{4}-\d\d", value.text):
        return _months(int(value.text[:4]), int(value.text[5:]), 1)
    if value.special or value.amount is None:
        return None
    day = date.fromordinal(value.amount)
    return Period(day, day)


def _year_of(said: str | None, today: date) -> int:
    if not said:
        return today.year
    digits = said.strip("'")
    if digits.isdigit():
        return int(digits) if len(digits) == 4 else 2000 + int(digits)
    word = said.lower()
    return today.year + (
        1 if "next" in word or "coming" in word else -1 if "last" in word or "previous" in word else 0
    )


def _number(match: re.Match[str], last: int) -> int:
    if match["number"]:
        return int(match["number"])
    word = match["ordinal"].lower()
    return last if word in ("last", "final") else ORDINALS.get(word) or int(word[0])


def _quarter(match: re.Match[str], today: date) -> Period | None:
    if match["number"] is None and match["ordinal"].lower() == "last" and not match["year"]:
        return None  # "last quarter" is the one before this one
    year = int(match["before"]) if match["before"] else _year_of(match["year"], today)
    return quarter(year, _number(match, 4))


def _half(match: re.Match[str], today: date) -> Period:
    return _months(_year_of(match["year"], today), 6 * _number(match, 2) - 5, 6)


def _fiscal(match: re.Match[str], _today: date) -> Period:
    digits = match["year"]
    return _year(int(digits) if len(digits) == 4 else 2000 + int(digits))


def _named(match: re.Match[str], today: date) -> Period:
    step = {"next": 1, "coming": 1, "following": 1, "last": -1, "previous": -1, "past": -1}
    shift, unit = step.get(match["which"].lower(), 0), match["unit"].lower()
    if unit == "week":
        monday = today - timedelta(days=today.weekday() - 7 * shift)
        return Period(monday, monday + timedelta(days=6), is_relative=True)
    count = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = today.year * 12 + (today.month - 1) // count * count + shift * count
    return replace(_months(first // 12, first % 12 + 1, count), is_relative=True)


def _length(match: re.Match[str]) -> tuple[int, int] | None:
    said = match["count"].lower()
    count = int(said) if said.isdigit() else {"few": 3, "couple of": 2}.get(said) or parse_cardinal(said)
    unit = match["unit"].lower().rstrip("s")
    if count is None:
        return None
    months = {"month": count, "quarter": 3 * count, "year": 12 * count}.get(unit, 0)
    return months, {"day": count, "week": 7 * count}.get(unit, 0)


def _shifted(today: date, length: tuple[int, int], sign: int) -> date | None:
    try:
        return add_months(today, sign * length[0], sign * length[1])
    except (ValueError, OverflowError):
        return None


def _ahead(match: re.Match[str], today: date) -> Period | None:
    length = _length(match)
    last = _shifted(today, length, 1) if length else None
    return Period(today, last, is_relative=True) if last else None


def _within(match: re.Match[str], today: date) -> Period | None:
    period = _ahead(match, today)
    value = parse_duration(f"{match['count']} {match['unit']}")
    return replace(period, length=value) if period and value and months_and_days(value) else period


def _beside(match: re.Match[str], day: Period) -> Period | None:
    """ "In the 60 days before 31 December 2024": the days that end the day before it."""
    length = _length(match)
    is_after = match["side"].lower() in ("after", "following")
    edge = day.last if is_after else day.first
    other = _shifted(edge, length, 1 if is_after else -1) if edge is not None and length else None
    if edge is None or other is None:
        return None
    return Period(edge, other) if is_after else Period(other, edge - timedelta(days=1))


def _from_now(match: re.Match[str], today: date) -> Period | None:
    return _ahead(match, today)


def _ago(match: re.Match[str], today: date) -> Period | None:
    length = _length(match)
    first = _shifted(today, length, -1) if length else None
    return Period(first, today, is_relative=True) if first else None


def _this_month(match: re.Match[str], today: date) -> Period:
    shift = {"next": 1, "last": -1}.get(match["edge"].lower(), 0)
    return replace(_months(today.year + shift, month_number(match["month"]), 1), is_relative=True)


def _with_prepositions(text: str, bases: list[Found]) -> Iterator[Found]:
    at = 0
    while at < len(bases):
        start, end, period = bases[at]
        opened = _BETWEEN.search(text[max(0, start - 20) : start])
        if opened and at + 1 < len(bases) and opened["word"].lower() in ("between", "from"):
            following = bases[at + 1]
            if _JOINING.fullmatch(text[end : following[0]]):
                yield (
                    max(0, start - 20) + opened.start(),
                    following[1],
                    Period(period.first, following[2].last, period.is_relative),
                )
                at += 2
                continue
        yield _bounded(text, start, end, period)
        at += 1


_OR_LATER = re.compile(
    rf",?\s+(?:or|and)\s+(?:later|after(?:wards)?|newer|onwards?|beyond|since)\b{_NO_DAY}", re.IGNORECASE
)
_OR_EARLIER = re.compile(r",?\s+(?:or|and)\s+(?:earlier|sooner|before|older|prior)\b(?!\s+\d)", re.IGNORECASE)
_IN = re.compile(r"\b(?:in|on|from|during)\s+$", re.IGNORECASE)
_IN_OR = re.compile(r"\b(?:in|on|from|during)\s+or\s+(?P<side>after|since|before)\s+$", re.IGNORECASE)


def _with_rest(text: str, start: int, end: int, period: Period) -> Found | None:
    """A period with all that is later, or earlier: "in 2017 or later", "in or after 2017"; else None."""
    later, earlier = _OR_LATER.match(text, end), _OR_EARLIER.match(text, end)
    before = _IN_OR.search(text[:start])
    side = before["side"].lower() if before else "after" if later else "before" if earlier else ""
    if not side or period.length is not None:
        return None
    found = later or earlier
    end = found.end() if before is None and found is not None else end
    plain = before or _IN.search(text[:start])
    start = plain.start() if plain is not None else start
    return start, end, replace(period, first=None) if side == "before" else replace(period, last=None)


def _bounded(text: str, start: int, end: int, period: Period) -> Found:
    whole = _with_rest(text, start, end, period)
    if whole is not None:
        return whole
    is_end = False
    edge = _EDGE_OF.search(text[:start])
    if edge:
        start = edge.start()
        is_end = edge["edge"].lower() in ("end", "close")
        day = period.last if is_end else period.first
        period = replace(period, first=day, last=day)
    match = _PREPOSITION.search(text[:start])
    if match is None or period.length is not None:
        return start, end, period
    word = " ".join(match["word"].lower().split())
    start = match.start()
    one_day = timedelta(days=1)
    if word in _BEFORE and period.first:
        # "before the end of 2024" is said of the 31st as well.
        return start, end, replace(period, first=None, last=period.last if is_end else period.first - one_day)
    if word in _UP_TO:
        return start, end, replace(period, first=None)
    if word in _AFTER and period.last:
        return start, end, replace(period, first=period.last + one_day, last=None)
    if word == "from" and period.first != period.last and not _ONWARDS.match(text, end):
        return start, end, period  # "receipts from the second quarter" are of it
    if word in _FROM:
        return start, end, replace(period, last=None)
    return start, end, period
