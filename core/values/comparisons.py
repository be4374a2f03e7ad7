"""Amounts in a few words of a question, and how they are compared: "at least 60 days", "1 to 5 million".

More is read here than `core.values.money` and `core.values.numbers` read of documents, where a wrong value is
worse than none: "half a million", "10k", amounts without a currency. All patterns are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.text.patterns import any_case
from core.values.durations import find_durations, parse_duration
from core.values.money import CODES, FACTORS, SYMBOL, currency_of
from core.values.numbers import (
    CARDINAL_WORDS,
    find_percents,
    parse_cardinal,
    parse_number,
    parse_ordinal,
    plain_number,
    read_digits,
)

COMPARING: dict[Operator, str] = {
    Operator.LESS_EQUAL: "no more than|not more than|no longer than|no later than|not exceeding|up to|at most"
    "|maximum of|or less|or fewer|or lower|or shorter|or below|or under|or smaller|or cheaper|within",
    Operator.GREATER_EQUAL: "no less than|not less than|no fewer than|at least|minimum of|or more|or longer"
    "|or higher|or greater|or larger|or above|or over|or better|and up|and above|upwards of|starting at",
    Operator.BETWEEN: "between|ranging from|anywhere from",
    Operator.GREATER: "more than|greater than|higher than|larger than|bigger than|longer than|heavier than"
    "|wider than|taller than|above|over|exceeds|exceeding|exceed|exceeded|beyond|in excess of|north of",
    Operator.LESS: "less than|fewer than|lower than|smaller than|shorter than|cheaper than|lighter than"
    "|narrower than|below|under",
    Operator.NOT_EQUAL: "other than|different from",
}
"""Words that compare with the amount beside them, the more special ones first."""

_PATTERNS = [(op, any_case(rf"\b(?:{words})\b")) for op, words in COMPARING.items()]
_NOT = any_case(r"\b(?:no|not)\s{1,3}$")
_OPPOSITE = {Operator.GREATER: Operator.LESS_EQUAL, Operator.LESS: Operator.GREATER_EQUAL}
_SPOKEN = {
    "pound": "GBP", "pounds": "GBP", "quid": "GBP", "sterling": "GBP", "buck": "USD", "bucks": "USD",
    "franc": "CHF", "francs": "CHF",
}  # fmt: skip
"""Names of currencies that an amount of money has in speech, and that are too little in a document."""

_CODES_IN_SMALL = {each.lower(): each for each in ("USD", "EUR", "GBP", "CHF", "CAD", "AUD", "JPY")}
_SCALE = "|".join(sorted([*FACTORS, "grand"], key=len, reverse=True))
_CODE = rf"(?-i:{'|'.join(sorted(CODES))})|{'|'.join(_CODES_IN_SMALL)}"  # "top 5" is no Tongan money
_NAME = r"(?:US|Canadian|Australian|Swiss)\s{1,3}(?:dollars?|francs?)|dollars?|euros?|yen|rupees|ringgit|yuan"
_AMOUNT = any_case(
    rf"(?<![\w.,])(?P<mark>{SYMBOL}|(?:{_CODE})\s)?\s{{0,2}}(?P<sign>[-−](?=[\d.])|minus\s)?"
    rf"(?P<number>\d{{1,24}}(?:[.,'’]\d{{1,12}}){{0,8}}|half\s(?:of\s)?an?\b|{CARDINAL_WORDS}\b|an?(?=\s))"
    rf"(?:[\s-]{{0,2}}(?P<scale>{_SCALE})(?![\w%]))?"
    rf"(?:\s{{0,2}}(?P<after>{SYMBOL}|(?:{_CODE}|{_NAME}|{'|'.join(_SPOKEN)})(?!\w)))?"
)
_UNIT = re.compile(r"[\s-]{0,2}(?P<unit>[%°µΩ\"A-Za-z][A-Za-z°²³^/*·0-9-]{0,15}(?:\s[CF]\b)?)")
_TIME = any_case(
    r"[\s-]{0,2}(?:(?:calendar|business|working|full)\s)?(?P<unit>(?:hour|day|week|fortnight|month|quarter|year)s?)\b"
)
_JOINER = any_case(r"[\s,]{0,2}(?:and|to|or|-|–|—|up\sto|until|through)[\s]{0,2}")
_NO_NUMBER = ("a", "an")
_ORDINAL = re.compile(r"\b(?:[a-z]+|\d{1,4}(?:st|nd|rd|th))\b")
_COUNT = any_case(rf"\b(?:\d{{1,5}}\b|{CARDINAL_WORDS}\b)")


@dataclass(frozen=True, slots=True)
class _Amount:
    start: int
    end: int
    number: Decimal
    scale: int = 1
    unit: str = ""

    @property
    def value(self) -> Decimal:
        return self.number * self.scale


def comparison_in(text: str) -> Operator | None:
    """The comparison that words say of an amount, None where they say none."""
    for op, pattern in _PATTERNS:
        match = pattern.search(text)
        if match is not None:
            return _OPPOSITE.get(op, op) if _NOT.search(text[: match.start()]) else op
    return None


def count_in(text: str) -> int | None:
    """The number that words say of things that are counted: "three", "top 5"; None for none."""
    for match in _COUNT.finditer(text):
        found = int(match[0]) if match[0].isdigit() else parse_cardinal(match[0])
        if found is not None:
            return found
    return None


def ordinal_in(text: str) -> int | None:
    """The place that words say: "second", "3rd", "number two"; None for none."""
    for match in _ORDINAL.finditer(text.lower()):
        found = parse_ordinal(match[0])
        if found is not None:
            return found
    return count_in(text)


def currency_in(text: str) -> str:
    """The currency that words name beside no amount: "in euros"; "" for none."""
    return next((code for word in re.findall(r"[^\s,;]{1,20}", text) if (code := _currency(word))), "")


def amounts_in(text: str, kind: FieldType, unit: str = "") -> list[str]:
    """The amounts of money, numbers or lengths of time in a few words, in order, canonical.

    unit: that of the field, in which numbers are given. What both ends of a range share counts for the first,
    too: "1 to 5 million". Money without a currency is a plain number, a length of time without unit in days.
    """
    if kind is FieldType.DURATION:
        return _lengths(text)
    if kind is FieldType.MONEY:
        percents = [f"{value.text} %" for _, _, value in find_percents(text) if not value.special]
        found = [each for each in _amounts(text) if each.unit or not _TIME.match(text, each.end)]
        return percents or [
            f"{plain_number(each.value)} {each.unit}".strip() for each in _shared(text, found)
        ]
    return _quantities(text, "%" if unit == "percent" else unit)


def _amounts(text: str) -> list[_Amount]:
    found = []
    for match in _AMOUNT.finditer(text):
        said, factor = match["number"].lower(), (match["scale"] or "").lower()
        if said in _NO_NUMBER and not factor:
            continue
        number = _number(said)
        if number is None:
            continue
        unit = _currency(match["mark"] or match["after"] or "")
        if match["sign"]:
            number = -number
        scale = 1_000 if factor == "grand" else FACTORS[factor] if factor else 1
        found.append(_Amount(match.start(), match.start() + len(match[0].rstrip()), number, scale, unit))
    return found


def _number(said: str) -> Decimal | None:
    if said[0].isdigit():
        return read_digits(said.rstrip(".,'’"))
    if said in _NO_NUMBER:
        return Decimal(1)
    if said.startswith("half"):
        return Decimal("0.5")
    found = parse_cardinal(said)
    return None if found is None else Decimal(found)


def _currency(mark: str) -> str:
    mark = mark.strip()
    return (
        _SPOKEN.get(mark.lower(), "")
        or currency_of(mark if mark.isupper() or len(mark) != 3 else "")
        or _CODES_IN_SMALL.get(mark, "")
    )


def _shared(text: str, found: Sequence[_Amount]) -> list[_Amount]:
    """The amounts, the first end of a range with the scale and the unit of the other."""
    made = list(found)
    for at in range(len(made) - 2, -1, -1):
        one, other = made[at], made[at + 1]
        if not _JOINER.fullmatch(text[one.end : other.start]):
            continue
        is_scaled = one.scale == 1 and other.scale > 1 and one.number <= other.number
        made[at] = replace(one, unit=one.unit or other.unit, scale=other.scale if is_scaled else one.scale)
        made[at + 1] = replace(other, unit=other.unit or one.unit)
    return made


def _quantities(text: str, wanted: str) -> list[str]:
    """The numbers with their units, in that of the field where they have one of its kind."""
    written = [_with_unit(text, each, wanted) for each in _amounts(text)]
    made: list[str] = []
    for each in _shared(text, written):
        read = (
            parse_number(f"{plain_number(each.value)} {each.unit}", wanted) if each.unit and wanted else None
        )
        text_of = plain_number(each.value) if read is None else f"{read.text} {read.unit}".strip()
        made.append(text_of)
    return made


def _with_unit(text: str, amount: _Amount, wanted: str) -> _Amount:
    """The amount with the unit right behind its number: "m" is metres where the field has lengths."""
    match = _AMOUNT.match(text, amount.start)
    bare = match.end("number") if match is not None else amount.end
    for at, scale in ((bare, 1), (amount.end, amount.scale)):
        unit = _UNIT.match(text, at)
        is_scale = (
            unit is not None and at == bare and amount.scale > 1 and (len(unit["unit"]) > 1 or not wanted)
        )
        if unit is None or is_scale:
            continue
        read = parse_number(f"1 {unit['unit']}", wanted)
        if read is not None and read.unit:
            return _Amount(amount.start, unit.end(), amount.number, scale, unit["unit"])
    return replace(amount, unit="")


def _lengths(text: str) -> list[str]:
    whole = find_durations(text)
    numbers = _amounts_of_time(text)
    if all(any(start <= each.start < end for start, end, _ in whole) for each in numbers):
        return [value.text for _, _, value in whole if not value.special]
    made: list[str] = []
    last = next((each.unit for each in reversed(numbers) if each.unit), "days")
    for each in reversed(numbers):
        last = each.unit or last
        value = parse_duration(f"{plain_number(each.value)} {last}")
        if value is not None and not value.special:
            made.append(value.text)
    return made[::-1]


def _amounts_of_time(text: str) -> list[_Amount]:
    """The numbers with their units of time; "a" and "half a" only where one follows."""
    found = []
    for match in _AMOUNT.finditer(text):
        said = match["number"].lower()
        number, unit = _number(said), _TIME.match(text, match.end("number"))
        is_article = said in _NO_NUMBER or said.startswith("half")
        if number is None or (is_article and unit is None):
            continue
        is_half_year = said.startswith("half") and unit is not None and unit["unit"].startswith("year")
        if is_half_year:
            number, name = Decimal(6), "months"
        else:
            name = unit["unit"] if unit is not None else ""
        found.append(_Amount(match.start(), match.end("number"), number, 1, name))
    return found
