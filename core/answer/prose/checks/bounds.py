"""Check of what bounds a claim's numbers: at least, up to, more than, about, half of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from core.answer.prose.checks.quantities import StatedQuantity, quantities
from core.domain.answer import Check
from core.text.words import word_lines

_REACH = 40
_GAP = r"(?:[ ](?:an?|the|additional|of|usd|us|eur|gbp))*[ ]?[(+$\u20ac\u00a3]*$"
_NOT = re.compile(r"\b(?:no|not|never|cannot|can't)(?: be| to)?$")
_LATEST = re.compile(r"\bno later than$")
_AHEAD = re.compile(r"^(?:\s*[\w-]+){0,2}\s+(?:before|prior to|ahead of)\b", re.I)
_TURNED = {"beyond": "most", "beneath": "least"}
_NEAR = "near"
_REPEATED = re.compile(r"^[ ]?(?:[A-Za-z]+[ ])?\([$\u20ac\u00a3]?[\d.,]+[ ]?(?:%|percent|per cent)?\)")
_BEHIND_WORD = re.compile(r"[A-Za-z] ?\([$\u20ac\u00a3]?$")
_LEADS = re.compile(r"[ ]?[A-Za-z%]{0,8}[ ]?(?:-|\u2013|to|and)[ ]?[$\u20ac\u00a3]?\d")
_FOLLOWS = re.compile(r"\d[ ]?[A-Za-z%]{0,8}[ ]?(?:-|\u2013|to|and)[ ]?[$\u20ac\u00a3]?$")


def check_bounds(text: str, sources: Sequence[str]) -> Check:
    """The bound of every number that a source has, too: one of its places there must be bounded alike.

    "About" may be left out, as a number is seldom more exact than its source; nothing else may.
    """
    faults = []
    for number in quantities(text):
        if number.is_year or number.value is None or _repeats(text, number):
            continue
        ours = bound_of(text, number)
        theirs = {
            bound
            for source in sources
            for other in quantities(source)
            if other.value == number.value and _alike(number, other) and not _repeats(source, other)
            for bound in (bound_of(source, other), *_ends_of_range(source, other))
        }
        if theirs and ours not in theirs and not (not ours and _NEAR in theirs):
            faults.append(f"{number.written!r} is bounded otherwise than in the source")
    return Check(name="bounds", ok=not faults, detail="; ".join(dict.fromkeys(faults)))


def bound_of(text: str, number: StatedQuantity) -> str:
    """Kind of the bound that stands with a number; "" for none.

    >>> text = "Up to 30 days"
    >>> bound_of(text, quantities(text)[0])
    'most'
    """
    before = " ".join(text[max(0, number.start - _REACH) : number.start].lower().split(" "))
    before = before.replace("\n", " ")
    if match := _before().search(before):
        kind = _kinds("bounds")[match[1].replace(" ", "_")]
        is_turned = kind in _TURNED and _NOT.search(before[: match.start(1)].rstrip())
        return _TURNED[kind] if is_turned else kind
    if _LATEST.search(before.rstrip()) and _AHEAD.match(text[number.end : number.end + _REACH]):
        return "least"  # no later than thirty days before the end
    after = _behind().match(
        " ".join(_REPEATED.sub("", text[number.end : number.end + _REACH]).lower().split())
    )
    return _kinds("bounds_behind")[after[1].replace(" ", "_")] if after else ""


def _ends_of_range(text: str, number: StatedQuantity) -> tuple[str, ...]:
    """Bounds that the end of a range may be said with: "5 to 10" is at least 5, up to 10, and about it."""
    if _LEADS.match(text, number.end):
        return ("least", _NEAR)
    return ("most", _NEAR) if _FOLLOWS.search(text[max(0, number.start - _REACH) : number.start]) else ()


def _repeats(text: str, number: StatedQuantity) -> bool:
    """True for a number in brackets behind the same in words: "five (5)"."""
    return bool(
        _BEHIND_WORD.search(text[max(0, number.start - 4) : number.start + (text[number.start] == "(")])
    )


def _alike(number: StatedQuantity, other: StatedQuantity) -> bool:
    return number.unit == other.unit or not number.unit or not other.unit


@cache
def _kinds(name: str) -> dict[str, str]:
    return {phrase: kind for kind, *phrases in word_lines("claims", name) for phrase in phrases}


@cache
def _before() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])({_choice('bounds')}){_GAP}")


@cache
def _behind() -> re.Pattern[str]:
    return re.compile(rf"(?:[^\w,.;]*[\w%-]+)?[ ]?({_choice('bounds_behind')})\b")


def _choice(name: str) -> str:
    phrases = sorted(_kinds(name), key=len, reverse=True)
    return "|".join(re.escape(phrase).replace("_", " ") for phrase in phrases)
