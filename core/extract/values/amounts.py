"""Worth of a contract and the cost of breaking it, by the words beside an amount."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import islice
from typing import NamedTuple

from core.domain.fields import Financial, TypedValue
from core.extract.base import DocumentText
from core.extract.decision import TextReading, sentence_at, value_rule
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
    after: re.Pattern[str] | None = None


def _pattern(*parts: str) -> re.Pattern[str]:
    spaced = (re.sub(r"(?<!\[) (?!\??\$)", r"[ \\n]{1,3}", part) for part in parts)
    return re.compile("|".join(spaced), re.IGNORECASE)


_CAP = Metric(
    "liability_cap",
    _pattern(
        r"\bliab(?:le|ility)\b[^;]{0,400}?\b(?:exceed|limited to|in excess of|greater than|more than"
        r"|maximum|cap(?:ped)?)\b[^;]{0,160}$",
        r"\b(?:maximum|aggregate|total) liability\b[^;]{0,200}$",
    ),
    _pattern(
        r"\binsurance\b",
        r"\bcoverage\b",
        r"\bper occurrence\b",
        r"\bpolic(?:y|ies)\b",
        r"\bdeductible\b",
        r"\bbasket\b",
    ),
)
_VALUE = Metric(
    "contract_value",
    _pattern(
        r"\b(?:total|aggregate) (?:contract |purchase |project |agreement )?(?:value|price|consideration"
        r"|fee|fees|sum|amount|cost)\b[^.;]{0,60}$",
        r"\b(?:contract|purchase|agreement) (?:price|sum|value|amount)\b[^.;]{0,60}$",
    ),
    _pattern(
        r"\bliab",
        r"\bexceed\b",
        r"\bif\b[^.;]{0,80}\bless than\b",
        r"\binsur",
        r"\bper (?:unit|share|month|year)\b",
        r"\bat least\b",
        r"\bminimum\b",
        r"\bmarket value\b",
        r"\bexpected\b",
        r"\bestimated\b",
    ),
)
_ANNUAL = Metric(
    "annual_fee",
    _pattern(
        r"\b(?:annual|yearly|per annum) (?:[a-z-]{2,15} ){0,2}?(?:fee|fees|rate|payment|payments"
        r"|subscription|retainer|charge|rent|salary|license fee|maintenance fee"
        r"|minimum royalty)\b[^.;]{0,60}$",
    ),
    _pattern(r"\bliab", r"\bexceed\b", r"\binsur"),
    _pattern(
        r"^[ \n]{0,3}(?:per|a|each|every) (?:year|annum|contract year|calendar year)\b",
        r"^[ \n]{0,3}(?:annually|per annum|p\.a\.)",
    ),
)
_PENALTY = Metric(
    "penalty",
    _pattern(
        r"\b(?:liquidated damages|penalt(?:y|ies)|late (?:fee|charge|payment charge)|cancell?ation fee"
        r"|termination fee|break-?up fee|early termination (?:fee|charge))\b[^.;]{0,140}$",
    ),
    _pattern(r"\bwithout penalty\b", r"\bno penalty\b", r"\bnot as a penalty\b[^.;]{0,20}$", r"\binsur"),
    _pattern(
        r"^[^.;]{0,60}\bas (?:liquidated damages|a (?:penalty|late fee|cancell?ation fee|termination fee))\b"
    ),
)
_DAILY = re.compile(
    r"\bfor[ \n]{1,3}(?:each|every)[ \n]{1,3}(?:[a-z]{2,12}[ \n]{1,3}){0,2}(?:day|week|month|hour)\b"
    r"[^.;]{0,120}\b(?:late|delay(?:ed|s)?|beyond|after|exceed(?:s|ed)?|missed)\b",
    re.IGNORECASE,
)
"""What a sum for lateness is paid for: "for each day by which completion is late ... shall pay"."""

_INSURANCE = Metric(
    "insurance",
    _pattern(
        r"\binsur(?:ance|ed)\b[^.;]{0,240}$",
        r"\b(?:coverage|polic(?:y|ies)|cover)\b[^.;]{0,160}$",
    ),
    _pattern(
        r"\bpremiums? of\b[^.;]{0,30}$",
        r"\bdeductible\b[^.;]{0,30}$",
        r"\bliab(?:le|ility)\b[^.;]{0,60}\bexceed",
    ),
    _pattern(r"^[^.;]{0,40}\b(?:per occurrence|per claim|in the aggregate|of (?:insurance|coverage))\b"),
)
_METRICS = (_CAP, _VALUE, _ANNUAL, _PENALTY, _INSURANCE)

_DIRECT = _pattern(
    r"\b(?:exceed|limited to|fee of|fees of|amount of|sum of|price of|value of|damages of|equal to|rent of"
    r"|payment of|charge of|maximum of|shall be|will be|is)"
    r"[ \n]{1,3}(?:the )?(?:an? )?(?:aggregate )?(?:total )?(?:sum of |amount of )?$",
    r":[ \n]{0,3}$",
    r"\bfee \([^()]{1,20}\) of[ \n]{1,3}$",
)
_ALTERNATIVE = _pattern(
    r"\b(?:lesser|greater|higher|lower|least|or more|up to|first|each|from)\b"
    r"|\bper\b(?! (?:incident|occurrence|claim|event)\b)",
    r"\bto [$\d]",
)
_OWES = re.compile(
    r"\b(?:pays?|owes?|forfeits?|deduct(?:s|ed)?|credit(?:s|ed)?)\b[^.;]{0,40}$", re.IGNORECASE
)
_DISCOUNT_BEFORE = _pattern(r"\bdiscount(?:ed)?\b[^.;]{0,60}$", r"\b(?:reduction|rebate)\b[^.;]{0,30}$")
_DISCOUNT_AFTER = _pattern(
    r"^[ \n]{0,3}(?:[a-z]{2,12} ){0,2}?discount\b", r"^[ \n]{0,3}(?:off|reduction|rebate)\b"
)
_NET = re.compile(
    r"\b(?:net|Net|NET)[ \n-]{0,3}(?P<days>\d{1,3})\b(?:[ \n]{0,3}(?P<unit>days?))?|\bn/(?P<short>30|45|60"
    r"|90)\b"
)
_PAY = _pattern(
    r"\bpa(?:id|ys?|yable|yments?)\b[^.;]{0,160}\b(?:within|in|no later than|not later than"
    r"|later than)\b[^.;]{0,12}$",
    r"\b(?:invoices?|amounts?|fees)\b[^.;]{0,120}\b(?:due|payable)\b[^.;]{0,60}\b(?:within|in)? ?$",
    r"\bpayment terms?\b[^.;]{0,40}$",
    r"\bpays?\b[^.;]{0,120}\bwithin\b[^.;]{0,10}$",
)
_PAY_WORD = re.compile(r"\b(?:pays?|paid|payable|payments?|due|invoices?)\b", re.IGNORECASE)
_PAY_AFTER = _pattern(
    r"^[ \n]{0,3}(?:['\u2019]s? )?(?:of|after|from|following|days) [^.;]{0,60}\b(?:invoices?|receipt"
    r"|receiv(?:ing|ed?)|presentation|date|delivery|billing|statement|end of)\b",
)
_PAY_UNLESS = _pattern(
    r"\bterminat",
    r"\brefund",
    r"\bcure\b",
    r"\bbreach",
    r"\bdefault",
    r"\bpast due\b",
    r"\boverdue\b",
    r"\broyalt(?:y|ies)\b",
    r"\bquarter\b",
    r"\bdispute",
)


def financial_rows(document: DocumentText, least: float = 0.0) -> tuple[Financial, ...]:
    """Every amount of money that a contract names by one of these words, in reading order, at most 500.

    least: the confidence from which a reading counts.
    """
    rows: list[tuple[int, Financial]] = []
    for metric in _METRICS:
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


def _of(document: DocumentText, metric: Metric) -> Iterator[TextReading[TypedValue]]:
    text = document.text[:_MAX_CHARS]
    for start, end, value in _money(text):
        first, last = sentence_at(text, start, end)
        before, after = text[max(first, start - 700) : start], text[end : min(last, end + 200)]
        named = metric.before.search(before)
        trailing = metric.after.search(after) if metric.after else None
        is_daily = metric is _PENALTY and bool(_DAILY.search(before)) and bool(_OWES.search(before))
        if not named and not trailing and not is_daily:
            continue
        if metric.unless.search(before[-300:]) or metric.unless.search(after[:60]):
            continue
        direct = _DIRECT.search(before) and not _ALTERNATIVE.search(before[-60:] + after[:25])
        sure = 0.91 if metric is _CAP else 0.85  # of the others no precision is known, so none is a fact
        yield TextReading(value, ((start, end),), sure if named and direct else 0.7)


@lru_cache(maxsize=2)
def _money(text: str) -> tuple[tuple[int, int, TypedValue], ...]:
    return tuple(find_money(text)[:_MAX_AMOUNTS])


def _discounts(document: DocumentText) -> Iterator[TextReading[TypedValue]]:
    text = document.text[:_MAX_CHARS]
    for start, end, value in find_percents(text):
        if value.special:
            continue
        before, after = text[max(0, start - 90) : start], text[end : end + 40]
        if _DISCOUNT_AFTER.search(after):
            yield TextReading(value, ((start, end),), 0.91)
        elif _DISCOUNT_BEFORE.search(before):
            yield TextReading(value, ((start, end),), 0.8)


def _payments(document: DocumentText) -> Iterator[TextReading[TypedValue]]:
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
                not _PAY.search(before)
                or not _PAY_AFTER.search(after)
                or not re.search(r"day|month", value.original, re.IGNORECASE)
            ):
                continue
            invoice = re.search(r"\binvoice|\bbilling|\bstatement", before[-160:] + after, re.IGNORECASE)
            sure = 0.91 if invoice and not _PAY_UNLESS.search(before[-200:] + after) else 0.6
            yield TextReading(value, ((pay.start() + start, pay.start() + end),), sure)


RULES = {
    "contract_value": value_rule("contract_value", partial(_of, metric=_VALUE), 0.6),
    "annual_fee": value_rule("annual_fee", partial(_of, metric=_ANNUAL), 0.7),
    "liability_cap_amount": value_rule("liability_cap_amount", partial(_of, metric=_CAP), 0.7),
    "penalty": value_rule("penalty", partial(_of, metric=_PENALTY), 0.7),
    "discount": value_rule("discount", _discounts, 0.7),
    "payment_terms": value_rule("payment_terms", _payments, 0.6),
}
"""By the name that a schema uses."""
