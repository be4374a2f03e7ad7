"""Quantities of a text: every number that stands in it, in digits or words, with its sign and unit.

Numbers, words, scales and currencies are read by `core.values`. Its finders leave out what they doubt, as a
fact must; a check needs every number, so the rest is read here plainly, alike in a claim and in its spans.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from core.text.patterns import late_pattern
from core.text.words import word_lines
from core.values import find_dates, find_money, find_percents
from core.values.money import CODES, SYMBOLS, WORDS, currency_of
from core.values.numbers import (
    CARDINAL_WORDS,
    ORDINAL_DIGITS,
    ORDINAL_WORDS,
    SCALES,
    NonOverlappingSpans,
    parse_cardinal,
    parse_ordinal,
    read_digits,
)
from core.values.units import unit_name

ORDINAL = "th"
_TIMES = r"seconds?|minutes?|hours?|days?|weeks?|fortnights?|months?|quarters?|years?"
_MEASURES = (
    r"kg|g|mg|lbs?|pounds?|ounces?|oz|tons?|tonnes?|km|m|cm|mm|miles?|feet|foot|ft|inch(?:es)?|yards?|acres?|hectares?"
    r"|met(?:er|re)s?|kilomet(?:er|re)s?|centimet(?:er|re)s?|millimet(?:er|re)s?|grams?|kilograms?|milligrams?"
    r"|lit(?:er|re)s?|ml|gallons?|cups?|tablespoons?|teaspoons?|pints?|quarts?|degrees?|\u00b0[CF]?|calories|kcal"
    r"|watts?|kw|kwh|mw|volts?|amps?|hz|khz|mhz|ghz|kb|mb|gb|tb|mph|rpm|psi|shares?|cents?"
)
_SYMBOL = "|".join(
    re.escape(mark) for mark in sorted(SYMBOLS, key=len, reverse=True) if not mark[0].isalpha()
)
_NAMES = "|".join(re.escape(word) for word in sorted(WORDS, key=len, reverse=True))
_SCALE = "|".join(sorted(SCALES, key=len, reverse=True))
_DIGITS = late_pattern(
    r"(?P<sign>(?<![\w)\].%])[-\u2212])?(?P<open>\()?(?P<mark>"
    + _SYMBOL
    + r")?[ ]?(?P<sign2>(?<=[$\u20ac\u00a3])[-\u2212])?"
    r"(?<![A-Za-z\d])(?<![A-Za-z][-_])(?P<digits>\d[\d,.'\u2019]{0,24}\d|\d|(?<![\d\w])\.\d{1,6})"
    rf"(?P<close>\))?(?:[ \n-]{{0,2}}(?P<scale>(?:{_SCALE})|bn|mn|(?<=\d)[kKMB])\b)?"
)
_WORDED = late_pattern(rf"(?<![A-Za-z-])(?:{CARDINAL_WORDS})(?![A-Za-z])", re.IGNORECASE)
_ORDINAL = late_pattern(
    rf"(?<![A-Za-z-])(?:{ORDINAL_WORDS})(?![A-Za-z])|(?<![\w.,])(?:{ORDINAL_DIGITS})(?![A-Za-z])", re.I
)
_UNIT_AFTER = late_pattern(
    r"(?:[ \t\n]{0,2}\([^()\n]{1,20}\))?(?P<kind>[ \t\n-]{0,2}(?:(?:"
    + "|".join(sorted({word for words in word_lines("claims", "unit_kinds") for word in words}))
    + r")[ \n]){0,2})"
    rf"(?P<unit>%|percent(?:age[ ]points?)?\b|per[ ]cent\b|(?:{_NAMES}|{_TIMES}|{_MEASURES})(?![A-Za-z])"
    rf"|(?:{'|'.join(sorted(CODES))})(?![A-Za-z]))",
    re.IGNORECASE,
)
_UNIT = late_pattern(rf"percent|{_NAMES}|{_TIMES}|{_MEASURES}|{_SCALE}|bn|mn", re.IGNORECASE)
_CODE_BEFORE = re.compile(r"\b(?P<code>[A-Z]{3})[ ]?$")
_MINUS = re.compile(r"(?:\bminus|\bnegative)[ ]$", re.IGNORECASE)
_NO_NUMBER = re.compile(
    r"(?:of|another|can|who|or[ ]more|to[ ]another|another's|such|side|hand|that|which|has|is"
    r"|may|must|should|would)\b",
    re.I,
)
_LEADS_ONE = re.compile(
    r"\b(?:no|any|some|each|every|which|this|that|another|the|last|only|as|a)[ ]"
    r"(?:[a-z]+(?:al|ed|id|er|est)[ ])?$",
    re.IGNORECASE,
)
_DETERMINER = re.compile(
    r"\b(?:the|a|an|its|their|his|her|our|your|my|every|each|such|this|that|any)\s+$|-$", re.IGNORECASE
)
_STEP = re.compile(r"\s{1,8}(?:step|thing|reason|way|option|point|place)\b", re.IGNORECASE)
MARKER = re.compile(r"(?:^|\n)[ \t*\u2022-]{0,4}\(?\d{1,2}[.):](?=\s)")
_YEAR = range(1800, 2200)
_FACTORS = {"k": 10**3, "m": 10**6, "b": 10**9, "bn": 10**9, "mn": 10**6}


@dataclass(frozen=True, slots=True)
class StatedQuantity:
    """A number of a text. unit: currency code, "%", "th" of ordinals, or the stem of a unit; "" for none.

    value: None where the digits are none of a number ("1.2.3"); `written` is then compared.
    """

    start: int
    end: int
    written: str
    value: Decimal | None
    unit: str
    is_money: bool = False

    @property
    def is_year(self) -> bool:
        """True where it may be a year: four digits without unit."""
        return (
            not self.unit and self.value is not None and self.written.isdigit() and int(self.value) in _YEAR
        )


@lru_cache(maxsize=512)
def quantities(text: str) -> tuple[StatedQuantity, ...]:
    """Every quantity of a text, in order; the parts of whole dates are none."""
    free = NonOverlappingSpans()
    for start, end, value in find_dates(text, partial=True):
        if value.text:
            free.take(start, end)
    for marker in MARKER.finditer(text):
        free.take(*marker.span())
    found: list[StatedQuantity] = []
    for start, end, value in find_money(text):
        if free.take(start, end):
            found.append(
                StatedQuantity(start, end, text[start:end], value.decimal, value.unit, is_money=True)
            )
    for start, end, value in find_percents(text):
        if value.amount is not None and free.take(start, end):
            found.append(StatedQuantity(start, end, text[start:end], value.decimal, "%"))
    for match in _ORDINAL.finditer(text):
        number = parse_ordinal(match[0])
        if number is None or _is_discourse(text, match, number) or not free.take(*match.span()):
            continue
        found.append(StatedQuantity(match.start(), match.end(), match[0], Decimal(number), ORDINAL))
    for match in _DIGITS.finditer(text):
        start, end = match.start("digits"), match.end("scale") if match["scale"] else match.end("digits")
        if free.take(start, end):
            found.append(_of_digits(text, match, start, end))
    found += [
        _of_words(text, match)
        for match in _WORDED.finditer(text)
        if not _is_pronoun(text, match) and free.take(*match.span())
    ]
    return tuple(sorted(found, key=lambda each: each.start))


def _is_discourse(text: str, match: re.Match[str], number: int) -> bool:
    """True where "first" or "second" orders what is said ("first download it") and counts nothing."""
    if number > 3 or not match[0][0].isalpha():
        return False
    before, after = text[max(0, match.start() - 12) : match.start()], text[match.end() : match.end() + 12]
    return not _DETERMINER.search(before) or bool(_STEP.match(after))


def _is_pronoun(text: str, match: re.Match[str]) -> bool:
    """True for "one" that stands for a thing ("one of them"), and for a scale alone ("millions of")."""
    word = match[0].lower()
    if word in SCALES:
        return True
    after = text[match.end() : match.end() + 16].lstrip()
    before = text[max(0, match.start() - 24) : match.start()]
    return word == "one" and bool(
        _NO_NUMBER.match(after) or (not after[:1].isalpha() and after[:1] != "(") or _LEADS_ONE.search(before)
    )


def _of_digits(text: str, match: re.Match[str], start: int, end: int) -> StatedQuantity:
    written = match["digits"].rstrip(".,'\u2019")
    value = read_digits(written)
    if value is not None and match["scale"]:
        scale = match["scale"].lower()
        value *= SCALES.get(scale) or _FACTORS[scale]
    is_grouped = bool(match["open"] and match["close"]) and (
        "," in written or "." in written or bool(match["mark"])
    )
    repeats = bool(re.search(r"[A-Za-z][ ]?$", text[max(0, match.start() - 2) : match.start()]))
    is_negative = bool(match["sign"] or match["sign2"]) or (is_grouped and not repeats)
    if value is not None and (is_negative or _MINUS.search(text[max(0, start - 9) : start])):
        value = -value
    unit = currency_of(match["mark"]) if match["mark"] else _unit_beside(text, match.start(), end)
    is_money = bool(match["mark"]) or unit in CODES
    return StatedQuantity(start, end, text[start:end].rstrip(".,'\u2019"), value, unit, is_money)


def _of_words(text: str, match: re.Match[str]) -> StatedQuantity:
    number = parse_cardinal(match[0])
    unit = _unit_beside(text, match.start(), match.end())
    value = None if number is None else Decimal(number)
    if value is not None and _MINUS.search(text[max(0, match.start() - 9) : match.start()]):
        value = -value
    return StatedQuantity(match.start(), match.end(), match[0], value, unit, unit in CODES)


def _unit_beside(text: str, start: int, end: int) -> str:
    before = _CODE_BEFORE.search(text[max(0, start - 5) : start])
    if before and before["code"] in CODES:
        return before["code"]
    after = _UNIT_AFTER.match(text, end)
    return unit_stem(after["unit"]) if after else ""


def unit_kind(text: str, number: StatedQuantity) -> str:
    """Kind of a number's unit, "" for the plain one: "business" for five working days, "square" for feet."""
    after = _UNIT_AFTER.match(text, number.end + text.startswith(")", number.end))
    kinds = {_unit_kinds()[word] for word in re.findall(r"[a-z]+", after["kind"].lower())} if after else set()
    return " ".join(sorted(kinds - {"plain"}))


