"""Numbers, percentages and quantities with units, in digits and in words, each in one canonical unit.

An amount is a fact only where all that touches it in its text was understood (`doubts_amount` and the like).
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from core.domain.fields import NUMBER_SCALE, FieldType, Special, TypedValue
from core.text.patterns import any_case, late_pattern
from core.values.units import canonical_unit, convert, unit_name

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

BLANKS = " \u00a0\u202f\u2009"
"""That group digits, or stand between an amount and its currency."""

APOSTROPHES = "'\u2019\u2018\u02bc\u00b4`"
"""That group digits."""

_GROUPING = re.compile(f"[{BLANKS}{APOSTROPHES}]")
_INSIDE = re.compile(rf"\d[.,{APOSTROPHES}\u202f\u2009]?$")
_GOES_ON = re.compile(rf"[.,{APOSTROPHES}\u202f\u2009]?\d")
_WORD = re.compile(r"[a-z]+")
_ORDINAL_DIGITS = any_case(ORDINAL_DIGITS)


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
    digits = _GROUPING.sub("", text)
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


_B = rf"[\t{BLANKS}]{{0,3}}"
_LINE = rf"{_B}\n?{_B}"
_DASH = r"[-\u2010-\u2015\u2212]"
_CURRENCY = r"(?:[A-Z]{0,3}[$\u20ac\u00a3\u00a5\u20b9]|[A-Z]{3}|R[Ms]\.?)"
_NEXT = rf"(?:[(+\u2212-]?{_B}(?:{_CURRENCY})?{_B}[(+\u2212-]?\.?\d)"
_SCALE = (
    r"(?:hundred|thousand|millions?|billions?|trillions?|mio|mrd|mia|crores?|lakhs?|bn|mm|mn"
    r"|[km](?![A-Za-z]))"
)
_NO_SCALE = (
    r"(?:hundred|thousand|million|billion|trillion|millionen|milliarden|milliards?|millones|mill|mil|mln|bln|tn"
    r"|trn|tausend|tsd|mille|lacs?|dozen|grand|crores?|lakhs?|mio|mrd|mia|mm|mn|bn|[kmb](?![A-Za-z&'\u2019]))(?![A-Za-z])"
)
_FRACTION = r"[\u00bc-\u00be\u2150-\u215e]"

_AFTER_MONEY = late_pattern(
    rf"[A-Za-z0-9_%\u2030\u00b0^\u00b2\u00b3\u00b9\[]|{_B}{_FRACTION}|[.,:/{APOSTROPHES}]\d|/_"
    rf"|{_B}(?i:{_NO_SCALE})|{_B}(?:{_DASH}|\.{{2,3}}|\u2026|~){_LINE}{_NEXT}|{_B}(?:\u00b1|\+/?-?"
    rf"|[*\u00d7x/]){_B}{_NEXT}|{_LINE}(?i:to|through|thru|up[ ]to|bis|plus[ ]or[ ]minus){_LINE}(?:{_NEXT}"
    rf"|(?i:{CARDINAL_WORDS})\b)|{_B}\d{{1,2}}/\d{{1,2}}(?![\d/])|{_B}\d[\d.,]{{0,20}}{_B}(?i:{_SCALE})"
    rf"|{_B}\((?i:in[ ])?['\u2019]?(?i:thousands?|millions?|billions?|0?00s?)\b|{_DASH}{_B}(?!{_B}[A-Za-z(])"
)
_SHARED_SCALE = late_pattern(
    rf"{_LINE}(?:and/or|and|or|{_DASH}|to|/){_LINE}{_NEXT}[\d.,]{{0,20}}{_LINE}-?(?i:{_SCALE}|{_NO_SCALE})"
)
_BEFORE_MONEY = late_pattern(
    rf"(?:\d{_B}(?:(?i:{_SCALE})\.?{_B})?(?:[A-Z]{{3}}{_B})?(?:(?i:dollars|euros?|pounds){_B})?(?:{_DASH}"
    rf"|\u2026|\.{{2,3}}|~|\u00b1|[*\u00d7x/+]|\+/-|\n?{_B}(?i:to|through|thru|up[ ]to|bis)\n?){_B}"
    rf"|(?<![A-Za-z])(?i:{CARDINAL_WORDS})[ \n]{{1,3}}(?:(?i:dollars|euros?|pounds)[ \n]{{1,3}})?(?i:to"
    r"|through)[ \n]{1,3}|[\w.,][-+\u2212]|\d[.,']?|[\u2012\u2013\u00b1~^/]|(?<![A-Za-z])[A-Z]{1,3}|_"
    rf"|{_FRACTION}{_B})$"
)
_GROUPED = re.compile(rf"\d[{BLANKS}]\d")
_BLANK_DIGIT = re.compile(rf"[{BLANKS}]\d")
_LEADS = any_case(
    r"(?:of|for|is|was|are|were|by|to|at|be|exceed|than|over|about|least|most|sum|amounts?|totals?|price"
    r"|fee|value|pays?|paid|costs?|approximately|approx|around|equals|under|and|plus|or|und|von|de|um|auf|ca|montant|prix"
    r"|receive|received|owe[sd])"
)
_LAST_WORD = re.compile(r"(?P<word>[^\W\d_]+)[ \t]{1,3}$")

_DOUBT_NUMBER = late_pattern(
    rf"[A-Za-z0-9_^]|{_B}(?:{_FRACTION}|[%\u2030\u00b0\u2103\u2109\u00b5\u03bc\u03a9\u2126])|[.,:/{APOSTROPHES}]\d"
    rf"|[\u00b2\u00b3\u00b9]|{_B}\d{{1,2}}/\d{{1,2}}(?![\d/])"
    rf"|{_B}(?:\u00b1|\+/?-?|[*\u00d7x/]){_B}\.?\d|{_DASH}{_B}(?:$|\n)"
)
_DOUBT_BEFORE_NUMBER = re.compile(
    rf"(?:[\w.,][-+\u2212]?|\d{_B}[*\u00d7x/+^\u00b1]{_B}|{_FRACTION}|[\u00b1^])$"
)

_RANGE_AFTER_LENGTH = any_case(
    rf"[ \t\n]{{0,3}}(?:{_DASH}|to|through)[ \t\n]{{0,3}}(?:\d|(?:{CARDINAL_WORDS})\b)"
)
_RANGE_BEFORE_LENGTH = any_case(
    rf"(?:(?:\d[)\]]?|(?<![A-Za-z])(?:{CARDINAL_WORDS})|\b(?:days?|weeks?|months?|years?))"
    rf"(?:[ \t\n]{{1,3}}(?:to|or|through|bis)[ \t\n]{{1,3}}|-to-|-or-|[ \t]{{0,2}}{_DASH}[ \t\n]{{0,2}})"
    rf"|(?:^|[\s(:|])[-\u2010-\u2013\u2212\u00b1])$"
)
_NEAR = 60


def doubts_amount(text: str, start: int, end: int, *, has_factor: bool = False) -> bool:
    """True where something that touches the amount of money at [start, end) may make it another one.

    A range, a fraction, a scale or letters that were not read. has_factor: it names its scale ("million").
    """
    after, before = text[end : end + _NEAR], text[max(0, start - _NEAR) : start]
    if _AFTER_MONEY.match(after) or _BEFORE_MONEY.search(before):
        return True
    if not has_factor and _SHARED_SCALE.match(after):
        return True
    written = text[start:end]
    if not _GROUPED.search(written):
        return False
    word = _LAST_WORD.search(before)
    leads = written[:1].isdigit() and word is not None and not _LEADS.fullmatch(word["word"])
    return leads or bool(_BLANK_DIGIT.match(after))


def cuts_number(text: str, start: int, end: int) -> bool:
    """True where [start, end) begins or ends within a number: "345.60" of "12'345.60"."""
    begins = text[start : start + 1].isdigit() and _INSIDE.search(text[max(0, start - 2) : start])
    ends = text[end - 1 : end].isdigit() and _GOES_ON.match(text[end : end + 2])
    return bool(begins or ends)


def continues_amount(text: str, end: int) -> bool:
    """True where the text after an amount of money that ends at `end` makes it another amount."""
    return bool(_AFTER_MONEY.match(text[end : end + _NEAR]))


def doubts_number(text: str, start: int, end: int) -> bool:
    """True where the characters on either side of a number make it another one: "5½", "2+3", "5±1"."""
    after, before = text[end : end + _NEAR], text[max(0, start - _NEAR) : start]
    return bool(_DOUBT_NUMBER.match(after) or _DOUBT_BEFORE_NUMBER.search(before))


def is_end_of_range(text: str, start: int, end: int) -> bool:
    """True where a length of time is one end of a range, or has a sign that no length has."""
    after, before = text[end : end + _NEAR], text[max(0, start - _NEAR) : start]
    return bool(_RANGE_AFTER_LENGTH.match(after) or _RANGE_BEFORE_LENGTH.search(before))


class NonOverlappingSpans:
    """The spans that were taken so far."""

    def __init__(self) -> None:
        self._spans: list[tuple[int, int]] = []

    def take(self, start: int, end: int) -> bool:
        """Take [start, end) unless a character of it is taken; whether it was taken now."""
        at = bisect_left(self._spans, (start, end))
        if at < len(self._spans) and self._spans[at][0] < end:
            return False
        if at and self._spans[at - 1][1] > start:
            return False
        insort(self._spans, (start, end))
        return True


_MAX_UNITS: Final = 2**63 - 1
_DIGITS = (
    rf"(?:\d{{1,3}}(?:[{BLANKS}]\d{{3}}){{1,6}}(?:\.\d{{1,12}})?"
    rf"|\d{{1,24}}(?:[.,{APOSTROPHES}]\d{{1,12}}){{0,8}}|\.\d{{1,12}})"
)
_NUMBER = (
    rf"(?P<sign>[-+\u2212])?[ ]?(?P<digits>{_DIGITS})(?:[ ]?[xX\u00d7\u00b7*][ ]?10\^?"
    rf"(?P<power>[-\u2212]?\d{{1,2}})|[eE](?P<exponent>[-+]?\d{{1,2}}))?"
)
_UNIT = (
    r"(?P<unit>[A-Za-z%\u00b0\u2103\u2109\u00b5\u03bc\u03a9\u2126\u2030\"']"
    r"[A-Za-z\u00b0\u00b5\u03bc\u03a9\u2126\u00b2\u00b30-9/^*\u00b7.\"'-]{0,29})?"
)
_QUANTITY = late_pattern(rf"\(?{_NUMBER}\)?[ \t\u00a0]{{0,3}}{_UNIT}")
_WORDED = any_case(
    rf"(?P<words>{CARDINAL_WORDS})(?:[ \t\n]{{0,3}}\([ ]?(?P<digits>\d{{1,12}}(?:[.,]\d{{1,3}}){{0,4}})"
    r"[ ]?%?[ ]?\))?[ \t\n-]{0,3}(?P<unit>[A-Za-z%][A-Za-z]{0,29})?"
)
_PERCENT = any_case(
    rf"(?<![\d.,A-Za-z])(?:(?P<words>{CARDINAL_WORDS})(?:[ \n-]{{1,2}}and[ \n-](?:a[ \n-]"
    r"|one[ \n-])?(?P<half>half))?[ \t\n]{0,3}(?:per[ ]?cent(?:age)?)?"
    r"[ \t\n]{0,3}(?:\([ ]?(?P<inside>\d{1,3}(?:[.,]\d{1,4})?)[ ]?%?[ ]?\))?[ \t\n]{0,3}(?P<mark>%"
    r"|per[ ]?cent\b)?|(?P<sign>(?<![\w.,)%])[-+\u2212])?(?P<plain>\d{1,3}(?:[.,]\d{1,6})?)"
    r"[ \t\n]{0,2}(?:%|per[ ]?cent\b|percentage[ ]points?))"
)

_SQUARE = any_case(
    r"\b(sq|square|cu|cubic)\.?[ ](ft|feet|foot|in|inch|inches|m|meters?|metres?|km|miles?|yards?|yd)\b\.?"
)
_NOT_UNIT_WORDS = "to or and of in for the by a an at on as per with from than is are net day days"
_NOT_UNITS = frozenset(_NOT_UNIT_WORDS.split())
_ENDS_OF_PLACES = frozenset(("st", "nd", "rd", "th"))


def parse_number(text: str, unit: str = "") -> TypedValue | None:
    """The number that `text` is, with its unit in canonical form, or None where it is anything else.

    "5 kg" is 5000 "g"; "five percent (5%)" is 5 "%"; a plain number has no unit. unit: the unit that
    the field wants, into which what was read is converted (None where it is of another kind; a number
    without unit is taken to be in it). Rounded to six places; None where that would change it visibly.
    """
    text = _SQUARE.sub(_of_square, text.strip()[:200])
    if percent := _percent(text):
        return percent if unit in ("", "%", "percent") else None
    match = _QUANTITY.fullmatch(text)
    if match:
        number = _decimal(match)
        written = (match["unit"] or "").strip()
        written = "" if written in _ENDS_OF_PLACES else written  # "4th" are no four thou
    else:
        worded = _WORDED.fullmatch(text)
        if worded is None:
            return None
        number, written = _of_words(worded), (worded["unit"] or "").strip()
    if number is None:
        return None
    return _quantity(number, written, unit, text)


def _of_square(match: re.Match[str]) -> str:
    return f"{match[2]}^{2 if match[1].lower().startswith('sq') else 3}"


def find_percents(text: str) -> list[tuple[int, int, TypedValue]]:
    """Every percentage in `text`, in order: (start, end, value with the unit "%").

    Words and digits that disagree ("ten percent (12%)") are AMBIGUOUS with both numbers in `text`. Left out
    is what touches more than was read.
    """
    found = []
    for match in _PERCENT.finditer(text):
        value = _percent_value(match)
        end = match.start() + len(match[0].rstrip())
        if value and not doubts_number(text, match.start(), end):
            found.append((match.start(), end, value))
    return found


def _percent(text: str) -> TypedValue | None:
    match = _PERCENT.fullmatch(text)
    return _percent_value(match) if match else None


def _percent_value(match: re.Match[str]) -> TypedValue | None:
    original = match[0].strip()
    if match["plain"]:
        number = read_digits(match["plain"].replace(",", "."))
        if number is None:
            return None
        return number_value(-number if match["sign"] in ("-", "\u2212") else number, "%", original)
    said = match[0].lower()
    if not (match["mark"] or "%" in said or "percent" in said or "per cent" in said):
        return None
    whole = parse_cardinal(match["words"])
    worded = None if whole is None else whole + (Decimal("0.5") if match["half"] else Decimal(0))
    inside = read_digits(match["inside"].replace(",", ".")) if match["inside"] else None
    if worded is not None and inside is not None and worded != inside:
        both = f"{plain_number(worded)}/{plain_number(inside)}"
        return TypedValue(FieldType.NUMBER, both, None, "%", original, special=Special.AMBIGUOUS)
    number = inside if worded is None else worded
    return number_value(number, "%", original) if number is not None else None


def _decimal(match: re.Match[str]) -> Decimal | None:
    number = read_digits(match["digits"])
    if number is None:
        return None
    power = (match["power"] or match["exponent"] or "0").replace("\u2212", "-")
    number = number.scaleb(int(power))
    negative = match["sign"] in ("-", "\u2212") or (match[0].startswith("(") and ")" in match[0])
    return -number if negative else number


def _of_words(match: re.Match[str]) -> Decimal | None:
    number = parse_cardinal(match["words"])
    digits = read_digits(match["digits"]) if match["digits"] else None
    if number is None or (digits is not None and digits != number):
        return None
    return Decimal(number)


def _quantity(number: Decimal, written: str, wanted: str, original: str) -> TypedValue | None:
    if written.lower() in _NOT_UNITS and written != "A":
        return None
    if not written:
        canonical = canonical_unit(wanted) if wanted else ""
        if canonical is None:
            return None
        return number_value(number, wanted, original)
    name = unit_name(written)
    if name in ("", "%"):
        return number_value(number, name, original) if wanted in ("", name) else None
    converted = convert(number, name, wanted)
    if converted is None:
        return None
    return number_value(converted[0], converted[1], original)


def number_value(number: Decimal, unit: str = "", original: str = "") -> TypedValue | None:
    """A number as a value; None where it does not fit what is stored."""
    rounded = number.quantize(Decimal(1).scaleb(-NUMBER_SCALE)) if abs(number) < Decimal(10) ** 18 else None
    if rounded is None or abs(rounded - number) * 1_000 > abs(number):
        return None
    if abs(units := int(rounded.scaleb(NUMBER_SCALE))) > _MAX_UNITS:
        return None
    return TypedValue(FieldType.NUMBER, plain_number(rounded), units, unit, original)
