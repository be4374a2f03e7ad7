"""The direct answer: one number, amount or date, where the cited words leave no doubt which."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from core.domain.answer import CitedCalculation, Value
from core.domain.fields import TypedValue
from core.domain.value_text import day_text, grouped, shortened
from core.text.analyse import STOP_WORDS, analyse
from core.text.marks import blanked, kinds_named, unraised, without_note_marks
from core.values.dates import find_dates
from core.values.money import find_money
from core.values.numbers import CARDINAL_WORDS, parse_cardinal

_MONEY_ASKED = re.compile(
    r"\b(?:prices?|costs?|fees?|amounts?|caps?|values?|salary|budget|rent|premium|penalt(?:y|ies)|"
    r"totals?|pay(?:able|ment)?|deposit|charges?)\b",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(r"\bhow much\b(?:\s+(?P<thing>[^\W\d_]+))?", re.IGNORECASE)
_DATE_ASKED = re.compile(
    r"^(?:(?:and|but|so|also|then|ok)[, ]+)?when\b|\b(?:what|which) (?:date|day)\b"
    r"|\b(?:due|effective|expir\w+|start|end|issue|signing|invoice|"
    r"commencement|termination|purchase) date\b|\bdate (?:of|is|was)\b|\bvalid (?:until|from)\b",
    re.IGNORECASE,
)
_YEAR_ASKED = re.compile(
    r"^(?:in |for |since |by )?(?:which|what) (?:calendar |fiscal )?year\b", re.IGNORECASE
)
_YEAR = re.compile(r"(?<![\w.,/-])(?:19|20)\d\d(?![\w/]|[.,-]\d)")
_COUNT_ASKED = re.compile(r"\bhow many\b|\bnumber of\b", re.IGNORECASE)
_COUNTED = re.compile(r"\b(?:how many|number of)\s+((?:[\w'’-]+\s*){1,4})", re.IGNORECASE)
# What is asked for, and the units that it can come in; a number in another unit is another thing.
_LENGTH = "mm cm m km in inch inches ft feet"
_TIME = "day days week weeks month months year years hour hours minute minutes second seconds"
_DIMENSIONS: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), frozenset(units.split(" ")))
    for words, units in (
        ("width|height|length|depth|thickness|diameter|distance|wide|tall|high|deep|thick|far|long", _LENGTH),
        ("weight|weighs?|mass|heavy|load|lift|tonn?es", "kg g lb lbs tonne tonnes"),
        ("voltage", "V kV mV"),
        ("current|amperage", "A mA"),
        ("power|output|wattage", "W kW MW"),
        ("energy|capacity", "Wh kWh MWh Ah l litre litres liter liters"),
        ("frequency", "Hz kHz MHz GHz"),
        ("temperature|hot|cold", "°C °F"),
        ("pressure", "bar psi Pa kPa MPa"),
        ("torque", "Nm N·m"),
        ("efficiency|percentage|percent|rate|ratio|share|discount|interest|penalty|penalties", "% percent"),
        ("area|space", "m² m2 mm²"),
        ("noise|loudness", "dB"),
        (
            "period|term|duration|interval|how long|how often|notice|time|deadline|age|lifetime|warranty",
            _TIME,
        ),
    )
)
_AMOUNT = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_UNIT = (
    r"mm²|mm|cm|km|m²|m2|m|inches|inch|in|ft|feet|tonnes?|kg|g|lbs?|kWh|Wh|MWh|kW|MW|W|kV|mV|V|mA|Ah|A|Hz|kHz|"
    r"MHz|GHz|°\s?C|°\s?F|bar|psi|Pa|kPa|MPa|N·?m|Nm|dB|l|litres?|liters?|%|percent|per cent|business days?|"
    r"calendar days?|working days?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|cycles|units|pages|"
    r"pieces|people|employees"
)
_NUMBER = re.compile(
    rf"(?<![\w.,/-])(?P<number>[-+−]?(?:{_AMOUNT}))\)?(?:\s?-?(?P<unit>{_UNIT})(?![\w]))?(?![\w]|[.,/]\d|-\d)"
)
_IN_WORDS = re.compile(
    rf"\b(?P<words>{CARDINAL_WORDS})[ -]"
    r"(?P<unit>(?:business |calendar |working )?(?:day|week|month|year|hour|minute)s?|percent|per cent)\b",
    re.IGNORECASE,
)
_POWER = re.compile(
    r"(?:(?<![\w.,])(?P<factor>\d{1,6}(?:\.\d{1,6})?)\s?[\u00d7x\u00b7*]\s?)?(?<![\w.,])10(?P<power>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})(?!\w)"
)
_RANGE_END = re.compile(rf"\s?(?:to|-|–|—|\.\.\.?|and)\s?[-+−]?(?:{_AMOUNT})\s?-?(?P<unit>{_UNIT})(?![\w])")
_BY_NAME_OR_ISO = re.compile(r"[A-Za-z]{3}|\d{4}-\d\d-\d\d\Z")
_WHEN = re.compile(
    r"^\W*(?:and\s+|so\s+)?(?:when|what\s+(?:day|date)|(?:on|by|until)\s+(?:when|what\s+da))\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"[;|\n\[\]]|,\s|\s(?:and|or|but)\s|\.\s")


@dataclass(frozen=True, slots=True)
class QuoteValue:
    """A value with where it stands in the quote."""

    value: Value
    start: int
    bound: str = ""  # "low" or "high" of a range


def direct_value(question: str, quote: str) -> Value | None:
    """The value that `question` asks for, read from `quote`; None where there is none or more than one.

    Counts are tried first, then money, dates, numbers. What is counted has to stand near its number; another
    number must come in a unit that fits what is asked (a width in mm, not in kW). Several different values:
    a cue word before one decides, or the clause that shares most of the question's words; if neither does,
    there is no value.
    """
    quote = blanked(quote, kinds_named(question))
    found = stated_values(question, quote)
    return _decide(question, quote, found) if found else None


def stated_values(question: str, quote: str) -> list[QuoteValue]:
    """Every value in the quote of the type that the question asks for; [] where it asks for none.

    A value right behind words for the opposite is left out: "begins on" where the question says "expire"; so
    is one that is deleted or stands in a comment, unless the question asks for such.
    """
    quote = blanked(quote, kinds_named(question))
    found = _of_type(question, quote)
    for at, (_, asked) in enumerate(_CUES):
        if re.search(rf"\b(?:{asked})", question, re.IGNORECASE):
            opposite = _CUES[at ^ 1][0]  # the cues stand in pairs
            found = [f for f in found if _last_cue(quote[max(0, f.start - CUE_REACH) : f.start]) != opposite]
    return found


def asks_money(question: str) -> bool:
    """True where an amount of money may be asked for; "how much vacation" asks for that in its own unit."""
    if _MONEY_ASKED.search(question):
        return True
    things = [match["thing"] for match in _HOW_MUCH.finditer(question)]
    return any(thing is None or thing.casefold() in STOP_WORDS for thing in things)


def asks_date(question: str) -> bool:
    """True where a day is asked for."""
    return bool(_DATE_ASKED.search(question))


def _of_type(question: str, quote: str) -> list[QuoteValue]:
    if _YEAR_ASKED.search(question):
        years = _YEAR.finditer(without_note_marks(quote))
        return [QuoteValue(Value(type="text", value=year[0]), year.start()) for year in years]
    if _COUNT_ASKED.search(question):
        counted = counted_terms(question)
        found = _numbers(quote)
        behind = [n for n in found if counted & set(analyse(quote[n.start : n.start + COUNT_REACH]))]
        before = [n for n in found if counted & set(analyse(quote[max(0, n.start - COUNT_REACH) : n.start]))]
        return (behind or before) if counted else found
    if asks_money(question) and not _WHEN.search(question):
        amounts = _money(quote)
        if amounts:
            return amounts
    if asks_date(question):
        return _dates(quote)
    units = frozenset(unit for words, fitting in _DIMENSIONS if words.search(question) for unit in fitting)
    return [
        item
        for item in _numbers(quote)
        if item.value.unit and item.value.unit.replace(" ", "") in _spelt(units)
    ]


def _spelt(units: frozenset[str]) -> frozenset[str]:
    """The units with the compounds that hold them: `business days` is a number of days."""
    return units | {f"{kind}{unit}" for kind in ("business", "calendar", "working") for unit in units}


def _decide(question: str, quote: str, found: list[QuoteValue]) -> Value | None:
    for named, bound in _BOUNDS:
        bounds = {item.value for item in found if item.bound == bound}
        if len(bounds) == 1 and named.search(question):
            return bounds.pop()
    distinct = list(dict.fromkeys((f.value.type, f.value.value, f.value.unit) for f in found))
    if len(distinct) == 1:
        return found[0].value
    cued = _cued(question, quote, found)
    if cued is not None:
        return cued
    asked = set(analyse(question))
    asked |= {term for word in analyse(question) for term in analyse(_NOUNS.get(word, ""))}
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(quote)), len(quote)]
    scored = []
    for start, end in pairwise(cuts):
        inside = {f.value for f in found if start <= f.start < end}
        scored.append((len(asked & set(analyse(quote[start:end]))), inside))
    best = max(shared for shared, _ in scored)
    leading = [inside for shared, inside in scored if shared == best]
    if best > 0 and len(leading) == 1 and len(leading[0]) == 1:
        return leading[0].pop()
    return None


_NOUNS = {"wide": "width", "tall": "height", "high": "height", "long": "length", "deep": "depth"}
_NOUNS |= {"thick": "thickness", "heavi": "weight", "hot": "temperature", "old": "age"}
_BOUNDS = (
    (re.compile(r"\b(?:minimum|min|least|lowest|smallest)\b", re.IGNORECASE), "low"),
    (re.compile(r"\b(?:maximum|max|most|highest|largest)\b", re.IGNORECASE), "high"),
)
_CUES = (
    (
        r"expir\w*|ends?|until|terminat\w*|through|no later than|due|deadline",
        "expir|end|terminat|until|due|deadline",
    ),
    (
        r"begin\w*|starts?|commenc\w*|effective|from|dated|entered into",
        "begin|start|commenc|effective|from|sign",
    ),
    (r"minimum|min\.?|at least|not less than|lowest|smallest", "minimum|min|least|lowest|smallest"),
    (r"maximum|max\.?|at most|not more than|up to|highest|largest", "maximum|max|most|highest|largest"),
)
COUNT_REACH = 30  # characters between a number and what it counts
CUE_REACH = 40  # characters between a cue word and its value


def _cued(question: str, quote: str, found: list[QuoteValue]) -> Value | None:
    """The one value right behind a word for what is asked: `ends on 30 June` for "when does it expire"."""
    for cue, asked in _CUES:
        if re.search(rf"\b(?:{asked})", question, re.IGNORECASE):
            near = {
                item.value
                for item in found
                if _last_cue(quote[max(0, item.start - CUE_REACH) : item.start]) == cue
            }
            if len(near) == 1:
                return near.pop()
    return None


def _last_cue(text: str) -> str:
    """Group of the cue words that stand last in the text; "" for none."""
    places = [
        (match.start(), cue)
        for cue, _ in _CUES
        for match in re.finditer(rf"\b(?:{cue})\b", text, re.IGNORECASE)
    ]
    return max(places)[1] if places else ""


@lru_cache(maxsize=500)  # a quote is asked several times on its way to an answer
def _amounts(text: str) -> tuple[tuple[int, int, TypedValue], ...]:
    return tuple(find_money(text))


@lru_cache(maxsize=500)
def _days(text: str) -> tuple[tuple[int, int, TypedValue], ...]:
    return tuple(find_dates(text))


def _money(text: str) -> list[QuoteValue]:
    return [
        QuoteValue(Value(type="money", value=f"{value.decimal:.2f}", unit=value.unit), start)
        for start, _, value in _amounts(text)
    ]


def _dates(text: str) -> list[QuoteValue]:
    """Days that are written with the month's name or as ISO 8601; 03/04/2021 leaves a doubt."""
    return [
        QuoteValue(Value(type="date", value=value.text), start)
        for start, _, value in _days(text)
        if not value.special and _BY_NAME_OR_ISO.search(value.original)
    ]


