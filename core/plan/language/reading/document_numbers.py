"""Numbers behind a kind of document: "invoices 1042 and 07" are these documents, and no amounts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.fields import FieldType
from core.plan.catalogue import DocumentEntry, ValueEntry
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import (
    Comparing,
    Connective,
    Documents,
    Filler,
    Noun,
    Piece,
    Quantity,
    Unknown,
    Values,
    singular,
    stem,
)
from core.plan.language.reading.read import Reading

_CALLED = frozenset(["number", "numbers", "no", "nos", "nr", "nrs", "num", "numbered"])


def of_numbers(reading: Reading, lexicon: Lexicon) -> Reading:
    """The reading in which numbers listed behind a kind of document are those documents."""
    pieces = list(reading.pieces)
    for at, piece in enumerate(pieces):
        if not isinstance(piece.meaning, Noun) or not piece.meaning.schema or not piece.meaning.is_plural:
            continue
        end, numbers = _listed(reading, pieces, at + 1)
        if len(numbers) < 2:
            continue
        named = [_named(pieces[place], piece, lexicon) for place in numbers]
        if any(isinstance(each.meaning, Comparing) for each in pieces):
            return _each(reading, pieces, dict(zip(numbers, named, strict=True)))
        made = _as_one([pieces[place] for place in numbers], named, piece)
        if made:
            before = _without_count(pieces[:at])
            return replace(reading, pieces=(*before, *pieces[at : numbers[0]], *made, *pieces[end:]))
    return reading


def _listed(reading: Reading, pieces: Sequence[Piece], at: int) -> tuple[int, list[int]]:
    """The places of numbers that follow one another, and where the list ends."""
    numbers: list[int] = []
    end = at
    while at < len(pieces):
        piece = pieces[at]
        if _is_number(piece):
            numbers.append(at)
            end = at + 1
        elif not _is_between(reading, piece, is_begun=bool(numbers)):
            break
        at += 1
    return end, numbers


def _is_number(piece: Piece) -> bool:
    is_plain = isinstance(piece.meaning, Quantity) and piece.meaning.value.type is FieldType.NUMBER
    is_written = is_plain or isinstance(piece.meaning, (Values, Documents, Unknown))
    has_digits = any(char.isdigit() for char in piece.text)
    return is_written and has_digits and " " not in piece.text and not piece.text.startswith(("$", "€", "£"))


def _is_between(reading: Reading, piece: Piece, *, is_begun: bool) -> bool:
    """Whether a piece may stand before the numbers or between two of them."""
    if reading.tokens[piece.first].word in _CALLED:
        return True
    return is_begun and isinstance(piece.meaning, Connective) and piece.meaning.word in (",", "and", "or")


def _named(number: Piece, noun: Piece, lexicon: Lexicon) -> DocumentEntry | ValueEntry | None:
    """The document of a kind that a number names by its title, or the number that one states."""
    kind = noun.meaning
    assert isinstance(kind, Noun)  # chosen for it
    parts = [stem(part) for part in number.text.replace("/", "-").split("-") if part]
    called = [stem(singular(word.casefold())) for word in noun.text.split()[-1:]]
    titled = [
        each.document
        for each in lexicon.titled([*called, *parts])
        if each.document.schema == kind.schema and (not kind.kind or each.document.kind in ("", kind.kind))
    ]
    if len(titled) == 1:
        return titled[0]
    values = lexicon.values(tuple(parts))
    stated = [each for each in (values.values if values is not None else ()) if each.schema == kind.schema]
    return stated[0] if len(stated) == 1 else None


def _each(
    reading: Reading, pieces: Sequence[Piece], named: dict[int, DocumentEntry | ValueEntry | None]
) -> Reading:
    """The reading with each number as the document that it names: the sides of a comparison."""
    kept = list(pieces)
    for place, found in named.items():
        if isinstance(found, DocumentEntry):
            reason = f"is the number of {found.title}"
            kept[place] = replace(kept[place], meaning=Documents((found,), is_exact=True), reason=reason)
    return replace(reading, pieces=tuple(kept))


def _as_one(
    numbers: Sequence[Piece], named: Sequence[DocumentEntry | ValueEntry | None], noun: Piece
) -> list[Piece]:
    """One piece for all documents that are named, and one for each number that none has; [] for amounts."""
    documents = tuple(each for each in named if isinstance(each, DocumentEntry))
    values = tuple(each for each in named if isinstance(each, ValueEntry))
    if (not documents and not values) or (documents and values) or len({each.field for each in values}) > 1:
        return []
    text = ", ".join(each.text for each in numbers)
    whole = Documents(documents, is_exact=True) if documents else Values(values)
    reason = f"are the numbers of {len(documents or values)} {noun.text}"
    made = [replace(numbers[0], end=numbers[-1].end, text=text, meaning=whole, reason=reason)]
    for piece, found in zip(numbers, named, strict=True):
        if found is None:
            made.append(replace(piece, meaning=Unknown(), reason=f"is the number of none of the {noun.text}"))
    return made


def _without_count(pieces: Sequence[Piece]) -> list[Piece]:
    """ "The three invoices (…)": how many they are, which their numbers say."""
    kept = list(pieces)
    if kept and isinstance(kept[-1].meaning, Quantity):
        kept[-1] = replace(kept[-1], meaning=Filler(), reason="says how many they are")
    return kept
