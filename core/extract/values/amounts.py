"""Worth of a contract and the cost of breaking it, by the words beside an amount."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import NamedTuple

from core.domain.fields import Financial, TypedValue
from core.extract.base import DocumentText
from core.extract.decision import Reading, TextReading, sentence_at, value_rule
from core.text.patterns import any_case
from core.text.words import table
from core.values.durations import find_durations, parse_duration
from core.values.money import find_money
from core.values.numbers import find_percents

_MAX_CHARS = 1_000_000
_MAX_ROWS = 500
_MAX_AMOUNTS = 3_000


class Metric(NamedTuple):
    """An amount that contracts name: the words that must stand before it, near; what makes it another."""

    name: str
    before: re.Pattern[str]
    unless: re.Pattern[str]
    after: re.Pattern[str]


def _pattern(parts: Sequence[str]) -> re.Pattern[str]:
    spaced = (re.sub(r"(?<!\[) (?!\??\$)", r"[ \\n]{1,3}", part) for part in parts)
    return any_case("|".join(spaced) or r"(?!)")


_TABLE = table(__file__, "amounts")
_METRICS = {
    name: Metric(name, _pattern(each["before"]), _pattern(each["unless"]), _pattern(each.get("after", ())))
    for name, each in _TABLE["metrics"].items()
}
_WORDS = {name: _pattern(parts) for name, parts in _TABLE["words"].items()}
_DAILY = any_case(
    r"\bfor[ \n]{1,3}(?:each|every)[ \n]{1,3}(?:[a-z]{2,12}[ \n]{1,3}){0,2}(?:day|week|month|hour)\b"
    r"[^.;]{0,120}\b(?:late|delay(?:ed|s)?|beyond|after|exceed(?:s|ed)?|missed)\b"
)
"""What a sum for lateness is paid for: "for each day by which completion is late ... shall pay"."""


_OWES = any_case(r"\b(?:pays?|owes?|forfeits?|deduct(?:s|ed)?|credit(?:s|ed)?)\b[^.;]{0,40}$")
_NET = re.compile(
    r"\b(?:net|Net|NET)[ \n-]{0,3}(?P<days>\d{1,3})\b(?:[ \n]{0,3}(?P<unit>days?))?|\bn/(?P<short>30|45|60"
    r"|90)\b"
)
_PAY_WORD = any_case(r"\b(?:pays?|paid|payable|payments?|due|invoices?)\b")


def financial_rows(document: DocumentText, least: float = 0.0) -> tuple[Financial, ...]:
    """Every amount of money that a contract names by one of these words, in reading order, at most 500.

    least: the confidence from which a reading counts.
    """
    rows: list[tuple[int, Financial]] = []
    for metric in _METRICS.values():
        for reading in _of(document, metric):
            if reading.confidence < least:
                continue
            start, end = reading.spans[0]
            terms = " ".join(document.text[slice(*sentence_at(document.text, start, end))].split())[:400]
            rows.append(
                (start, Financial(metric.name, reading.value, document.quote(start, end), terms=terms))
            )
    rows.sort(key=lambda row: row[0])
    return tuple(row for _, row in rows[:_MAX_ROWS])


def _of(document: DocumentText, metric: Metric) -> Iterator[Reading]:
    text = document.text[:_MAX_CHARS]
    for start, end, value in _money(text):
        first, last = sentence_at(text, start, end)
        before, after = text[max(first, start - 700) : start], text[end : min(last, end + 200)]
        named = metric.before.search(before)
        trailing = metric.after.search(after)
        is_daily = metric.name == "penalty" and bool(_DAILY.search(before)) and bool(_OWES.search(before))
        if not named and not trailing and not is_daily:
            continue
        if metric.unless.search(before[-300:]) or metric.unless.search(after[:60]):
            continue
        direct = _WORDS["direct"].search(before) and not _WORDS["alternative"].search(
            before[-60:] + after[:25]
        )
        sure = (
            0.91 if metric.name == "liability_cap" else 0.85
        )  # of the others no precision is known, so none is a fact
        yield TextReading(value, ((start, end),), sure if named and direct else 0.7)


@lru_cache(maxsize=2)
def _money(text: str) -> tuple[tuple[int, int, TypedValue], ...]:
    return tuple(find_money(text)[:_MAX_AMOUNTS])


def _discounts(document: DocumentText) -> Iterator[Reading]:
    text = document.text[:_MAX_CHARS]
    for start, end, value in find_percents(text):
        if value.special:
            continue
        before, after = text[max(0, start - 90) : start], text[end : end + 40]
        if _WORDS["discount_after"].search(after):
            yield TextReading(value, ((start, end),), 0.91)
        elif _WORDS["discount_before"].search(before):
            yield TextReading(value, ((start, end),), 0.8)


def _payments(document: DocumentText) -> Iterator[Reading]:
    """Within how long an invoice must be paid: "Net 30", "within thirty (30) days of receipt"."""
    text = document.text[:_MAX_CHARS]
    for match in _NET.finditer(text):
        days = match["days"] or match["short"]
        value = parse_duration(f"{days} days")
        near = re.search(
            r"payment|terms|invoice|days|due",
            text[max(0, match.start() - 60) : match.end() + 40],
            re.IGNORECASE,
        )
        if value and 0 < int(days) <= 365 and near:
            said = TypedValue(value.type, value.text, value.amount, "", match[0])
            yield TextReading(
                said,
                (match.span(),),
                0.95 if match["unit"] or match["short"] or "terms" in near[0].lower() else 0.91,
            )
    for pay in islice(_PAY_WORD.finditer(text), _MAX_AMOUNTS):
        window = text[pay.start() : pay.start() + 260]
        for start, end, value in find_durations(window)[:2]:
            before = text[max(0, pay.start() - 60) : pay.start() + start]
            after = window[end : end + 90]
            if (
                not _WORDS["pay"].search(before)
                or not _WORDS["pay_after"].search(after)
                or not re.search(r"day|month", value.original, re.IGNORECASE)
            ):
                continue
            invoice = re.search(r"\binvoice|\bbilling|\bstatement", before[-160:] + after, re.IGNORECASE)
            sure = 0.91 if invoice and not _WORDS["pay_unless"].search(before[-200:] + after) else 0.6
            yield TextReading(value, ((pay.start() + start, pay.start() + end),), sure)


RULES = {
    "contract_value": value_rule("contract_value", partial(_of, metric=_METRICS["contract_value"]), 0.6),
    "annual_fee": value_rule("annual_fee", partial(_of, metric=_METRICS["annual_fee"]), 0.7),
    "liability_cap_amount": value_rule(
        "liability_cap_amount", partial(_of, metric=_METRICS["liability_cap"]), 0.7
    ),
    "penalty": value_rule("penalty", partial(_of, metric=_METRICS["penalty"]), 0.7),
    "discount": value_rule("discount", _discounts, 0.7),
    "payment_terms": value_rule("payment_terms", _payments, 0.6),
}
"""By the name that a schema uses."""
