"""Amounts of money, and the currencies that codes, symbols and words name.

Amounts are found by pattern, read strictly, and kept in minor units at scale 4.
price-parser was measured wrong ("$3.5 million" gave 3.5, "(1,234.50)" lost its sign, "Net 30 days" gave
30), hence our own. Every pattern is bounded: hostile text costs time in proportion to its length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, getcontext, localcontext

from core.domain.fields import MONEY_SCALE, FieldType, TypedValue
from core.text.marks import without_note_marks
from core.text.patterns import any_case
from core.text.words import table
from core.values.numbers import (
    APOSTROPHES,
    BLANKS,
    CARDINAL_WORDS,
    SCALES,
    NonOverlappingSpans,
    doubts_amount,
    parse_cardinal,
    read_digits,
)

_TABLE = table(__file__, "currencies")
CODES: frozenset[str] = frozenset(_TABLE["codes"])
DOLLARS: frozenset[str] = frozenset(_TABLE["dollars"])
POINT_GROUPS: frozenset[str] = frozenset(_TABLE["point_groups"])
SYMBOLS: dict[str, str] = _TABLE["symbols"]
"""Symbols that stand beside an amount."""

WORDS: dict[str, str] = _TABLE["names"]
CONVERTING: frozenset[str] = frozenset(_TABLE["converting"])
"""Words before "to euros" that say nothing more."""

FACTORS: dict[str, int] = _TABLE["factors"]
"""Words and letters behind a number that make it so many times as great."""


def currency_of(mark: str) -> str:
    """The ISO 4217 code that a symbol, a code or a name stands for; "" for anything else."""
    text = " ".join(mark.split())
    if text in SYMBOLS:
        return SYMBOLS[text]
    if text.upper() in CODES:
        return text.upper()
    squeezed = text.replace(" ", "")
    if squeezed in SYMBOLS:
        return SYMBOLS[squeezed]
    return WORDS.get(text.lower(), "")


_MAX_UNITS = 2**63 - 1
_IN_THOUSANDS = re.compile(r"[kKT](?:EUR|CHF|\u20ac)")
_CRORES = frozenset(["INR", "PKR", "BDT", "NPR", "LKR"])
SYMBOL = "|".join(re.escape(mark) for mark in sorted(SYMBOLS, key=len, reverse=True))
"""A pattern for any of the symbols."""

_CODE = "|".join(sorted(CODES))
_NAME = "|".join(
    re.escape(word).replace(r"\ ", r"[ \n]{1,3}") for word in sorted(WORDS, key=len, reverse=True)
)
_GAP = rf"[\t{BLANKS}]{{0,3}}"
_DIGITS = (
    rf"(?:\d{{1,3}}(?:[{BLANKS}]\d{{3}}){{1,6}}(?!\d)(?:[.,]\d{{1,2}}(?!\d))?"
    rf"|\d{{1,24}}(?:[.,{APOSTROPHES}]\d{{1,12}}){{0,8}}|\.\d{{1,4}})"
)
_FACTOR = (
    r"(?:(?:[ \t\n]{0,2}-?(?P<factor>(?i:hundred|thousand|millions?|billions?|trillion|millionen|milliarden"
    r"|tausend|tsd|mio|mln|mrd|mia|crores?|cr|lakhs?|lacs?|bn|mm|mn)|(?<=\d)[kKmMbB]|[kKT](?=\u20ac|EUR|CHF))"
    r"(?:\b|(?=[A-Z\u20ac]))))?"
)
_DASHES = r"(?:[.,][-\u2013]{1,2}|/-)?"
_AMOUNT = rf"(?P<digits>{_DIGITS}){_DASHES}{_FACTOR}"
_BEFORE = (
    rf"(?P<mark>(?<![A-Za-z])(?:{_CODE})(?![A-Za-z]){_GAP}(?:{SYMBOL})?|(?<![A-Za-z0-9])(?:{SYMBOL})"
    r"|(?<![A-Za-z])[kKT](?:EUR|CHF|\u20ac)|(?<![kKTM])[$\u20ac\u00a3\u00a5\u20b9])"
)
_AFTER = (
    rf"(?P<after>(?:{_CODE})(?![A-Za-z])|[\u20ac\u00a3\u00a5$](?!{_GAP}\d)|(?i:{_NAME})(?![A-Za-z])"
    rf"|z\u0142|K\u010d|NIS\b|RMB\b|S?Fr\.(?![A-Za-z]))"
)
_MARKED = re.compile(
    rf"(?P<open>\()?(?:(?<![\w.,)])(?P<sign>[-+\u2212]))?{_BEFORE}{_GAP}(?P<open2>\()?"
    rf"(?P<sign2>[-\u2212])?{_AMOUNT}(?P<close>\))?(?P<trail>[-\u2212](?=[ \t]{{0,3}}(?:\n|$|\|)))?"
    rf"(?:{_GAP}(?P<again>{_CODE})(?![A-Za-z])(?!{_GAP}\d))?"
)
_TRAILED = re.compile(
    rf"(?<![\d.,/A-Za-z$\u20ac\u00a3\u00a5])(?P<open>\()?(?:(?<![\w.,)])(?P<sign>[-+\u2212]))?{_AMOUNT}"
    rf"(?:(?<=[Mm]io|[Mm]rd|[Mm]ia|[Tt]sd)\.)?(?P<close>\))?(?P<trail>[-\u2212](?=[{BLANKS}]))?{_GAP}\n?{_GAP}{_AFTER}(?P<close2>\))?"
)
_WORDED = any_case(
    rf"(?<![A-Za-z])(?P<words>{CARDINAL_WORDS})(?P<cents>[ \t\n]{{1,3}}and[ \n](?:no|xx|\d{{1,2}})/100)?"
    rf"[ \t\n]{{1,3}}(?P<after>{_NAME})(?![A-Za-z])"
)
_BARE = re.compile(rf"(?P<open>\()?(?P<sign>[-\u2212+])?{_GAP}{_AMOUNT}{_GAP}(?P<close>\))?(?P<trail>-)?")

_NUMBER_BEFORE = re.compile(rf"\d{_GAP}\n?{_GAP}-?$")
_ONE = any_case(
    r"(?<![A-Za-z])(?<!half )(?<!third )(?<!quarter )(?<!many )(?<!such )(?<!of )(?:a|an|one)[ \n]{1,3}$"
)
_CENTS = any_case(
    r"[ \n,]{1,3}(?:and[ \n]{1,3})?[A-Za-z\d-]{1,14}(?:[ \n/][A-Za-z\d-]{1,9})?[ \n]{1,3}cents?\b"
)
_IN_SENTENCE = re.compile(r"[A-Za-z0-9][ \t]{0,3}\n?[ \t]{0,3}$")
_REPEATED = any_case(
    rf"(?:(?<![A-Za-z])(?:{_NAME}|{_CODE}|{CARDINAL_WORDS})|\d|[$\u20ac\u00a3\u00a5])"
    r"[ \t]{0,3}\n?[ \t]{0,3}$"
)

Span = tuple[int, int, TypedValue]


def parse_money(text: str, default_currency: str = "") -> TypedValue | None:
    """The one amount that `text` states; None for none, for several different ones, for other numbers.

    "(1,234.50)" is negative. A number without any currency counts only when it is all of `text`; its unit is
    then `default_currency`. "$" is `default_currency` where that is a dollar, else USD.
    """
    text = text.strip()[:2_000]
    found, doubts = _find(text, default_currency)
    if found:
        first = found[0][2]
        if not doubts and all(
            (other.amount, other.unit) == (first.amount, first.unit) for _, _, other in found
        ):
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

    Words and digits that say the same amount ("five million dollars (USD 5,000,000)") are one. Left out is
    what something that touches it may make another amount: one end of "$10 to 20 million", "$1O0", "$1e6".
    """
    return _find(text, default_currency)[0]


