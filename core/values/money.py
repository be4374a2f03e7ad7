"""Amounts of money: found by pattern, read strictly, kept in minor units at scale 4.

price-parser was measured wrong ("$3.5 million" gave 3.5, "(1,234.50)" lost its sign, "Net 30 days" gave
30), hence our own. Every pattern is bounded: hostile text costs time in proportion to its length.
"""

from __future__ import annotations

import re
from decimal import Decimal

from core.domain.fields import MONEY_SCALE, FieldType, TypedValue
from core.values.currencies import CODES, DOLLARS, POINT_GROUPS, SYMBOLS, WORDS, currency_of
from core.values.number_words import CARDINAL_WORDS, parse_cardinal, read_digits
from core.values.overlap import Taken

_MAX_UNITS = 2**63 - 1
_FACTORS = {
    "hundred": 10**2, "thousand": 10**3, "k": 10**3, "million": 10**6, "millions": 10**6, "m": 10**6,
    "mm": 10**6, "mn": 10**6, "mio": 10**6, "billion": 10**9, "bn": 10**9, "b": 10**9, "trillion": 10**12,
    "lakh": 10**5, "lakhs": 10**5, "crore": 10**7, "crores": 10**7,
}  # fmt: skip

_SYMBOL = "|".join(re.escape(mark) for mark in sorted(SYMBOLS, key=len, reverse=True))
_CODE = "|".join(sorted(CODES))
_NAME = "|".join(
    re.escape(word).replace(r"\ ", r"[ \n]{1,3}") for word in sorted(WORDS, key=len, reverse=True)
)
_GAP = r"[ \t\u00a0]{0,3}"
_DIGITS = (
    r"(?:\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,6}(?:[.,]\d{1,2}(?!\d))?|\d{1,24}(?:[.,'\u2019]\d{1,12}){0,8}"
    r"|\.\d{1,4})"
)
_FACTOR = (
    r"(?:[ \t\n]{0,2}-?(?P<factor>hundred|thousand|millions?|billion|trillion|[Mm]io|crores?|lakhs?|bn|mm"
    r"|mn|[kKmMbB])\b)?"
)
_DASHES = r"(?:[.,][-\u2013]{1,2}|/-)?"
_AMOUNT = rf"(?P<digits>{_DIGITS}){_DASHES}{_FACTOR}"
_BEFORE = (
    rf"(?P<mark>(?<![A-Za-z])(?:{_CODE})(?![A-Za-z]){_GAP}(?:{_SYMBOL})?|(?<![A-Za-z0-9])(?:{_SYMBOL})"
    rf"|(?:[$\u20ac\u00a3\u00a5\u20b9]))"
)
_AFTER = (
    rf"(?P<after>(?:{_CODE})(?![A-Za-z])|[\u20ac\u00a3\u00a5$](?!{_GAP}\d)|(?i:{_NAME})(?![A-Za-z])"
    rf"|z\u0142|K\u010d|NIS\b|RMB\b)"
)
_MARKED = re.compile(
    rf"(?P<open>\()?(?P<sign>[-\u2212])?{_BEFORE}{_GAP}(?P<open2>\()?"
    rf"(?P<sign2>[-\u2212])?{_AMOUNT}(?P<close>\))?"
)
_TRAILED = re.compile(
    rf"(?<![\d.,/A-Za-z$\u20ac\u00a3\u00a5])(?P<open>\()?(?P<sign>[-\u2212])?{_AMOUNT}"
    rf"(?P<close>\))?{_GAP}\n?{_GAP}{_AFTER}"
)
_WORDED = re.compile(
    rf"(?<![A-Za-z])(?P<words>{CARDINAL_WORDS})(?P<cents>[ \t\n]{{1,3}}and[ \n](?:no|xx|\d{{1,2}})/100)?"
    rf"[ \t\n]{{1,3}}(?P<after>{_NAME})(?![A-Za-z])",
    re.IGNORECASE,
)
_BARE = re.compile(rf"(?P<open>\()?(?P<sign>[-\u2212+])?{_GAP}{_AMOUNT}{_GAP}(?P<close>\))?(?P<trail>-)?")

Span = tuple[int, int, TypedValue]


