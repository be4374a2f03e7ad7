"""Check of rates: their period ("per month"), and percent against percentage points."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache, lru_cache

from core.answer.prose.checks.quantities import quantities
from core.domain.answer import Check
from core.text.words import word_lines

_POINTS = re.compile(
    r"(?<![\w.,])(\d[\d,]*(?:\.\d+)?|\.\d+)[ -]?(percentage[ -]points?|pp\b|p\.p\."
    r"|basis[ -]points?|bps?\b|%|per ?cent(?!age))",
    re.I,
)
_REACH = 60
_TIMES = re.compile(r"\b(?:once|twice|thrice|times)\b", re.I)
_BY_EACH = re.compile(r"(?:each|every|an?)\s", re.I)  # beside no number, of anything


def check_rates(text: str, sources: Sequence[str]) -> Check:
    """Periods that no source names where it names others, and shares in points that are percent there."""
    faults = [*_periods(text, sources), *_shares(text, sources)]
    return Check(name="rates", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


def _periods(text: str, sources: Sequence[str]) -> list[str]:
    theirs = {period for source in sources for period, _, _ in periods(source)}
    faults = []
    for period, start, written in periods(text):
        if theirs and period not in theirs and not _is_counted(period, sources):
            is_counted = quantities(text) or _TIMES.search(text)
            if is_counted or not _BY_EACH.match(written):
                faults.append(f"says {written!r} where the source has {', '.join(sorted(theirs))}")
            continue
        numbers = _figures_before(text, start)
        beside = {
            found
            for source in sources
            for found, at, _ in periods(source)
            if numbers and numbers[-1] in _figures_before(source, at)[-1:]
        }
        if beside and period not in beside:
            faults.append(f"says {written!r} where the source has {', '.join(sorted(beside))}")
    return faults


def _is_counted(period: str, sources: Sequence[str]) -> bool:
    """True where a source counts by this period in other words ("for each of the months")."""
    return any(
        re.search(rf"\b(?:per|each|every)\b[^.;]{{0,20}}\b{period}", source, re.I) for source in sources
    )


def _figures_before(text: str, end: int) -> list[str]:
    """Figures of the same sentence that stand not far before a place, without marks."""
    near = re.split(r"[.;]\s", text[max(0, end - _REACH) : end])[-1]
    return [each.rstrip(".,").replace(",", "") for each in re.findall(r"\d[\d,.]*", near)]


@lru_cache(maxsize=512)
def periods(text: str) -> tuple[tuple[str, int, str], ...]:
    """Every period of a rate: its unit, where it stands, and as it is written.

    >>> periods("$5 per month")
    (('month', 3, 'per month'),)
    """
    return tuple(
        (_units()["_".join(m[0].lower().split())], m.start(), m[0]) for m in _pattern().finditer(text)
    )


@cache
def _units() -> dict[str, str]:
    return {phrase: unit for unit, *phrases in word_lines("claims", "periods") for phrase in phrases}


@cache
def _pattern() -> re.Pattern[str]:
    phrases = sorted(_units(), key=len, reverse=True)
    choice = "|".join(re.escape(phrase).replace("_", r"\s+") for phrase in phrases)
    return re.compile(rf"(?<![\w-])(?:{choice})(?![\w-])", re.I)


def points(text: str) -> frozenset[Decimal]:
    """Percentage points of a text, also of its basis points."""
    return frozenset(value for value, kind, _ in _points(text) if kind == "points")


def _shares(text: str, sources: Sequence[str]) -> list[str]:
    theirs = [(value, kind) for source in sources for value, kind, _ in _points(source)]
    faults = []
    for value, kind, written in _points(text):
        same = {other for number, other in theirs if number == value}
        if same and kind not in same:
            faults.append(f"says {written!r}; in the source it is in {min(same)}")
        elif kind == "points" and not same:
            faults.append(f"{written!r} is in none of the cited places")
    return faults


@lru_cache(maxsize=512)
def _points(text: str) -> tuple[tuple[Decimal, str, str], ...]:
    found = []
    for match in _POINTS.finditer(text):
        value, unit = Decimal(match[1].replace(",", "")), match[2].lower()
        if unit.startswith("b"):
            found.append((value / 100, "points", match[0]))
        elif unit.startswith(("percentage", "pp", "p.p")):
            found.append((value, "points", match[0]))
        else:
            found.append((value, "percent", match[0]))
    return tuple(found)
