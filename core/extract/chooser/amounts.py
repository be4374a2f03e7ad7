"""Candidates for the amount that liability is limited to: every sum beside words of liability."""

from __future__ import annotations

import re
from math import log1p

from core.extract.base import DocumentText
from core.extract.chooser.features import context_columns
from core.extract.chooser.option import Option
from core.extract.decision import sentence_at
from core.extract.values.amounts import cap_readings, money_in

_MOST = 60
_LIABLE = re.compile(r"\bliab(?:le|ility|ilities)\b|\bindemnif", re.IGNORECASE)
_MARKS = {
    "exceed": r"\bexceed|\bin[ \n]excess[ \n]of\b|\bgreater[ \n]than\b|\bmore[ \n]than\b",
    "limited": r"\blimit(?:ed|ation|s)?\b|\bcap(?:ped)?\b|\bmaximum\b",
    "aggregate": r"\baggregate\b|\btotal\b|\bcumulative\b|\bentire\b",
    "greater": r"\bgreater[ \n]of\b|\blesser[ \n]of\b|\bhigher[ \n]of\b",
    "insurance": r"\binsur|\bcoverage\b|\bpolic(?:y|ies)\b|\bper[ \n]occurrence\b|\bumbrella\b",
    "damages": r"\bliquidated\b|\bpenalt|\binterest\b|\bfee\b",
    "basket": r"\bdeductible\b|\bbasket\b|\bthreshold\b|\bunless\b",
    "claims": r"\bclaims?\b|\bdamages\b|\bloss(?:es)?\b",
}
_PATTERNS = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _MARKS.values())


def cap_options(document: DocumentText) -> list[Option]:
    """The sums that may limit liability, in reading order."""
    text, money = money_in(document)
    rules: dict[str, float] = {}
    for reading in cap_readings(document):
        key = f"{reading.value.text} {reading.value.unit}"
        rules[key] = max(rules.get(key, 0.0), reading.confidence)
    options = []
    for start, end, value in money:
        near = text[max(0, start - 500) : min(len(text), end + 250)]
        if not _LIABLE.search(near):
            continue
        first, last = sentence_at(text, start, end)
        before, after = text[max(first, start - 500) : start], text[end : min(last, end + 250)]
        marks = [bool(pattern.search(before)) for pattern in _PATTERNS]
        marks += [bool(pattern.search(after)) for pattern in _PATTERNS]
        own = [
            *(f"b {name}" for name, there in zip(_MARKS, marks, strict=False) if there),
            *(f"a {name}" for name, there in zip(_MARKS, marks[len(_PATTERNS) :], strict=True) if there),
            f"liable {bool(_LIABLE.search(before))} {bool(_LIABLE.search(after))}",
        ]
        amount = float(value.decimal or 0)
        facts = (
            start / max(1, len(text)),
            float(bool(_LIABLE.search(before))),
            float(bool(_LIABLE.search(after))),
            log1p(max(0.0, amount)),
            float(bool(value.special)),
            *(float(each) for each in marks),
        )
        key = f"{value.text} {value.unit}"
        columns = context_columns(text, start, end, own)
        options.append(Option(value, ((start, end),), columns, facts, key, rules.get(key, 0.0)))
        if len(options) >= _MOST:
            break
    return options
