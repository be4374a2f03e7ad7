"""Candidates for the date of a contract: every date of its first pages and beside its signatures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.fields import FieldType, Special, TypedValue
from core.extract.base import DocumentText
from core.extract.chooser.features import context_columns
from core.extract.chooser.option import Option
from core.extract.decision import TextReading
from core.extract.values.agreement import agreement_readings
from core.values.dates import ENGLISH_MONTH, date_order, find_dates

TOP = 9_000
_END = 9_000
_SIGNED = re.compile(r"in[ \n]witness|/s/|\bBy:|\bName:|\bTitle:|\bsigned\b|\bDate", re.IGNORECASE)
_SIGNATURE = re.compile(r"(?:Date|DATE|Dated|DATED)(?:[ \n]signed)?[ \t\n]{0,4}[:\t _][ \t\n_]{0,12}$|\b(?:witness|/s/)[^.]{0,30}$")
_EFFECTIVE = re.compile(r"\beffective\b[^.;]{0,30}$|\beffective[ \n]date\b", re.IGNORECASE)
_MOST = 60
_LOST = re.compile(
    rf"\b(?:as[ \n]of|dated|day[ \n]of|made|effective|this|on)[ \n]{{1,4}}(?P<said>(?:day[ \n]{{1,3}}of[ \n]{{0,4}})?"
    rf"(?:(?:{ENGLISH_MONTH})[ \n]{{1,3}})?(?:,|\[[\u00b7.]?\],?)[ \n]{{0,3}}(?P<year>(?:19|20)\d\d))(?!\d)",
    re.IGNORECASE,
)
"""A date whose day was a line to be filled in that the text has lost: "as of , 2013"."""


def date_options(document: DocumentText) -> list[Option]:
    """The dates that a contract may bear, in reading order."""
    text = document.text
    rules: dict[str, float] = {}
    readings = agreement_readings(document)
    for reading in readings:
        key = key_of(reading.value)
        rules[key] = max(rules.get(key, 0.0), reading.confidence)
    found = _places(document, readings)
    signed = {
        value.amount: start
        for start, end, value in found
        if value.amount is not None and not value.special and _SIGNATURE.search(text[max(0, start - 40) : start])
    }
    last = max(signed, default=None)
    full = {value.text[:7] for _, _, value in found if not value.special}
    first = min((start for start, _, _ in found), default=0)
    options = []
    for start, end, value in found:
        key = key_of(value)
        is_top = start < TOP
        is_signed = bool(_SIGNED.search(text, max(0, start - 250), min(len(text), end + 250)))
        own = [
            "top" if is_top else "end",
            f"at {min(start, TOP) // 500}",
            f"special {value.special.value}",
            f"signed {is_signed}",
            f"opens {start == first}",
        ]
        facts = (
            min(start, TOP) / TOP,
            (len(text) - start) / max(1, len(text)),
            float(is_signed),
            float(value.special is Special.BLANK),
            float(value.special is Special.REDACTED),
            float(value.special is Special.AMBIGUOUS),
            float(value.amount is not None and value.amount == last),
            float(value.amount in signed and value.amount != last),
            float(len(signed)),
            float(bool(value.special) and value.text[:7] in full),
            float(start == first),
            float(bool(_EFFECTIVE.search(text[max(0, start - 60) : start]))),
        )
        options.append(
            Option(value, ((start, end),), context_columns(text, start, end, own), facts, key, rules.get(key, 0.0))
        )
    return options


def key_of(value: TypedValue) -> str:
    """Equal for equal dates."""
    return f"{value.text} {value.special.value}"


def _places(
    document: DocumentText, readings: Sequence[TextReading[TypedValue]]
) -> list[tuple[int, int, TypedValue]]:
    """Dates of the first pages, those beside signatures, and wherever the rules read one; in reading order."""
    text = document.text
    order = date_order(text, document.language).order
    found = list(find_dates(text[:TOP], order, partial=True))
    for match in _LOST.finditer(text, 0, TOP):
        start, end = match.span("said")
        if not any(first < end and start < last for first, last, _ in found):
            value = TypedValue(FieldType.DATE, match["year"], original=match["said"], special=Special.BLANK)
            found.append((start, end, value))
    begin = max(TOP, len(text) - _END)
    for start, end, value in find_dates(text[begin:], order, partial=False):
        if _SIGNED.search(text, max(0, begin + start - 300), min(len(text), begin + end + 200)):
            found.append((begin + start, begin + end, value))
    known = {key_of(value) for _, _, value in found}
    found = sorted(found, key=lambda each: each[0])[:_MOST]
    found += [(each.start, each.end, each.value) for each in readings if key_of(each.value) not in known]
    return sorted(found, key=lambda each: each[0])