def _numbers(text: str) -> list[QuoteValue]:
    taken = [(start, end) for start, end, _ in (*_amounts(text), *_days(text))]
    found: list[QuoteValue] = []
    for power in _POWER.finditer(text):
        amount = Decimal(power["factor"] or 1) * Decimal(10) ** int(unraised(power["power"]))
        taken.append(power.span())
        found.append(QuoteValue(Value(type="number", value=f"{amount:f}", unit=None), power.start()))
    for match in _NUMBER.finditer(without_note_marks(text)):
        if any(start < match.end("number") and match.start("number") < end for start, end in taken):
            continue
        number = match["number"].replace(",", "").replace("−", "-").lstrip("+")
        unit = " ".join(match["unit"].split()) if match["unit"] else None
        upper = None if unit else _RANGE_END.match(text, match.end())
        if upper and upper["unit"]:
            unit = " ".join(upper["unit"].split())
        bound = "low" if upper else "high" if found and found[-1].bound == "low" else ""
        found.append(QuoteValue(Value(type="number", value=number, unit=unit), match.start(), bound))
    return sorted([*found, *_spelt_out(text)], key=lambda stated: stated.start)


def _spelt_out(text: str) -> list[QuoteValue]:
    """Numbers below a hundred in words, in front of a time or per cent: `ninety days`."""
    found: list[QuoteValue] = []
    for match in _IN_WORDS.finditer(text):
        number = parse_cardinal(match["words"])
        if number is not None and number < 100:
            value = Value(type="number", value=str(number), unit=match["unit"].casefold())
            found.append(QuoteValue(value, match.start()))
    return found