def _find(text: str, default_currency: str) -> tuple[list[Span], int]:
    """The amounts, and how many more there are that were not understood."""
    text = without_note_marks(text)
    taken: list[Span] = []
    free = NonOverlappingSpans()
    doubts = 0
    for pattern in (_MARKED, _WORDED, _TRAILED):
        for match in pattern.finditer(text):
            if pattern is _WORDED and _NUMBER_BEFORE.search(text[max(0, match.start() - 30) : match.start()]):
                continue  # "12 hundred dollars": the digits before belong to it
            span = _read(text, match, default_currency)
            is_sure = span is not None and not _is_doubtful(text, match, span)
            place = span[:2] if span is not None else match.span()
            if not free.take(*place):
                continue
            if is_sure and span is not None:
                taken.append(span)
            else:
                doubts += 1
    taken.sort(key=lambda span: span[0])
    return _joined(text, taken), doubts


def _is_doubtful(text: str, match: re.Match[str], span: Span) -> bool:
    groups = match.groupdict()
    start, end, _ = span
    if words := groups.get("words"):
        first = re.split(r"[ \t\n-]", words, maxsplit=1)[0].lower()
        if first in SCALES and not _ONE.search(text[max(0, start - 30) : start]):
            return True  # "several million dollars", "half a million dollars"
        if _CENTS.match(text[end : end + 40]):
            return True
    has_factor = bool(groups.get("factor") or words)
    if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
        start, end = start - 1, end + 1
        if not _REPEATED.search(text[max(0, start - 60) : start]):
            return True  # "Net loss ($500)" takes it away, "a fee ($500)" does not
    return doubts_amount(text, start, end, has_factor=has_factor)


