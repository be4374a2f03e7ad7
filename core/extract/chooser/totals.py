"""Candidates for the total of an invoice or a receipt: every amount of it."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from decimal import Decimal
from math import log1p

from core.extract.base import DocumentText
from core.extract.chooser.model import ChoosableValue, column
from core.extract.values.receipts import amounts_in, currency_in, paid_amounts, read_lines, total_readings
from core.text.patterns import any_case

_ROUND = any_case(r"\br[o0]und|\bpembundaran|\badj")
_PAYABLE = any_case(r"\bpayable|\bto[ ]be[ ]paid|\bamount[ ]due|\bamt[ ]paid|\bnett?\b|\bgrand\b")
_KEY_WORD = re.compile(r"[A-Za-z]{2,}")
_MOST = 120
_TELLING = (
    {"cash", "change", "tender", "paid"},
    {"sub", "subtotal", "gst", "tax", "qty", "disc", "discount", "excl"},
    {"rounding", "rounded", "inclusive", "incl", "nett", "net", "grand"},
)


def total_options(document: DocumentText) -> list[ChoosableValue]:
    """The amounts with cents that may be the total."""
    text = document.text
    currency = currency_in(text)
    lines = read_lines(text)
    rules: dict[str, float] = {}
    for each in total_readings(text):
        rules[each.value.text] = max(rules.get(each.value.text, 0.0), each.confidence)
    found = [
        (index, amount)
        for index, line in enumerate(lines)
        for amount in amounts_in(text, line.start, line.end, currency)
        if amount.number > 0
    ]
    paid = paid_amounts(text, lines, currency)
    counts = Counter(amount.number for _, amount in found)
    numbers = sorted(counts, reverse=True)
    options = []
    for index, amount in found[-_MOST:]:
        line = lines[index]
        words = _words(text[line.start : amount.start])
        above = _words(lines[index - 1].text) if index else []
        below = _words(lines[index + 1].text) if index + 1 < len(lines) else []
        pairs = [f"{one} {other}" for one, other in itertools.pairwise(words)]
        own = [
            *(f"k {word}" for word in words),
            *(f"kk {pair}" for pair in pairs),
            *(f"u {word}" for word in above),
            *(f"b {word}" for word in below),
            f"alone {not words}",
            f"rank {min(6, numbers.index(amount.number))}",
            f"times {min(4, counts[amount.number])}",
            f"paid {amount.number in paid}",
            f"near {[bool(_ROUND.search(each.text)) for each in lines[max(0, index - 2) : index + 2]]}",
        ]
        facts = (
            index / max(1, len(lines)),
            float(min(9, numbers.index(amount.number))),
            float(counts[amount.number]),
            log1p(float(amount.number)),
            float(not words),
            float(any("total" in word for word in words)),
            float(any("total" in word for word in above) and not words),
            *(float(not each.isdisjoint(words)) for each in _TELLING),
            float(_is_paid(amount.number, counts)),
            float(amount.number in paid),
            float(any(_ROUND.search(each.text) for each in lines[max(0, index - 2) : index])),
            float(any(_ROUND.search(each.text) for each in lines[index + 1 : index + 3])),
            float(bool(_ROUND.search(line.text))),
            float(bool(_PAYABLE.search(line.text))),
            float(any(0 < abs(number - amount.number) <= Decimal("0.04") for number in numbers)),
            float("0%" in line.text or "6%" in line.text),
        )
        columns = tuple(sorted({column(f"= {each}") for each in own}))
        key, rule, place = str(amount.number), rules.get(amount.value.text, 0.0), (amount.start, amount.end)
        options.append(ChoosableValue(amount.value, (place,), columns, facts, key, rule))
    return options


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _KEY_WORD.findall(text)]


def _is_paid(number: Decimal, counts: Counter[Decimal]) -> bool:
    """True where the receipt has two amounts that differ by this one: cash given and change."""
    return any(other > number and (other - number) in counts for other in list(counts)[:60])