def parse_money(text: str, default_currency: str = "") -> TypedValue | None:
    """The one amount that `text` states; None for none, for several different ones, for other numbers.

    "(1,234.50)" is negative. A number without any currency counts only when it is all of `text`; its unit is
    then `default_currency`. "$" is `default_currency` where that is a dollar, else USD.
    """
    text = text.strip()[:2_000]
    found = find_money(text, default_currency)
    if found:
        first = found[0][2]
        if all((other.amount, other.unit) == (first.amount, first.unit) for _, _, other in found):
            return _value(Decimal(first.text), first.unit, text if len(found) > 1 else first.original)
        return None
    match = _BARE.fullmatch(text)
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    amount = _number(match, default_currency)
    if amount is None:
        return None
    negative = match["sign"] in ("-", "\u2212") or bool(match["open"]) or bool(match["trail"])
    return _value(-amount if negative else amount, default_currency.upper(), text)


def find_money(text: str, default_currency: str = "") -> list[Span]:
    """Every amount that names its currency, in order: (start, end, value), spans never overlapping.

    Words and digits that say the same amount ("five million dollars (USD 5,000,000)") are one.
    """
    taken: list[Span] = []
    free = Taken()
    for pattern in (_MARKED, _WORDED, _TRAILED):
        for match in pattern.finditer(text):
            span = _read(text, match, default_currency)
            if span and free.take(span[0], span[1]):
                taken.append(span)
    taken.sort(key=lambda span: span[0])
    return _joined(text, taken)


def _read(text: str, match: re.Match[str], default_currency: str) -> Span | None:
    groups = match.groupdict()
    mark = groups.get("mark") or groups.get("after") or ""
    unit = currency_of(mark) or currency_of(mark.split()[0])
    if mark.strip() == "$" or mark.strip().lower() in ("dollar", "dollars"):
        unit = default_currency.upper() if default_currency.upper() in DOLLARS else "USD"
    words = groups.get("words")
    number = _worded(words, groups.get("cents") or "") if words else _number(match, unit)
    if number is None or not unit or (words and number == 0):
        return None
    start, end = match.span()
    negative = bool(groups.get("sign") or groups.get("sign2"))
    opened, closed = bool(groups.get("open") or groups.get("open2")), bool(groups.get("close"))
    if opened and closed:
        # "(1,234.50)" in a column is negative; "dollars ($500)" in a sentence repeats the words before it.
        before = text[max(0, start - 40) : start]
        negative = negative or not re.search(r"[A-Za-z0-9][ \t]{0,3}\n?[ \t]{0,3}$", before)
        if re.search(r"[A-Za-z0-9][ \t]{0,3}\n?[ \t]{0,3}$", before):
            start, end = start + 1, end - 1
    elif opened and groups.get("open"):
        start += 1
    elif closed and "after" not in groups:
        end -= 1
    value = _value(Decimal(-number if negative else number), unit, text[start:end])
    return (start, end, value) if value else None


def _worded(words: str, cents: str) -> Decimal | None:
    whole = parse_cardinal(words)
    part = re.search(r"(\d+)/", cents)
    return None if whole is None else whole + Decimal(part[1] if part else 0) / 100


def _number(match: re.Match[str], unit: str) -> Decimal | None:
    number = read_digits(match["digits"], european=unit in POINT_GROUPS)
    if number is None:
        return None
    factor = match["factor"]
    return number * _FACTORS[factor.lower()] if factor else number


def _joined(text: str, spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for span in spans:
        if joined:
            start, end, value = joined[-1]
            between = text[end : span[0]]
            same = (value.amount, value.unit) == (span[2].amount, span[2].unit)
            if same and len(between) <= 6 and not between.strip(" \t\n(),-\u2013"):
                stop = span[1] + (1 if text[span[1] : span[1] + 1] == ")" and "(" in between else 0)
                merged = _value(Decimal(value.text), value.unit, text[start:stop])
                if merged:
                    joined[-1] = (start, stop, merged)
                    continue
        joined.append(span)
    return joined


def _value(amount: Decimal, unit: str, original: str) -> TypedValue | None:
    units = amount.scaleb(MONEY_SCALE)
    if units != units.to_integral_value() or abs(units) > _MAX_UNITS:
        return None  # what does not fit the stored scale is no exact amount
    text = money_text(amount)
    return TypedValue(FieldType.MONEY, text, amount=int(units), unit=unit, original=original)


def money_text(amount: Decimal) -> str:
    """An amount as a decimal string with two places, more where it has more: "3500000.00", "0.0125"."""
    text = f"{amount.quantize(Decimal('0.0001')):f}"
    text = text[:-2] + text[-2:].rstrip("0")
    return text.removeprefix("-") if not amount else text