def counted_terms(question: str) -> set[str]:
    """Terms that "how many" asks to count, as analysed: {"employe"} for "how many employees are there"."""
    match = _COUNTED.search(question)
    if match is None:
        return set()
    words = itertools.takewhile(lambda word: word.casefold() not in STOP_WORDS, match.group(1).split())
    return {term for word in words for term in analyse(word)}


def asked_words(question: str) -> list[str]:
    """The words of the question that only say what sort of value it asks for: `price`, `width`, `period`."""
    patterns = [_MONEY_ASKED, *(words for words, _ in _DIMENSIONS)]
    return [match.group() for pattern in patterns for match in pattern.finditer(question)]


def show_calculation(made: CitedCalculation) -> str:
    """A calculation in a line: what it comes to, of which figures, and their numbers of citations."""
    cited = dict.fromkeys(citation.n for figure in made.figures for citation in figure.citations)
    marks = "".join(f" [{n}]" for n in cited)
    return f"{made.label} = {made.shown} = {show_value(made.value)}{marks}"


def show_value(value: Value) -> str:
    """The value as a person reads it: `1,134 mm`, `USD 1,250,000.00`, `3 Oct 2024`."""
    if value.type == "money":
        return f"{value.unit or ''} {Decimal(value.value):,.2f}".strip()
    if value.type == "date":
        return day_text(date.fromisoformat(value.value))
    if value.type == "number":
        is_year = value.unit == "year" and value.value.isdigit() and len(value.value) == 4
        if is_year:  # and no length of time
            return value.value
        shown = grouped(shortened(Decimal(value.value)), value.unit or "")
        if not value.unit:
            return shown
        return f"{shown}{value.unit}" if value.unit == "%" else f"{shown} {value.unit}"
    if value.type == "boolean":
        return "Yes" if value.value == "true" else "No"
    return value.value
