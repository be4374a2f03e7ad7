"""A field's value out of the words that an extractor points at, by the field's type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.config.fields import FieldDefinition
from core.domain.fields import ORDERED, FieldType, Special, TypedValue
from core.text.patterns import any_case
from core.values.dates import MONTH, Order, date_order, find_dates
from core.values.durations import find_durations, parse_duration
from core.values.money import currency_of, find_money, parse_money
from core.values.names import COMPANY_FORM, parse_party
from core.values.numbers import CARDINAL_WORDS, doubts_number, find_percents, parse_number

MAX_TEXT = 500
"""Characters of a text value; what it was read from may be longer."""

_QUANTITY = re.compile(
    r"(?<![\w.,])[-+\u2212\u00b1]?\d[\d.,' \u00a0\u202f]*"
    r"(?:[ \u00a0]?(?:degrees?\s(?:Celsius|Fahrenheit|C\b|F\b)|(?:square|cubic)\s[a-z]{1,12}"
    r"|[A-Za-z%\u00b0\u2103\u00b5\u03bc\u03a9\u2126\u2030][\w%\u00b0/^*\u00b2\u00b3\u00b7.-]{0,14}))?"
)
_SPELLED_UNITS = (
    (re.compile(r"degrees?\s(?:Celsius|C)$"), "\u00b0C"),
    (re.compile(r"degrees?\s(?:Fahrenheit|F)$"), "\u00b0F"),
)
_RANGE = any_case(r"^\s*(?:to|\u2013|-|\.{2,3}|\u2026|up to|/)\s*[+-]?\d")
_RANGE_BEFORE = any_case(r"\d\s*(?:to|\u2013|\.{2,3}|\u2026|-|/)\s*[+-]?$")
_PLAIN_NUMBER = re.compile(r"[-+\u2212]?\d[\d.,]*")
_ONLY_WORDS_BEFORE = any_case(
    r"(?:about|approx(?:imately)?\.?|max(?:imum)?\.?|min(?:imum)?\.?|typ(?:ically)?\.?|~|:|=|is|of|from|for|on|at"
    r"|by|net|in|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[.,]{0,2})*"
)
_OTHERWISE = any_case(
    r"[ \t\u00a0]{0,3}[,(]?[ \t\u00a0]{0,3}(?:(?:or|and/or|minus|less|plus[ ]or)\b|\u00b1|\+/-)"
)
_AND_ANOTHER = re.compile(
    r"[ \t\u00a0]{0,3},?[ \t\u00a0]{0,3}and[ \t]{1,3}(?:[A-Z]{0,3}[$\u20ac\u00a3\u00a5]|[A-Z]{3} )?\d"
)
_TO_ANOTHER = any_case(
    r"[ \t\u00a0]{0,3}(?:(?:to|through|thru|until|till|bis|and)\b"
    r"|[-\u2013\u2014][ \t]{0,3}(?:\d|[A-Z][a-z]{2}))"
)
_BLANK = re.compile(r"_{2,}|\.{4,}|\[[ \t_\u2022\u25cf\u00b7]{0,20}\]|\u25cf")
_REDACTED = any_case(r"\*{3,}|\[[ ]?\*+[ ]?\]|\[?redacted\]?|\u2588")
_ACCOUNTING = re.compile(r"\((?=[^)]*[.,])[ ]?\d{1,12}(?:[.,' ]\d{1,4}){0,6}[ ]?\)")
_SAYS_NUMBER = any_case(rf"\d|[$\u20ac\u00a3\u00a5]|(?<![A-Za-z])(?:{CARDINAL_WORDS})(?![A-Za-z])")
_SAYS_DATE = any_case(rf"\d|(?<![A-Za-z])(?:{MONTH})(?![A-Za-z])")
_MAX_DOUBT = 120
_COMPANY = re.compile(rf"^(.{{2,90}}?(?<![A-Za-z])(?:{COMPANY_FORM}))\s*(?:,\s*(?=[a-z\d])|\n|$)", re.DOTALL)
_CODE = any_case(
    r"(?:^|[\W_])(usd|eur|gbp|chf|jpy|cad|aud|inr|cny|rmb|myr|sek|nok|dkk|pln|\$|\u20ac|\u00a3)(?=$|[\W_])"
)
_YES = frozenset(["yes", "true", "y", "x", "paid", "included"])
_NO = frozenset(["no", "false", "n", "none", "unpaid", "excluded"])
_LEAD = re.compile(r"^[\s:=|.\u2013\u2014\-*]+")
_EDGES = ' \t\n\r\f\v\u00a0|*_"\u201c\u201d;,:'
_BULLET = re.compile(r"[-\u2013\u2014\u2022]\s+(?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class ValueSpan:
    """A value and where it stands in the text that was read."""

    start: int
    end: int
    value: TypedValue


@dataclass(frozen=True, slots=True)
class Doubt:
    """Doubtful text where a value should be; value: what it may say, None where nobody knows."""

    start: int
    end: int
    value: TypedValue | None


def order_for(definition: FieldDefinition, text: str, language: str) -> Order:
    """Order of day and month in numeric dates of a document; "" for fields that are no dates, too."""
    return date_order(text, language).order if definition.type is FieldType.DATE else ""


def values_in(text: str, definition: FieldDefinition, order: Order = "") -> list[ValueSpan]:
    """All values of the field's type in a passage, in order; a text field's value is all of it."""
    kind = definition.type
    if kind is FieldType.DATE:
        return [ValueSpan(*each) for each in find_dates(text, order)]
    if kind is FieldType.MONEY:
        found = [ValueSpan(*each) for each in find_money(text, definition.unit)]
        return found or _whole(text, parse_money(text.strip(), definition.unit))
    if kind is FieldType.DURATION:
        found = [ValueSpan(*each) for each in find_durations(text)]
        return found or _whole(text, parse_duration(text))
    if kind is FieldType.NUMBER:
        return list(_numbers(text, definition.unit))
    value = _worded(text, definition)
    return _whole(text, value)


def value_of(text: str, definition: FieldDefinition, order: Order = "") -> ValueSpan | None:
    """The value that `text` begins with (a few words such as "about" apart); None where it is another thing.

    A range ("0 to 45 V") or a bound ("< 5 V", "$5 or more") is no single number, and a date that no calendar
    has is no date.
    """
    found = values_in(text, definition, order)
    if not found:
        return None
    first = found[0]
    if definition.type not in ORDERED:
        return first
    before = text[: first.start].strip(" \t\n:=|(\u2248~.\u00a0$*_")
    words = re.split(r"\s+", before) if before else []
    if not all(_ONLY_WORDS_BEFORE.fullmatch(word) for word in words):
        return None
    return None if _goes_on(text[first.end : first.end + 40], definition.type) else first


def doubts_of(text: str, definition: FieldDefinition, order: Order = "") -> list[Doubt]:
    """Doubtful values of a text where `value_of` reads none; [] where it says no value.

    The values that are named in it, else all of it with no value, or with a blank where one is left open.
    """
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    end = min(end, start + _MAX_DOUBT)
    said = text[start:end]
    if definition.type not in ORDERED or not said:
        return []
    read = values_in(text[start : end + _MAX_DOUBT], definition, order)
    found = [each for each in read if each.end <= len(said)][:5]
    if found:
        return [Doubt(start + each.start, start + each.end, each.value) for each in found]
    blank = Special.REDACTED if _REDACTED.search(said) else Special.BLANK if _BLANK.search(said) else None
    if blank:
        return [Doubt(start, end, TypedValue(definition.type, "", original=said, special=blank))]
    says = _SAYS_DATE if definition.type is FieldType.DATE else _SAYS_NUMBER
    return [Doubt(start, end, None)] if says.search(said) else []


def _goes_on(after: str, kind: FieldType) -> bool:
    """True where the words after a value make it one of several, or a bound."""
    if _OTHERWISE.match(after):
        return True
    if kind is FieldType.DATE:
        return bool(_TO_ANOTHER.match(after))
    return kind is FieldType.MONEY and bool(_AND_ANOTHER.match(after))


def inferred(text: str) -> TypedValue | None:
    """Value of the whole `text`: a date, an amount of money, a quantity, a length of time, or else words."""
    bare = text.strip()
    if not bare:
        return None
    if any(each.isdigit() for each in bare) and len(bare) <= 60:
        for found in (find_dates(bare), find_money(bare), find_durations(bare)):
            if len(found) == 1 and found[0][0] == 0 and found[0][1] >= len(bare.rstrip(".")):
                return found[0][2]
        number = list(_numbers(bare, ""))
        if len(number) == 1 and number[0].start == 0 and number[0].end >= len(bare.rstrip(".")):
            return number[0].value
    return text_value(bare)


def text_value(text: str) -> TypedValue | None:
    """A text on one line; None where no letter or digit is left."""
    start, end = _bare(text)
    line = " ".join(text[start:end].split())
    if not any(each.isalnum() for each in line):
        return None
    line = line[:MAX_TEXT]
    return TypedValue(FieldType.TEXT, line, original=text[start:end][:MAX_TEXT], normal=line.casefold())


def _bare(text: str) -> tuple[int, int]:
    """Span of a text without its quotes, its bullet and its full stop; a sign belongs to it."""
    start, end = len(text) - len(text.lstrip(_EDGES)), len(text.rstrip(_EDGES))
    if bullet := _BULLET.match(text, start, max(start, end)):
        start = bullet.end()
    said = text[start:end]
    if said.endswith(".") and said.count(".") == 1:
        end -= 1
    return start, max(start, end)


def currency_in(name: str) -> str:
    """The currency that a column or key names: "amount_usd", "Total (EUR)"; "" for none, and for several."""
    named = {currency_of(code[1].upper()) for code in _CODE.finditer(name)} - {""}
    return named.pop() if len(named) == 1 else ""


def boolean_value(is_true: bool, original: str = "") -> TypedValue:
    """Yes or no as a value."""
    return TypedValue(FieldType.BOOLEAN, "true" if is_true else "false", int(is_true), original=original)


def same(one: TypedValue, other: TypedValue) -> bool:
    """True where two values say the same."""
    if one.type is not other.type or one.special is not other.special:
        return False
    if one.amount is not None and other.amount is not None:
        return (one.amount, one.unit) == (other.amount, other.unit)
    return (one.normal or one.text.casefold()) == (other.normal or other.text.casefold())


def is_usable(value: TypedValue) -> bool:
    """True where it says something that can be shown as a fact: no blank, and no two readings."""
    return value.special in (Special.NONE, Special.PERPETUAL)


def _worded(text: str, definition: FieldDefinition) -> TypedValue | None:
    if definition.type is FieldType.TEXT:
        return text_value(text)
    if definition.type is FieldType.PARTY:
        match = _COMPANY.match(text.strip())
        return parse_party(match[1] if match else text.strip(_EDGES))
    if definition.type is FieldType.ENUM:
        return _option(text, definition.options)
    word = text.strip().strip(".").casefold()
    return boolean_value(word in _YES, text) if word in _YES | _NO else None


def _option(text: str, options: tuple[str, ...]) -> TypedValue | None:
    said = " ".join(re.findall(r"[a-z0-9]+", text.casefold()))
    for option in options:
        if said == option.replace("_", " ").casefold():
            return TypedValue(FieldType.ENUM, option, original=text[:MAX_TEXT], normal=option.casefold())
    return None


def _numbers(text: str, unit: str) -> Iterator[ValueSpan]:
    if _ACCOUNTING.fullmatch(text.strip()):
        negative = parse_number(text.strip(), unit)
        start = len(text) - len(text.lstrip())
        if negative is not None:
            yield ValueSpan(start, len(text.rstrip()), negative)
        return
    percents = [] if unit not in ("", "%", "percent") else find_percents(text)
    for start, end, value in percents:
        if not _in_range(text, start, end):
            yield ValueSpan(start, end, value)
    if percents:
        return
    for match in _QUANTITY.finditer(text):
        found = _quantity(match[0], unit)
        if found is None:
            continue
        value, length = found
        start, end = match.start(), match.start() + length
        is_bracketed = (
            text[start - 1 : start] == "(" and text[end : end + 1] == ")" and text[end - 1].isdigit()
        )
        if not is_bracketed and not _in_range(text, start, end) and not doubts_number(text, start, end):
            yield ValueSpan(start, end, value)


def _quantity(written: str, unit: str) -> tuple[TypedValue, int] | None:
    """The number with its unit, or the bare number where the field knows its unit and none is written."""
    whole = written.rstrip(" .,;-")
    spelled = whole
    for pattern, unit_mark in _SPELLED_UNITS:
        spelled = pattern.sub(unit_mark, spelled)
    value = parse_number(spelled, unit)
    if value is not None:
        return replace(value, original=whole), len(whole)
    plain = _PLAIN_NUMBER.match(written)
    if plain is None or any(each.isalpha() for each in written[plain.end() :].lstrip()[:1]):
        return None
    digits = plain[0].rstrip(".,")
    value = parse_number(digits, unit)
    return (value, len(digits)) if value is not None else None


def _in_range(text: str, start: int, end: int) -> bool:
    return bool(_RANGE.match(text[end : end + 12]) or _RANGE_BEFORE.search(text[max(0, start - 8) : start]))


def _whole(text: str, value: TypedValue | None) -> list[ValueSpan]:
    if value is None:
        return []
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    if value.type is FieldType.TEXT:
        start, end = _bare(text)
        end += text[end : end + 1] == "."
    elif value.type is FieldType.PARTY:  # the span ends where the name does
        lead = _LEAD.match(text)
        start = lead.end() if lead else start
        match = _COMPANY.match(text[start:end])
        end = start + match.end(1) if match else len(text.rstrip(_EDGES))
    elif value.type in (FieldType.ENUM, FieldType.BOOLEAN):
        said = [at for at, each in enumerate(text) if each.isalnum()]
        start, end = (said[0], said[-1] + 1) if said else (start, end)
    return [ValueSpan(start, end, value)] if start < end else []
