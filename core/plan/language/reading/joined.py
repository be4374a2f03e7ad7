"""Pieces that mean something only together: "in force on a day", "from effective date to expiry"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.lexicon.vocabulary import SEVERAL_MEANINGS
from core.plan.language.pieces import (
    Clause,
    Comparator,
    Fields,
    Filler,
    Link,
    Noun,
    Period,
    Piece,
    Span,
    Unknown,
    stems,
)
from core.plan.language.reading.longest_field import said_further
from core.plan.language.reading.roles import is_side, with_roles

_IN_FORCE = frozenset(
    ["in force", "in effect", "active", "valid", "current", "currently active", "still active",
     "currently in force", "still in force", "still in effect", "still valid", "ongoing"]
)  # fmt: skip
_NOW = frozenset(["in force", "in effect", "currently in force", "currently in effect"])
_AS_OF = ("as of", "as at", "on", "at", "in", "during", "throughout")
_NEAR = 4  # pieces between the words of a field that is said in two places


def joined(pieces: Sequence[Piece], lexicon: Lexicon, today: date) -> tuple[Piece, ...]:
    """The pieces with those that belong together as one, and each organisation with its side."""
    found = _overlapping(list(said_further(pieces, lexicon)), lexicon)
    found = _of_dates(_in_force(found, today))
    return with_roles(_said_again(_said_apart(found, lexicon)), lexicon)


def _overlapping(pieces: list[Piece], lexicon: Lexicon) -> list[Piece]:
    """ "days to pay an invoice": "pay an invoice" says the same field, and its noun is no kind asked for."""
    for at, piece in enumerate(pieces):
        if not isinstance(piece.meaning, Fields):
            continue
        end = next((n for n in range(at + 1, len(pieces)) if not isinstance(pieces[n].meaning, Filler)), -1)
        if end < 0 or end == at + 1 or not isinstance(pieces[end].meaning, Noun):
            continue
        words = [piece.text.split()[-1], *(each.text for each in pieces[at + 1 : end + 1])]
        again = lexicon.fields(stems(" ".join(words)))
        names = {(each.field.schema, each.field.name) for each in piece.meaning.matches[:1]}
        if again is None or names.isdisjoint((each.field.schema, each.field.name) for each in again.matches):
            continue
        text = " ".join([piece.text, *words[1:]])
        return [*pieces[:at], replace(piece, end=pieces[end].end, text=text), *pieces[end + 1 :]]
    return pieces


def _in_force(pieces: list[Piece], today: date) -> list[Piece]:
    """ "in force on 1 July 2025", "active during 2024"; by itself of today."""
    for at, piece in enumerate(pieces):
        text = piece.text.casefold()
        if text not in _IN_FORCE or not isinstance(piece.meaning, (Fields, Period)):
            continue
        after = next((n for n in range(at + 1, len(pieces)) if not isinstance(pieces[n].meaning, Filler)), -1)
        period = pieces[after].meaning if after > 0 else None
        if isinstance(period, Period) and not period.hint:
            covered = _covered(pieces[after], period)
            if covered is not None:
                reason = "begun by then, and not ended before"
                pieces[after] = replace(
                    pieces[after], text=f"{piece.text} {pieces[after].text}", meaning=covered, reason=reason
                )
                pieces[at] = replace(piece, meaning=Filler())
        elif text in _NOW and isinstance(piece.meaning, Fields):
            pieces[at] = replace(piece, meaning=Period(today, today, is_relative=True, covered=True))
    return pieces


def _covered(piece: Piece, period: Period) -> Period | None:
    text = piece.text.casefold()
    if period.first is not None and (period.last is not None or text.startswith(("as of", "as at"))):
        return replace(period, last=period.last or period.first, covered=True, length=None)
    return None


def _of_dates(pieces: list[Piece]) -> list[Piece]:
    """ "from their effective date to their expiry": two dates that nothing is compared with."""
    at = 0
    while at < len(pieces):
        if not _is_date(pieces[at]):
            at += 1
            continue
        words: list[str] = []
        end = at + 1
        while (end < len(pieces) and isinstance(pieces[end].meaning, Filler)) or (
            end < len(pieces) and pieces[end].text.casefold() in ("and", "to", "until", "up to", "till")
        ):
            words += pieces[end].text.casefold().split()
            end += 1
        is_second = (
            end < len(pieces) and _is_date(pieces[end]) and set(words) & {"to", "and", "until", "till"}
        )
        before = _before(pieces, at)
        opens = before >= 0 and pieces[before].text.casefold() in ("from", "between", "time between")
        if is_second and opens:
            first, last = pieces[at].meaning, pieces[end].meaning
            assert isinstance(first, Fields) and isinstance(last, Fields)  # noqa: PT018 - as `_is_date` has it
            text = " ".join(each.text for each in pieces[before : end + 1])
            whole = Piece(
                pieces[before].first, pieces[end].end, text, Span(first, last), "the time between two dates"
            )
            pieces[before : end + 1] = [whole]
            at = before
        at += 1
    return pieces


def _before(pieces: Sequence[Piece], at: int) -> int:
    """The place of the "from" or "between" before a date, past articles."""
    for place in range(at - 1, max(-1, at - 4), -1):
        piece = pieces[place]
        is_between = isinstance(piece.meaning, Comparator) and piece.meaning.op is Operator.BETWEEN
        if piece.text.casefold() in ("from", "between") or is_between:
            return place
        if not isinstance(piece.meaning, Filler):
            break
    return -1


def _is_date(piece: Piece) -> bool:
    return isinstance(piece.meaning, Fields) and any(
        match.field.type is FieldType.DATE for match in piece.meaning.matches[:3]
    )


def _said_apart(pieces: list[Piece], lexicon: Lexicon) -> list[Piece]:
    """ "cap the supplier's liability": a word of several meanings with another that makes it one field."""
    several = {stems(word) for word in SEVERAL_MEANINGS}
    for at, piece in enumerate(pieces):
        key = stems(piece.text)
        if not isinstance(piece.meaning, Fields) or key not in several:
            continue
        for other in _nearby(pieces, at):
            own = stems(pieces[other].text)
            fields = lexicon.fields((*own, *key)) or lexicon.fields((*key, *own))
            if fields is None or len(own) != 1 or fields.is_verb:
                continue
            reason = f"“{pieces[other].text} … {piece.text}” is {fields.matches[0].field.title!r}"
            first, second = sorted((at, other))
            said = f"{pieces[first].text} {pieces[second].text}"
            pieces[second] = replace(pieces[second], text=said, meaning=fields, reason=reason)
            pieces[first] = replace(pieces[first], meaning=Filler())
            for between in range(first + 1, second):
                if is_side(pieces[between]):
                    pieces[between] = replace(pieces[between], meaning=Filler())
            break
    return pieces


def _said_again(pieces: list[Piece]) -> list[Piece]:
    """ "a liability limit in USD ... the mean limit": the last word of a field that was named in full."""
    named: dict[str, Piece] = {}
    for at, piece in enumerate(pieces):
        key = stems(piece.text)
        if len(key) == 1 and key[0] in named and isinstance(piece.meaning, (Unknown, Fields)):
            earlier = named[key[0]]
            reason = f"stands for “{earlier.text}”"
            pieces[at] = replace(piece, meaning=earlier.meaning, reason=reason)
        elif isinstance(piece.meaning, Fields) and len(key) > 1 and not piece.meaning.is_verb:
            named.setdefault(key[-1], piece)
    return pieces


def _nearby(pieces: Sequence[Piece], at: int) -> list[int]:
    """Words near a place with which it may make one field, the nearest first."""
    near = [n for n in range(max(0, at - _NEAR), min(len(pieces), at + _NEAR + 1)) if n != at]
    fitting = [
        n
        for n in near
        if not isinstance(pieces[n].meaning, (Filler, Link, Clause, Noun)) and pieces[n].text[:1].isalpha()
    ]
    return sorted(fitting, key=lambda n: abs(n - at))