def _read(text: str, match: re.Match[str], default_currency: str) -> Span | None:
    groups = match.groupdict()
    unit = _unit_of(groups, default_currency)
    words = groups.get("words")
    number = _worded(words, groups.get("cents") or "") if words else _number(match, unit)
    if number is None or not unit or (words and number == 0):
        return None
    (start, end), negative = _signed(text, match)
    value = _value(Decimal(-number if negative else number), unit, text[start:end])
    return (start, end, value) if value else None


def _unit_of(groups: Mapping[str, str | None], default_currency: str) -> str:
    """The currency; "" where the marks before and after the amount name different ones."""
    mark = groups.get("mark") or groups.get("after") or ""
    again = groups.get("again") or ""
    if _IN_THOUSANDS.match(mark):
        mark = mark[1:]
    unit = currency_of(mark) or currency_of(mark.split()[0])
    if mark.strip() == "$" or mark.strip().lower() in ("dollar", "dollars"):
        if again in DOLLARS:
            return again
        unit = default_currency.upper() if default_currency.upper() in DOLLARS else "USD"
    return unit if again in ("", unit) else ""


def _signed(text: str, match: re.Match[str]) -> tuple[tuple[int, int], bool]:
    """Span of the amount, its sign and brackets included, and whether it is negative."""
    groups = match.groupdict()
    start, end = match.span()
    negative = any(groups.get(name) in ("-", "\u2212") for name in ("sign", "sign2", "trail"))
    opened, inside = bool(groups.get("open")), bool(groups.get("open2"))
    closed = "close2" if groups.get("close2") else "close" if groups.get("close") else ""
    if inside and closed:
        return (start + opened, end), True
    if opened and closed:
        # "(1,234.50)" in a column is negative; "dollars ($500)" in a sentence repeats the words before it.
        if _IN_SENTENCE.search(text[max(0, start - 40) : start]):
            return (start + 1, end - 1 if match[0].endswith(")") else end), negative
        return (start, end), True
    start += opened
    if closed and match[0].endswith(")"):
        end -= 1
    return (start, end), negative


def _worded(words: str, cents: str) -> Decimal | None:
    whole = parse_cardinal(words)
    part = re.search(r"(\d+)/", cents)
    return None if whole is None else whole + Decimal(part[1] if part else 0) / 100


def _number(match: re.Match[str], unit: str) -> Decimal | None:
    number = read_digits(match["digits"], european=unit in POINT_GROUPS)
    if number is None:
        return None
    factor = (match["factor"] or "").lower()
    if match.groupdict().get("mark") and _IN_THOUSANDS.match(match["mark"]):
        number *= 1_000
    if factor == "cr" and unit not in _CRORES:
        return None  # a credit
    return number * FACTORS[factor] if factor else number


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
    with localcontext(prec=max(60, getcontext().prec)):  # SQL gives numbers of 38 digits
        text = f"{amount.quantize(Decimal('0.0001')):f}"
    text = text[:-2] + text[-2:].rstrip("0")
    return text.removeprefix("-") if not amount else text
