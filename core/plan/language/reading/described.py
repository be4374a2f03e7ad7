"""Organisations that a question describes instead of naming them: "the supplier that holds the ISO 14001
certificate", "the company certified to ISO 9001", "the pump house contractor", "the tire shop".

What describes them stands in other documents, which have to be looked up first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.fields import FieldType
from core.plan.catalogue import FieldEntry, ValueEntry
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import (
    Ask,
    Clause,
    Comparator,
    Computed,
    Described,
    Documents,
    Fields,
    Filler,
    Link,
    Period,
    Piece,
    Policy,
    Quantity,
    Unknown,
    Values,
)
from core.plan.language.reading.read import Reading

_CUSTOMERS = frozenset(["customer", "client", "buyer", "purchaser", "tenant", "lessee", "licensee"])
_ROLES = _CUSTOMERS | frozenset(
    ["company", "firm", "supplier", "vendor", "contractor", "provider", "seller", "shop", "store", "dealer",
     "organisation", "organization", "manufacturer", "holder", "landlord", "builder", "business", "garage",
     "broker", "insurer", "licensor", "lessor", "merchant", "maker", "partner", "workshop"]
)  # fmt: skip
_PREPOSITIONS = frozenset(["under", "up to"])
_COMPARED = (Quantity, Period, Computed, Policy, Fields, Unknown)
_THAT = frozenset(["that", "which", "who"])
_DETERMINED = frozenset(["the", "this", "that", "our", "a"])
_MOST_VERBS = 3  # pieces between "that" and what it is about


def described(reading: Reading, lexicon: Lexicon) -> Reading:
    """The reading with every description of an organisation as one piece."""
    pieces = list(reading.pieces)
    at = 0
    while at < len(pieces):
        found = _clause(reading, pieces, at, lexicon) or _compound(reading, pieces, at, lexicon)
        if found is not None:
            end, meaning = found
            text = reading.question[
                reading.tokens[pieces[at].first].start : reading.tokens[pieces[end - 1].end - 1].end
            ]
            reason = f"is the {meaning.field.title.lower()} that other documents state"
            pieces[at:end] = [
                replace(pieces[at], end=pieces[end - 1].end, text=text, meaning=meaning, reason=reason)
            ]
        at += 1
    return replace(reading, pieces=tuple(pieces))


def without_prepositions(reading: Reading) -> Reading:
    """The reading without signs that compare nothing: "under what law", "under the purchase order"."""
    pieces = list(reading.pieces)
    for at, piece in enumerate(pieces):
        if not isinstance(piece.meaning, Comparator) or piece.text.casefold() not in _PREPOSITIONS:
            continue
        after = next((p for p in pieces[at + 1 :] if not isinstance(p.meaning, Filler)), None)
        if after is None or not isinstance(after.meaning, _COMPARED):
            pieces[at] = replace(piece, meaning=Filler(), reason="says under what, and compares nothing")
    return replace(reading, pieces=tuple(pieces))


def _clause(
    reading: Reading, pieces: Sequence[Piece], at: int, lexicon: Lexicon
) -> tuple[int, Described] | None:
    """A role, with or without "that", what it does, and with which document or value."""
    if not _is_role(reading, pieces, at) or _is_asked(pieces, at):
        return None
    place = at + 1
    has_that = place < len(pieces) and _word(reading, pieces[place]) in _THAT
    place += has_that
    verbs: list[Piece] = []
    while place < len(pieces) and len(verbs) <= _MOST_VERBS:
        piece = pieces[place]
        if isinstance(piece.meaning, (Values, Documents)):
            break
        if not isinstance(piece.meaning, (Fields, Unknown, Filler, Link)):
            return None
        if not isinstance(piece.meaning, Filler):
            verbs.append(piece)
        place += 1
    end = _objects_end(pieces, place)
    if end == place or not verbs or len(verbs) > _MOST_VERBS:
        return None
    if not has_that and not _is_verb(verbs[0]):
        return None
    meaning = _meaning(pieces[place:end], verbs, pieces[at], reading, lexicon)
    if meaning is None:
        return None
    while end < len(pieces) and isinstance(pieces[end].meaning, Clause):
        end += 1
    return end, meaning


def _compound(
    reading: Reading, pieces: Sequence[Piece], at: int, lexicon: Lexicon
) -> tuple[int, Described] | None:
    """A value or document, and the role right behind it: "the tire shop", "the pump house contractor's"."""
    end = _objects_end(pieces, at)
    before = reading.tokens[pieces[at].first - 1].word if pieces[at].first else ""
    if end == at or end >= len(pieces) or before not in _DETERMINED:
        # "2024 total for tire shop" leaves the article out
        return None
    if not _is_role(reading, pieces, end) or _is_asked(pieces, at):
        return None
    meaning = _meaning(pieces[at:end], [], pieces[end], reading, lexicon)
    return None if meaning is None else (end + 1, meaning)


def _objects_end(pieces: Sequence[Piece], at: int) -> int:
    """Where the values or the document that begin at a piece end."""
    end = at
    while end < len(pieces) and isinstance(pieces[end].meaning, Values):
        end += 1
    if end == at and end < len(pieces) and isinstance(pieces[end].meaning, Documents):
        end += 1
    return end


def _is_role(reading: Reading, pieces: Sequence[Piece], at: int) -> bool:
    return at < len(pieces) and _word(reading, pieces[at]) in _ROLES


def _is_asked(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the role is itself what is asked for: "which company holds ..."."""
    before = next((p for p in reversed(pieces[:at]) if not isinstance(p.meaning, Filler)), None)
    if before is None or not isinstance(before.meaning, Ask):
        return False
    return before.meaning.how in ("which", "who", "what", "list", "count")


