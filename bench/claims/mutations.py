"""Changes to a true claim by plain rules, and other ways to say it that leave it true.

Nothing here reads values with the code that is measured: patterns of its own, and a seeded choice.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_MONTH = "|".join(MONTHS)
_US_DATE = re.compile(rf"\b({_MONTH}) (\d{{1,2}}), (\d{{4}})\b")
_EU_DATE = re.compile(rf"\b(\d{{1,2}}) ({_MONTH}) (\d{{4}})\b")
_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{4})(?![\d/])")
_MONTH_YEAR = re.compile(rf"\b({_MONTH}),? (\d{{4}})\b")
_NUMBER = re.compile(
    r"(?<![\w.,/-])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w-])|(?<![\w.,/:-])\d+(?:\.\d+)?(?![\w:/-]|[.,]\d)"
)
_SPELLED = "two three four five six seven eight nine ten twelve fifteen twenty thirty forty sixty ninety"
_WORDS = _SPELLED.split()
_WORDED = re.compile(rf"(?<![\w-])({'|'.join(_WORDS)})(?![\w-])", re.IGNORECASE)
_DIGITS = dict(zip(_WORDS, (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 40, 60, 90), strict=True))
_NAME = re.compile(r"(?<![.!?:;\"'\u201c(] )(?<!^)\b[A-Z][a-z]{3,}(?: [A-Z][a-z]{2,}){0,2}\b")
_NAMES = (
    "Kestrel",
    "Northwind",
    "Halvorsen",
    "Montclair",
    "Zimmerman",
    "Brightwater Holdings",
    "Osaka",
    "Patagonia",
    "Lindqvist",
    "Caldera Systems",
    "Winthrop",
    "Ferreira",
    "Meridian Capital",
    "Tanaka",
    "Edinburgh",
)
_MODAL = re.compile(
    r"\b(shall|will|may|must|is|are|was|were|has|have|does|do|did|can|could|should|would)\b"
    r"(?! not\b)(?=\s[a-z])",
)
_NOT = re.compile(
    r"\b(shall|will|may|must|is|are|was|were|has|have|does|do|did|can|could|should|would) not\b"
)
_UNITS = (
    (re.compile(r"\bdays\b"), "months"), (re.compile(r"\bmonths\b"), "years"),
    (re.compile(r"\byears\b"), "months"),
    (re.compile(r"\bmillion\b"), "billion"), (re.compile(r"\bbillion\b"), "million"),
    (re.compile(r"\$(?=\d)"), "\u20ac"), (re.compile(r"(?<=\d)%"), " days"),
    (re.compile(r"\bhours\b"), "weeks"),
    (re.compile(r"\bpercent\b"), "dollars"),
)  # fmt: skip
_LED = re.compile(
    r"^(If|When|Upon|Unless|Until|Although|After|Before|During)\b([^,]{10,120}), ([a-z][^.]{10,300})\.$"
)

Change = Callable[[str, random.Random], str | None]


def _replaced(text: str, match: re.Match[str], by: str) -> str:
    return text[: match.start()] + by + text[match.end() :]


def _outside_dates(text: str, pattern: re.Pattern[str]) -> list[re.Match[str]]:
    dates = [m.span() for p in (_US_DATE, _EU_DATE, _SLASHED, _MONTH_YEAR) for m in p.finditer(text)]
    return [m for m in pattern.finditer(text) if not any(a <= m.start() < b for a, b in dates)]


def change_number(text: str, rng: random.Random) -> str | None:
    """Another number in the place of one; in digits with the same separators."""
    places = [*_outside_dates(text, _NUMBER), *_WORDED.finditer(text)]
    if not places:
        return None
    match = rng.choice(places)
    if match[0][0].isdigit():
        at = rng.choice([i for i, c in enumerate(match[0]) if c.isdigit()])
        others = [d for d in "123456789" if d != match[0][at]]
        new = match[0][:at] + rng.choice(others) + match[0][at + 1 :]
    else:
        new = rng.choice([word for word in _WORDS if word != match[0].lower()])
    return _replaced(text, match, new)


def change_unit(text: str, rng: random.Random) -> str | None:
    """Another unit, scale or currency beside a number."""
    number = re.compile(r"\d|\b(?:" + "|".join(_WORDS) + r")\b")
    places = [
        (m, new)
        for pattern, new in _UNITS
        for m in pattern.finditer(text)
        if number.search(text[max(0, m.start() - 12) : m.end() + 4])
    ]
    return _replaced(text, *rng.choice(places)) if places else None


def change_date(text: str, rng: random.Random) -> str | None:
    """Another day, month or year in a date."""
    places = [m for p in (_US_DATE, _EU_DATE, _MONTH_YEAR) for m in p.finditer(text)]
    if not places:
        return None
    match = rng.choice(places)
    groups = list(range(1, len(match.groups()) + 1))
    group = rng.choice(groups)
    written = match[group]
    if written in MONTHS:
        new = rng.choice([month for month in MONTHS if month != written])
    elif len(written) == 4:
        new = str(int(written) + rng.choice((-3, -2, -1, 1, 2, 3)))
    else:
        new = str(rng.choice([day for day in range(1, 29) if day != int(written)]))
    return text[: match.start(group)] + new + text[match.end(group) :]


def change_name(text: str, rng: random.Random) -> str | None:
    """Another name in the place of a capitalised word or run of them inside a sentence."""
    months = set(MONTHS)
    places = [m for m in _NAME.finditer(text) if not months & set(m[0].split())]
    if not places:
        return None
    return _replaced(text, rng.choice(places), rng.choice([n for n in _NAMES if n not in text]))


def add_not(text: str, rng: random.Random) -> str | None:
    """A "not" after an auxiliary that has none."""
    places = list(_MODAL.finditer(text))
    if not places:
        return None
    match = rng.choice(places)
    return text[: match.end()] + " not" + text[match.end() :]


def remove_not(text: str, rng: random.Random) -> str | None:
    """A "not" after an auxiliary taken away."""
    places = list(_NOT.finditer(text))
    if not places:
        return None
    match = rng.choice(places)
    return _replaced(text, match, match[1])


MUTATIONS: dict[str, Change] = {
    "number": change_number, "date": change_date, "name": change_name, "added not": add_not,
    "removed not": remove_not, "unit": change_unit,
}  # fmt: skip


def _other_date(text: str, rng: random.Random) -> str | None:
    if match := _US_DATE.search(text):
        month, day, year = match.groups()
        iso = f"{year}-{MONTHS.index(month) + 1:02d}-{int(day):02d}"
        return _replaced(text, match, rng.choice((f"{day} {month} {year}", iso, f"{day} {month[:3]} {year}")))
    if match := _EU_DATE.search(text):
        day, month, year = match.groups()
        return _replaced(text, match, f"{month} {day}, {year}")
    return None


def _other_number(text: str, rng: random.Random) -> str | None:
    rules: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
        (r"(?<![\w.,])(\d{1,3}),000,000(?![\w,.]\d|\w)", lambda m: f"{m[1]} million"),
        (r"(?<![\w.,])(\d+(?:\.\d+)?)%", lambda m: f"{m[1]} percent"),
        (r"(?<![\w.,])(\d{1,3}),(\d{3})(?![\w,.]\d|\w)", lambda m: f"{m[1]}{m[2]}"),
        (rf"\b({'|'.join(_WORDS)}) (days|months|years|types|parties)\b", lambda m: f"{_DIGITS[m[1]]} {m[2]}"),
    )
    forms = [_replaced(text, m, write(m)) for pattern, write in rules for m in re.finditer(pattern, text)]
    return rng.choice(forms) if forms else None


def _reordered(text: str, rng: random.Random) -> str | None:
    match = _LED.match(text)
    if match is None:
        return None
    lead, rest, main = match.groups()
    return f"{main[0].upper()}{main[1:]} {lead.lower()}{rest}."


PARAPHRASES: tuple[Change, ...] = (_other_date, _other_number, _reordered)


def reworded(text: str, rng: random.Random) -> str:
    """The claim in another order or notation, still true; as it is where no rule applies."""
    for change in rng.sample(PARAPHRASES, len(PARAPHRASES)):
        text = change(text, rng) or text
    return text
