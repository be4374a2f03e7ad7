"""Months that take their year from elsewhere in the question: "the 2024 register, July to September"."""

from __future__ import annotations

import re

_NAMES = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_JOINT = r"\s*(?:-|–|—|,|/|to|through|thru|till|until|and|or|,\s*(?:and|or))\s*"
_BEFORE = r"(?:in|during|from|between|since|until|till|through|by|before|after|of|for|dated|within|end of)"
_YEAR = re.compile(r"(?<![\w./-])(?:19|20)\d\d(?![\w/-]|\.\d)")
_MONTHS = re.compile(
    rf"(?:(?<![\w.])(?P<before>{_BEFORE})\s+(?:(?:the\s+)?months?\s+(?:of\s+)?)?)?(?<![\w.])"
    rf"(?P<months>{_NAMES}(?:{_JOINT}(?i:{_NAMES}))*)(?P<behind>,?\s+(?:of\s+)?\d{{1,4}}(?:st|nd|rd|th)?\b)?"
)
_DAY_BEFORE = re.compile(r"\d(?:st|nd|rd|th)?\s+(?:of\s+)?$")
_THROUGH = re.compile(r"\b(?:through|thru)\b", re.IGNORECASE)


def with_years(text: str) -> str:
    """The question with the one year that it names behind each month that has none."""
    years = set(_YEAR.findall(text))
    if len(years) != 1:
        return text
    year = years.pop()

    def dated(match: re.Match[str]) -> str:
        is_said = match["before"] or len(re.findall(_NAMES, match["months"], re.IGNORECASE)) > 1
        if match["behind"] or not is_said or _DAY_BEFORE.search(text[: match.start("months")]):
            return match[0]
        whole = match[0].rstrip(".")
        return f"{_THROUGH.sub('to', whole)} {year}"

    return _MONTHS.sub(dated, text)
