"""Edges of an amount in its text: an amount is a fact only where all that touches it was understood."""

from __future__ import annotations

import re

from core.values.number_words import CARDINAL_WORDS

_B = r"[ \t\u00a0\u202f]{0,3}"
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

_AFTER_MONEY = re.compile(
    rf"[A-Za-z0-9_%\u2030\u00b0^\u00b2\u00b3\u00b9\[]|{_B}{_FRACTION}|[.,'\u2019:/]\d|/_"
    rf"|{_B}(?i:{_NO_SCALE})"
    rf"|{_B}(?:{_DASH}|\.{{2,3}}|\u2026|~){_LINE}{_NEXT}|{_B}(?:\u00b1|\+/?-?|[*\u00d7x/]){_B}{_NEXT}"
    rf"|{_LINE}(?i:to|through|thru|up[ ]to|bis|plus[ ]or[ ]minus){_LINE}(?:{_NEXT}|(?i:{CARDINAL_WORDS})\b)"
    rf"|{_B}\d{{1,2}}/\d{{1,2}}(?![\d/])|{_B}\d[\d.,]{{0,20}}{_B}(?i:{_SCALE})"
    rf"|{_B}\((?i:in[ ])?['\u2019]?(?i:thousands?|millions?|billions?|0?00s?)\b"
    rf"|{_DASH}{_B}(?!{_B}[A-Za-z(])"
)
_SHARED_SCALE = re.compile(
    rf"{_LINE}(?:and/or|and|or|{_DASH}|to|/){_LINE}{_NEXT}[\d.,]{{0,20}}{_LINE}-?(?i:{_SCALE}|{_NO_SCALE})"
)
_BEFORE_MONEY = re.compile(
    rf"(?:\d{_B}(?:(?i:{_SCALE})\.?{_B})?(?:[A-Z]{{3}}{_B})?(?:(?i:dollars|euros?|pounds){_B})?"
    rf"(?:{_DASH}|\u2026|\.{{2,3}}|~|\u00b1|[*\u00d7x/+]|\+/-|\n?{_B}(?i:to|through|thru|up[ ]to|bis)\n?){_B}"
    rf"|(?<![A-Za-z])(?i:{CARDINAL_WORDS})[ \n]{{1,3}}(?:(?i:dollars|euros?|pounds)[ \n]{{1,3}})?"
    rf"(?i:to|through)[ \n]{{1,3}}"
    rf"|[\w.,][-+\u2212]|\d[.,']?|[\u2012\u2013\u00b1~^/]"
    rf"|(?<![A-Za-z])[A-Z]{{1,3}}|_|{_FRACTION}{_B})$"
)
_GROUPED = re.compile(r"\d[ \u00a0\u202f]\d")
_BLANK_DIGIT = re.compile(r"[ \u00a0\u202f]\d")
_LEADS = re.compile(
    r"(?:of|for|is|was|are|were|by|to|at|be|exceed|than|over|about|least|most|sum|amounts?|totals?|price"
    r"|fee|value|pays?|paid|costs?|approximately|approx|around|equals|under|and|plus|or|und|von|de|um|auf|ca|montant|prix"
    r"|receive|received|owe[sd])",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(r"(?P<word>[^\W\d_]+)[ \t]{1,3}$")

_DOUBT_NUMBER = re.compile(
    rf"[A-Za-z0-9_^]|{_B}(?:{_FRACTION}|[%\u2030\u00b0\u2103\u2109\u00b5\u03bc\u03a9\u2126])|[.,'\u2019:/]\d"
    rf"|[\u00b2\u00b3\u00b9]|{_B}\d{{1,2}}/\d{{1,2}}(?![\d/])"
    rf"|{_B}(?:\u00b1|\+/?-?|[*\u00d7x/]){_B}\.?\d|{_DASH}{_B}(?:$|\n)"
)
_DOUBT_BEFORE_NUMBER = re.compile(
    rf"(?:[\w.,][-+\u2212]?|\d{_B}[*\u00d7x/+^\u00b1]{_B}|{_FRACTION}|[\u00b1^])$"
)

_RANGE_AFTER_LENGTH = re.compile(
    rf"[ \t\n]{{0,3}}(?:{_DASH}|to|through)[ \t\n]{{0,3}}(?:\d|(?:{CARDINAL_WORDS})\b)", re.IGNORECASE
)
_RANGE_BEFORE_LENGTH = re.compile(
    rf"(?:(?:\d[)\]]?|(?<![A-Za-z])(?:{CARDINAL_WORDS})|\b(?:days?|weeks?|months?|years?))"
    rf"(?:[ \t\n]{{1,3}}(?:to|or|through|bis)[ \t\n]{{1,3}}|-to-|-or-|[ \t]{{0,2}}{_DASH}[ \t\n]{{0,2}})"
    rf"|(?:^|[\s(:|])[-\u2010-\u2013\u2212\u00b1])$",
    re.IGNORECASE,
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
