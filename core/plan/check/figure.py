"""Numbers as a question says them, in digits and in words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from core.values.numbers import ONES, ORDINALS, SCALES, TENS, read_digits

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_WHOLE = re.compile(r"\d+")
_SHORT = {"k": 1_000, "m": 10**6, "mn": 10**6, "bn": 10**9}


@dataclass(frozen=True, slots=True)
class SaidNumber:
    """A number of the question. values: what it may be; is_ordinal: "second", "3rd"."""

    at: range
    values: frozenset[Decimal]
    is_ordinal: bool = False


def figures_in(words: tuple[str, ...]) -> list[SaidNumber]:
    """The numbers of folded words, in digits and in words, without those that are part of a name."""
    made: list[SaidNumber] = []
    for at in range(len(words)):
        figure = _figure(words, at) if not made or at not in made[-1].at else None
        made += [figure] if figure is not None else []
    return made


def _figure(words: tuple[str, ...], at: int) -> SaidNumber | None:
    word, end = words[at], at + 1
    digits = _DIGITS.findall(word)
    if digits and numbers_in((word,)) and (word[0].isdigit() or len(word) - len("".join(digits)) <= 1):
        ending = word[len(digits[0]) :] if word[0].isdigit() else ""
        scale = _SHORT.get(ending) or SCALES.get(words[end] if end < len(words) else "", 1)
        end += scale > 1 and ending not in _SHORT
        numbers = numbers_in((word,))
        return SaidNumber(
            range(at, end), numbers | {n * scale for n in numbers}, ending in ("st", "nd", "rd", "th")
        )
    if word in ORDINALS:
        return SaidNumber(range(at, end), frozenset({Decimal(ORDINALS[word])}), True)
    parts = word.split("-")
    if not all(part in ONES or part in TENS for part in parts) and word not in SCALES:
        return None
    value = Decimal(SCALES.get(word) or sum(ONES.get(part, TENS.get(part, 0)) for part in parts))
    while end < len(words) and words[end] in SCALES:
        value, end = value * SCALES[words[end]], end + 1
    return SaidNumber(range(at, end), frozenset({value}))


def numbers_in(texts: Iterable[str]) -> frozenset[Decimal]:
    """The numbers that texts write in digits; the parts of days."""
    found = (number for text in texts for number in (_WHOLE if "-" in text else _DIGITS).findall(text))
    return frozenset(n for each in found if (n := read_digits(each)) is not None)
