"""Places whose law can govern a contract: states, provinces, countries, and how their law is called."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.text.patterns import any_case
from core.text.words import table

_TABLE = table(__file__, "places")
_STATES: list[str] = list(_TABLE["states"].values())
_COUNTRIES: list[str] = _TABLE["countries"]
_OTHER_NAMES: dict[str, str] = _TABLE["other_names"]
_ADJECTIVES: dict[str, str] = _TABLE["adjectives"]
POSTAL: dict[str, str] = _TABLE["states"] | {
    code: f"{name}, Canada" for code, name in _TABLE["canada"].items()
}
"""States and provinces by their postal abbreviations, in capitals."""


def _canonical_names() -> dict[str, str]:
    names = {name: name for name in [*_STATES, *_COUNTRIES]}
    for country, provinces in _TABLE["provinces"].items():
        names |= {name: f"{name}, {country}" for name in provinces}
    return names | _OTHER_NAMES


_CANONICAL = _canonical_names()
_FOLDED = {" ".join(name.lower().split()): place for name, place in _CANONICAL.items()}
_FOLDED_ADJECTIVES = {name.lower(): place for name, place in _ADJECTIVES.items()}


def _alternatives(names: list[str]) -> str:
    ordered = sorted(names, key=len, reverse=True)
    return "|".join(re.escape(name).replace(r"\ ", r"[\s]{1,4}") for name in ordered)


PLACE = f"(?:{_alternatives(list(_CANONICAL))})"
"""A pattern for the name of a place; for use with IGNORECASE where the text may be all capitals."""

ADJECTIVE = f"(?:{_alternatives(list(_ADJECTIVES))})"
"""A pattern for what law is called after its country: "English", "Swiss"."""

_PLACE = any_case(rf"(?<![A-Za-z]){PLACE}(?![A-Za-z])")
_SHORT = re.compile(r"[A-Za-z.]{1,6}")


STATES = frozenset(_STATES)
"""The states of the United States."""


class Place(NamedTuple):
    """A place, and the span of its name."""

    start: int
    end: int
    name: str


def canonical_place(name: str) -> str:
    """The one name of a place, also of an adjective ("English"); "" for what is no place."""
    folded = " ".join(name.lower().split())
    return _FOLDED.get(folded) or _FOLDED_ADJECTIVES.get(folded, "")


def find_places(text: str, start: int = 0, end: int | None = None) -> list[Place]:
    """The places that are named in `text[start:end]`, in order. Abbreviations count in capitals only."""
    found = []
    for match in _PLACE.finditer(text, start, len(text) if end is None else end):
        name = match[0]
        if (
            _SHORT.fullmatch(name)
            and name.lower() not in _FOLDED_LONG
            and name != _AS_WRITTEN.get(name.lower())
        ):
            continue
        place = canonical_place(name)
        if place:
            found.append(Place(match.start(), match.end(), place))
    return found


_AS_WRITTEN = {name.lower(): name for name in _OTHER_NAMES if _SHORT.fullmatch(name)}
_FOLDED_LONG = frozenset(name.lower() for name in [*_STATES, *_COUNTRIES])