def _is_verb(piece: Piece) -> bool:
    text = piece.text.casefold().split()[0]
    is_said = isinstance(piece.meaning, Fields) and piece.meaning.is_verb
    return is_said or text.endswith(("ed", "ing"))


def _meaning(
    objects: Sequence[Piece], verbs: Sequence[Piece], role: Piece, reading: Reading, lexicon: Lexicon
) -> Described | None:
    documents = next((p.meaning.documents for p in objects if isinstance(p.meaning, Documents)), ())
    values = [p.meaning for p in objects if isinstance(p.meaning, Values)]
    schemas = [each.schema for each in documents] or _common(values)
    for name in dict.fromkeys(schemas):
        field = _field(name, verbs, role, reading, lexicon)
        if field is None:
            continue
        own = tuple(each for each in documents if each.schema == name)
        stated = tuple(v for each in values if (v := _value(each, name)) is not None)
        return Described(field, own, stated)
    return None


def _common(values: Sequence[Values]) -> list[str]:
    """The schemas that all of the values are of, the likeliest first."""
    if not values:
        return []
    return [
        each.schema
        for each in values[0].values
        if all(any(other.schema == each.schema for other in rest.values) for rest in values[1:])
    ]


def _value(values: Values, schema: str) -> tuple[ValueEntry, bool] | None:
    found = next((each for each in values.values if each.schema == schema), None)
    return None if found is None else (found, values.is_part)


def _field(
    schema: str, verbs: Sequence[Piece], role: Piece, reading: Reading, lexicon: Lexicon
) -> FieldEntry | None:
    """The field that the organisation is the value of: the verb's, the role's, or the one that acts."""
    entry = lexicon.catalogue.schema(schema)
    parties = [each for each in entry.fields if each.type is FieldType.PARTY] if entry is not None else []
    if not parties:
        return None
    for piece in (*verbs, role):
        if isinstance(piece.meaning, Fields):
            for match in piece.meaning.matches:
                if match.field.schema == schema and match.field.type is FieldType.PARTY:
                    return match.field
    if _word(reading, role) in _CUSTOMERS:
        return next((each for each in parties if each.name == "customer"), parties[0])
    return parties[0]


def _word(reading: Reading, piece: Piece) -> str:
    return reading.tokens[piece.first].word if piece.end - piece.first == 1 else ""
