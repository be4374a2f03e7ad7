"""Equality of a shown value with the expected one, however it is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from core.evaluate.suite import ExpectedValue
from core.values import (
    find_dates,
    find_durations,
    find_money,
    normal_name,
    parse_date,
    parse_duration,
    parse_money,
    parse_number,
)
from core.values.places import canonical_place

_LAW_WORDS: Final = frozenset(["the", "state", "commonwealth", "of", "law", "laws"])
_CONVERTED: Final = Decimal("1e-6")  # converting a unit rounds to six decimal places
_QUANTITY = re.compile(r"(?<![\w.,])[-\u2212]?\d[\d,]*(?:\.\d+)?(?:[ \u00a0]?[A-Za-z%\u00b0\u00b7/]+)?")
_LENGTH = re.compile(r"\b(?:\d+|[a-z]+)[ -](?:day|week|month|year)s?\b", re.IGNORECASE)
_YES, _NO = frozenset(["true", "yes"]), frozenset(["false", "no"])


def is_equal(expected: ExpectedValue, shown: Any, unit: str | None, *, needs_unit: bool = True) -> bool:
    """True where `shown` with `unit` is the expected value.

    Amounts are compared exactly, one with two decimals or more to as many as are expected; of two units of
    one kind, one is converted. needs_unit: whether a shown
    amount without any unit is wrong where one is expected; a table may have it in the column's name.
    A unit where none is expected ("8 contracts") is passed over.
    """
    text = str(shown).strip()
    match expected.type:
        case "text":
            return same_name(expected.value, text)
        case "boolean":
            return text.casefold() in (_YES if expected.value == "true" else _NO)
        case "date":
            found = parse_date(text)
            return found is not None and found.text == expected.value
        case "duration":
            return _same_duration(expected, text, unit, needs_unit)
        case "money":
            return _same_money(expected, text, unit, needs_unit)
        case "number":
            return _same_number(expected, text, unit, needs_unit)


def is_stated(expected: ExpectedValue, text: str) -> bool:
    """True where a sentence states the expected value; never for a yes or no, which has no one wording."""
    match expected.type:
        case "boolean":
            return False
        case "text":
            return any(
                f" {name} " in f" {_plain(text)} " for name in {_plain(expected.value), _name(expected.value)}
            )
        case "date":
            shown: Iterable[str] = (value.text for _, _, value in find_dates(text))
        case "duration":
            found = (text[start:end] for start, end, _ in find_durations(text))
            # "from six to eight weeks" is no fact to extract, but it does state eight weeks.
            shown = (*found, *_LENGTH.findall(text))
        case "money":
            shown = (f"{value.text} {value.unit}" for _, _, value in find_money(text))
        case "number":
            shown = _QUANTITY.findall(text)
    return any(is_equal(expected, part, None) for part in shown)


def same_name(one: str, other: str) -> bool:
    """True where two names are one, without regard to case, legal form, or words such as "the laws of"."""
    return _name(one) == _name(other)


def _name(text: str) -> str:
    words = [word for word in _plain(text).split() if word not in _LAW_WORDS]
    place = canonical_place(text) or canonical_place(" ".join(words))
    return place.casefold() or normal_name(text)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _same_duration(expected: ExpectedValue, text: str, unit: str | None, needs_unit: bool) -> bool:
    wanted = parse_duration(f"{expected.value} {expected.unit}")
    if wanted is None:  # minutes and seconds are quantities
        return _same_number(expected, text, unit, needs_unit)
    found = parse_duration(f"{text} {unit or ''}")
    return found is not None and wanted.text == found.text


def _is_amount(expected: str, shown: Decimal) -> bool:
    """True of an equal amount, or of one with more decimals that rounds to an expected one with some."""
    wanted = Decimal(expected)
    decimals = len(expected.partition(".")[2])
    half = Decimal(5).scaleb(-decimals - 1)
    return shown == wanted or (decimals > 1 and shown.is_finite() and abs(shown - wanted) <= half)


def _same_money(expected: ExpectedValue, text: str, unit: str | None, needs_unit: bool) -> bool:
    found = parse_money(text, unit or "")
    if found is None or (needs_unit and not found.unit):
        return False
    return Decimal(found.text) == Decimal(expected.value) and found.unit in ("", expected.unit)


def _same_number(expected: ExpectedValue, text: str, unit: str | None, needs_unit: bool) -> bool:
    amount, written = _parts(text)
    if amount is None:
        return False
    unit = unit or written
    if expected.unit is None or (not unit and not needs_unit):
        return _is_amount(expected.value, amount)
    if _unit(expected.unit) == _unit(unit):
        return _is_amount(expected.value, amount)
    wanted, found = parse_number(f"{expected.value} {expected.unit}"), parse_number(f"{amount} {unit}")
    if wanted is None or found is None or not found.unit or wanted.unit != found.unit:
        return False
    gap = abs(Decimal(wanted.text) - Decimal(found.text))
    return gap <= _CONVERTED * max(abs(Decimal(wanted.text)), Decimal(1))


def _parts(text: str) -> tuple[Decimal | None, str]:
    match = re.fullmatch(r"([-\u2212]?[\d,]*\.?\d+)\s*(.*)", text)
    if match is None:
        return None, ""
    try:
        return Decimal(match[1].replace(",", "").replace("\u2212", "-")), match[2]
    except InvalidOperation:
        return None, ""


def _unit(unit: str) -> str:
    name = re.sub(r"[^\w%]", "", unit)
    return {"percent": "%", "gal": "gallon"}.get(name.casefold(), name.removesuffix("s"))
