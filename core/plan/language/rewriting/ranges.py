"""Ranges of amounts in the words that the grammar reads: "20-25 kg" as "between 20 kg and 25 kg"."""

from __future__ import annotations

import re

_AMOUNT = r"\d[\d.,]*\d|\d"
_SCALE = r"k|thousand|million|billion"
_UNIT = (
    r"%|percent|°C|°F|degrees(?:\s[CF])?|mm|cm|km|kg|kWp|kWh|kW|Wp|Wh|kV|kA|mA|dB|kPa|Pa|Nm|Hz|W|V|A|m|g|t|inches"
    r"|met(?:er|re)s|(?:kilo)?grams?|kilos|tons|(?:kilo)?watts|volts|amps|pascals|lbs|feet|ft"
    r"|EUR|USD|GBP|CHF|euros?|dollars?|pounds?|francs?|days?|weeks?|months?|years?"
)
_RANGE = re.compile(
    rf"(?<![\w.,-])(?<!between )(?:(?:anywhere|somewhere|ranging)\s+)?(?:from\s+)?"
    rf"(?P<sign>[$€£]\s?)?(?P<one>{_AMOUNT})(?:\s?(?P<scale>{_SCALE})\b)?\s?(?P<own>{_UNIT})?"
    rf"\s*(?:-|–|—|\bto\b|\bup to\b|\buntil\b)\s*"
    rf"(?P<again>[$€£]\s?)?(?P<other>{_AMOUNT})(?:\s?(?P<scaled>{_SCALE})\b)?(?:\s?(?P<unit>{_UNIT})(?!\w))?",
    re.IGNORECASE,
)


def in_plain_ranges(text: str) -> str:
    """The text with ranges of amounts as "between ... and ..."; those without unit or currency stay."""
    return _RANGE.sub(_between, text)


def _between(match: re.Match[str]) -> str:
    """Unit, scale and currency of the second amount hold for the first, too: "10 to 20 million"."""
    unit, sign = match["unit"] or "", match["sign"] or match["again"] or ""
    if not unit and not sign:
        return match[0]
    first = _joined(sign, match["one"], match["scale"] or match["scaled"], match["own"] or unit)
    return f"between {first} and {_joined(sign, match['other'], match['scaled'], unit)}"


def _joined(sign: str, number: str, scale: str | None, unit: str) -> str:
    return " ".join(part for part in (f"{sign.strip()}{number}", scale, unit) if part)