@cache
def _unit_kinds() -> dict[str, str]:
    return {word: kind for kind, *words in word_lines("claims", "unit_kinds") for word in (kind, *words)}


@lru_cache(maxsize=4_096)
def is_unit(word: str) -> bool:
    """True for a word that stands behind a number as its unit or scale ("days", "million", "percent")."""
    return bool(_UNIT.fullmatch(word))


@lru_cache(maxsize=4_096)
def unit_stem(written: str) -> str:
    """One form for the spellings of a unit: "days" is "day", "percent" is "%", "dollars" is "USD"."""
    low = " ".join(written.lower().split())
    if low.startswith(("percent", "per cent", "%")):
        return "%"
    if (
        currency := currency_of(written if written.isupper() else low)
        if low in WORDS or written in CODES
        else ""
    ):
        return currency
    name = unit_name(low)
    singular = {"feet": "foot", "inches": "inch"}.get(
        low, low[:-1] if low.endswith("s") and len(low) > 3 else low
    )
    return _SHORT.get(singular, singular) if name == low else _SHORT.get(name.lower(), name)


_SHORT = {
    "kilogram": "kg", "gram": "g", "milligram": "mg", "pound": "lb", "ounce": "oz", "kilometer": "km",
    "kilometre": "km", "meter": "m", "metre": "m", "centimeter": "cm", "centimetre": "cm", "millimeter": "mm",
    "millimetre": "mm", "litre": "liter", "ft": "foot", "tonne": "ton",
}  # fmt: skip
