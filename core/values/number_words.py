"""Numbers written in words, as contracts do: "sixty (60)", "one hundred and twenty", "third"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
ONES = {word: value for value, word in enumerate(_ONES.split())}
_TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS = {word: value * 10 for value, word in enumerate(_TENS_WORDS.split(), start=2)}
TENS["fourty"] = 40  # as often misspelt as not in scanned contracts
SCALES = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
ORDINALS = {word: value for value, word in enumerate(_ORDINALS.split(), start=1)}
ORDINALS |= {"twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60}
ORDINALS |= {"seventieth": 70, "eightieth": 80, "ninetieth": 90, "hundredth": 100}

_CARDINAL = "|".join(sorted([*ONES, *TENS, *SCALES], key=len, reverse=True))
CARDINAL_WORDS = rf"(?:{_CARDINAL})(?:(?:[ \t\n]{{1,3}}|-)(?:and[ \t\n]{{1,3}})?(?:{_CARDINAL})){{0,11}}"
"""A pattern for a number in words, at most twelve of them: bounded, so that hostile text costs no more."""

_ORDINAL = "|".join(sorted(ORDINALS, key=len, reverse=True))
_TENS = "|".join(TENS)
ORDINAL_WORDS = rf"(?:(?:{_TENS})[ \t\n-]{{1,2}})?(?:{_ORDINAL})"
ORDINAL_DIGITS = r"\d{1,3}[ \t]{0,2}(?:st|s[ \t]t|nd|n[ \t]d|rd|r[ \t]d|th|t[ \t]h)"

_WORD = re.compile(r"[a-z]+")
_ORDINAL_DIGITS = re.compile(ORDINAL_DIGITS, re.IGNORECASE)


def parse_cardinal(text: str) -> int | None:
    """The number that words say ("one hundred and five" is 105); None where any word is none of a number."""
    words = [word for word in _WORD.findall(text.lower()) if word != "and"]
    return _cardinal(words) if words else None


def _cardinal(words: Sequence[str]) -> int | None:
    total = group = 0
    previous = 0  # the last plain word's value: "twenty five" adds, "five twenty" is no number
    for word in words:
        if word in ONES or word in TENS:
            value = ONES.get(word, TENS.get(word, 0))
            if previous and not (previous >= 20 and value < 10):
                return None
            group += value
            previous = value
        elif word == "hundred":
            group = (group or 1) * 100
            previous = 0
        elif word in SCALES:
            total += (group or 1) * SCALES[word]
            group = previous = 0
        else:
            return None
    return total + group


def parse_ordinal(text: str) -> int | None:
    """The number of "third", "twenty-second", "2nd" or the scanned "20t h"; None for anything else."""
    text = text.strip().lower()
    if _ORDINAL_DIGITS.fullmatch(text):
        return int(re.match(r"\d+", text)[0])  # type: ignore[index]
    words = _WORD.findall(text)
    if not words or words[-1] not in ORDINALS:
        return None
    last = ORDINALS[words[-1]]
    if len(words) == 1:
        return last
    if len(words) == 2 and words[0] in TENS and last < 10:
        return TENS[words[0]] + last
    return None


def plain_number(value: Decimal) -> str:
    """A decimal as it is stored in text: no exponent, no zeros at its end; equal numbers, equal texts."""
    text = f"{value:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def read_digits(text: str, *, european: bool = False) -> Decimal | None:
    """The number that digits with separators write: 1,234.50, 1.234,50, 1'234.50, 12,34,567, 1 234,50.

    european: a single point before three digits groups them ("1.234" is 1234). None where the separators
    stand where none may.
    """
    digits = re.sub(r"[ \u00a0\u202f'\u2019]", "", text)
    if not re.fullmatch(r"\d{1,24}(?:[.,]\d{1,12}){0,8}|[.,]\d{1,12}", digits):
        return None
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        mark = "." if digits.rfind(".") > digits.rfind(",") else ","
        if digits.count(mark) > 1:
            return None
    elif points + commas == 1:
        mark = "." if points else ","
        before, _, after = digits.partition(mark)
        grouping = mark == "," or european
        if grouping and len(after) == 3 and 1 <= len(before) <= 3 and before != "0":
            mark = ""
    else:
        mark = ""
    whole, _, fraction = digits.rpartition(mark) if mark else (digits, "", "")
    groups = re.split(r"[.,]", whole)
    if len(groups) > 1 and not (len(groups[-1]) == 3 and all(2 <= len(group) <= 3 for group in groups[1:])):
        return None
    if len(groups) > 1 and not 1 <= len(groups[0]) <= 3:
        return None
    return Decimal(f"{''.join(groups) or '0'}.{fraction or '0'}")
