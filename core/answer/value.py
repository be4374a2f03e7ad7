"""The direct answer: one number, amount or date, where the cited words leave no doubt which."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise

from core.domain.answer import Value
from core.index.analyse import analyse

_MONEY_ASKED = re.compile(
    r"\b(?:how much|prices?|costs?|fees?|amounts?|caps?|values?|salary|budget|rent|premium|penalt(?:y|ies)|"
    r"totals?|pay(?:able|ment)?|deposit|charges?)\b",
    re.IGNORECASE,
)
_DATE_ASKED = re.compile(
    r"^when\b|\b(?:what|which) (?:date|day)\b|\b(?:due|effective|expir\w+|start|end|issue|signing|invoice|"
    r"commencement|termination|purchase) date\b|\bdate (?:of|is|was)\b|\bvalid (?:until|from)\b",
    re.IGNORECASE,
)
_NUMBER_ASKED = re.compile(
    r"\bhow (?:many|long|wide|tall|heavy|high|deep|far|often|big|large|thick|fast)\b"
    r"|\b(?:minimum|maximum|nominal|rated|average|total)\b"
    r"|\b(?:width|height|length|depth|weight|voltage|power|capacity|efficiency|temperature|current|pressure|"
    r"percentage|rate|ratio|period|quantity|size|area|speed|frequency|duration|torque|number|interval|term)\b",
    re.IGNORECASE,
)
_SYMBOLS = {"US$": "USD", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_CODES = r"USD|EUR|GBP|CHF|JPY|CAD|AUD|INR|SEK|NOK|DKK|PLN|MYR|RM"
_SCALES = {"thousand": 3, "k": 3, "million": 6, "mm": 6, "m": 6, "billion": 9, "bn": 9}
_AMOUNT = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_MONEY = re.compile(
    rf"(?P<symbol>US\$|[$€£¥]|\b(?:{_CODES}))\s?(?P<amount>{_AMOUNT})(?:\s?(?P<scale>thousand|million|billion|bn|[kKmM])\b)?"
    rf"|(?P<amount_first>{_AMOUNT})\s?(?P<scale_first>thousand|million|billion)?\s?(?P<code>{_CODES})\b"
)
_UNIT = (
    r"mm²|mm|cm|km|m²|m2|m|inches|inch|in|ft|feet|kg|g|lbs?|kWh|Wh|MWh|kW|MW|W|kV|mV|V|mA|Ah|A|Hz|kHz|MHz|"
    r"GHz|°\s?C|°\s?F|bar|psi|Pa|kPa|MPa|N·?m|Nm|dB|l|litres?|liters?|%|percent|per cent|business days?|"
    r"calendar days?|working days?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|cycles|units|pages|"
    r"pieces|people|employees"
)
_NUMBER = re.compile(
    rf"(?<![\w.,/-])(?P<number>[-+−]?(?:{_AMOUNT}))\)?(?:\s?-?(?P<unit>{_UNIT})(?![\w]))?(?![\w]|[.,/]\d|-\d)"
)
_MONTHS = {
    name: at
    for at, names in enumerate(
        (
            *("jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july"),
            *("aug august", "sep sept september", "oct october", "nov november", "dec december"),
        ),
        1,
    )
    for name in names.split(" ")
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"\b(?P<y>\d{{4}})-(?P<m>\d{{2}})-(?P<d>\d{{2}})\b"
    rf"|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?: day of| of)?\s+(?P<m2>{_MONTH})\.?,?\s+(?P<y2>\d{{4}})\b"
    rf"|\b(?P<m3>{_MONTH})\.?\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y3>\d{{4}})\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;|\n]|,\s|\s(?:and|or|but)\s|\.\s")


@dataclass(frozen=True, slots=True)
class _Found:
    value: Value
    start: int


def direct_value(question: str, quote: str) -> Value | None:
    """The value that `question` asks for, read from `quote`; None where there is none or more than one.

    Money is tried before dates and those before numbers with a unit; a bare number counts only for
    "how many". Several different values: the clause that shares most of the question's words decides,
    and if it does not, there is no value.
    """
    for asked, find in _READERS:
        if asked.search(question):
            found = find(quote)
            if find is _numbers and not re.search(r"\bhow many\b|\bnumber of\b", question, re.IGNORECASE):
                found = [item for item in found if item.value.unit]
            if found:
                return _decide(question, quote, found)
    return None


def _decide(question: str, quote: str, found: list[_Found]) -> Value | None:
    distinct = list(dict.fromkeys((f.value.type, f.value.value, f.value.unit) for f in found))
    if len(distinct) == 1:
        return found[0].value
    asked = set(analyse(question))
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


def _money(text: str) -> list[_Found]:
    found = []
    for match in _MONEY.finditer(text):
        amount = match["amount"] or match["amount_first"]
        scale = (match["scale"] or match["scale_first"] or "").casefold()
        currency = match["symbol"] or match["code"]
        exact = Decimal(amount.replace(",", "")).scaleb(_SCALES.get(scale, 0))
        value = Value(type="money", value=f"{exact:.2f}", unit=_currency(currency))
        found.append(_Found(value, match.start()))
    return found


def _currency(sign: str) -> str:
    return "MYR" if sign == "RM" else _SYMBOLS.get(sign, sign)


def _dates(text: str) -> list[_Found]:
    found = []
    for match in _DATE.finditer(text):
        year = match["y"] or match["y2"] or match["y3"]
        day = match["d"] or match["d2"] or match["d3"]
        name = match["m2"] or match["m3"]
        month = _MONTHS[name.casefold()] if name else int(match["m"])
        try:
            stated = date(int(year), month, int(day))
        except ValueError:  # 31 February: not a date that anything can rest on
            continue
        found.append(_Found(Value(type="date", value=stated.isoformat()), match.start()))
    return found


def _numbers(text: str) -> list[_Found]:
    taken = [(m.start(), m.end()) for pattern in (_MONEY, _DATE) for m in pattern.finditer(text)]
    found = []
    for match in _NUMBER.finditer(text):
        if any(start < match.end("number") and match.start("number") < end for start, end in taken):
            continue
        number = match["number"].replace(",", "").replace("−", "-").lstrip("+")
        unit = " ".join(match["unit"].split()) if match["unit"] else None
        found.append(_Found(Value(type="number", value=number, unit=unit), match.start()))
    return found


_READERS: tuple[tuple[re.Pattern[str], Callable[[str], list[_Found]]], ...] = (
    (_MONEY_ASKED, _money),
    (_DATE_ASKED, _dates),
    (_NUMBER_ASKED, _numbers),
)


def show_value(value: Value) -> str:
    """The value as a person reads it: `1,134 mm`, `USD 1,250,000.00`, `3 Oct 2024`."""
    if value.type == "money":
        return f"{value.unit} {Decimal(value.value):,.2f}"
    if value.type == "date":
        stated = date.fromisoformat(value.value)
        return f"{stated.day} {stated:%b %Y}"
    if value.type == "number":
        shown = f"{Decimal(value.value):,}"
        if not value.unit:
            return shown
        return f"{shown}{value.unit}" if value.unit == "%" else f"{shown} {value.unit}"
    return value.value
