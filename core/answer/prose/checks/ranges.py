"""Check of ranges and changes: "from 5 to 10" is not "from 10 to 5", and an end in May no beginning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from core.answer.prose.checks.dates import dates
from core.answer.prose.checks.quantities import quantities
from core.domain.answer import Check
from core.text.words import word_lines

_REACH = 60  # characters before a date in which stands what happens then
_FROM = re.compile(r"\bfrom\b[^.;\d]{0,25}$", re.I)
_TO = re.compile(r"\b(?:up |down |through |un)?to\b[^.;\d]{0,25}$", re.I)
_FORWARD = re.compile(r"[^.;\d]{0,25}?\b(?:to|until|through)\b[^.;\d]{0,25}", re.I)
_BACKWARD = re.compile(r"[^.;\d]{0,25}?\bfrom\b[^.;\d]{0,25}", re.I)
_BESIDE = re.compile(r"[^.;\d]{0,25}?\b(?:and|compared (?:to|with)|versus|vs\.?|or)\b[^.;\d]{0,25}", re.I)
_BETWEEN = re.compile(r"\bbetween\b[^.;\d]{0,20}$", re.I)


class _Ends(NamedTuple):
    """Two values in the order in which one leads to the other, or in which they are listed."""

    one: str
    other: str
    is_listed: bool


def check_ranges(text: str, sources: Sequence[str]) -> Check:
    """Ends of the claim's ranges, and figures side by side, that a source has only the other way round."""
    stated = {ends for source in sources for ends in _ends(source)}
    plain = {(each.one, each.other) for each in stated}
    faults = [
        f"{one!r} and {other!r} have exchanged their places"
        for one, other, is_listed in _ends(text)
        if (one, other) not in plain and _Ends(other, one, is_listed) in stated
    ]
    theirs = [event for source in sources for event in _events(source)]
    for kind, date in _events(text):
        known = {other for other, each in theirs if each == date}
        if known and kind not in known:
            faults.append(f"has {kind!r} at a date that is the {min(known)!r} of the source")
    return Check(name="ranges", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


@lru_cache(maxsize=512)
def _events(text: str) -> tuple[tuple[str, str], ...]:
    """Dates before which something begins or ends is said, each with which: ("begin", "2023-07-01")."""
    found, after = [], 0
    for start, end, reading in _dates(text):
        words = re.findall(r"[a-z]+", text[max(after, start - _REACH) : start].lower())
        kinds = [kind for word in words if (kind := _event_kinds().get(word))]
        if kinds and len(set(kinds)) == 1:
            found.append((kinds[0], reading))
        after = end
    return tuple(found)


@cache
def _event_kinds() -> dict[str, str]:
    return {form: kind for kind, *forms in word_lines("claims", "dated_events") for form in (kind, *forms)}


@lru_cache(maxsize=512)
def _ends(text: str) -> tuple[_Ends, ...]:
    places = _values(text)
    found = []
    for (start, end, one), (after, _, other) in pairwise(places):
        gap, before = text[end:after], text[max(0, start - 30) : start]
        if one == other or len(gap) > 60:
            continue
        if _FROM.search(before) and _FORWARD.fullmatch(gap):
            found.append(_Ends(one, other, is_listed=False))
        elif _TO.search(before) and _BACKWARD.fullmatch(gap):
            found.append(_Ends(other, one, is_listed=False))
        elif _BESIDE.fullmatch(gap) and not _BETWEEN.search(before):
            found.append(_Ends(one, other, is_listed=True))
    return tuple(found)


def _values(text: str) -> list[tuple[int, int, str]]:
    """Numbers and dates with where they stand, each in one notation."""
    found = [
        (each.start, each.end, f"{each.value}{each.unit}")
        for each in quantities(text)
        if each.value is not None
    ]
    return sorted(found + _dates(text))


def _dates(text: str) -> list[tuple[int, int, str]]:
    """Dates with where they stand."""
    found, at = [], 0
    for written, reading in dates(text):
        at = text.find(written, at)
        if at >= 0:
            found.append((at, at + len(written), reading))
            at += len(written)
        else:
            at = 0
    return found
