"""Bare numbers that count documents: "which three contracts", "the two modules", "the first 3 agreements"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.annotation import Aggregate
from core.domain.fields import FieldType
from core.plan.language.pieces import (
    Ask,
    Comparator,
    Documents,
    Fields,
    Filler,
    Function,
    Noun,
    Ordering,
    Parties,
    Piece,
    Quantity,
    Top,
    Values,
)
from core.plan.language.syntax.measures import Work

MOST = 100
_PASSED = (Function, Top, Parties, Documents, Values, Filler)


def counts(work: Work) -> None:
    """Reads such numbers as how many are wanted, where the question has an order; else they say nothing."""
    for at, piece in enumerate(work.pieces):
        count = _count(piece)
        before = next((p for p in reversed(work.pieces[:at]) if not isinstance(p.meaning, Filler)), None)
        if not count or (before is not None and isinstance(before.meaning, Comparator)):
            continue
        if not _is_of_documents(work, at):
            continue
        extreme = next(
            (p.meaning for p in work.pieces if isinstance(p.meaning, Function) and p.meaning.is_extreme), None
        )
        is_ordered = extreme is not None or any(isinstance(p.meaning, (Top, Ordering)) for p in work.pieces)
        meaning: Top | Filler = Filler()
        if is_ordered:
            descending = None if extreme is None else extreme.name is Aggregate.MAX
            of_time = extreme is not None and extreme.of_time
            hint, ahead = ("", False) if extreme is None else (extreme.hint, extreme.ahead)
            meaning = Top(count, descending, of_time, hint, ahead)
        work.pieces[at] = replace(piece, meaning=meaning)


def _count(piece: Piece) -> int:
    """The small whole number that a piece is; 0 where it is none."""
    if not isinstance(piece.meaning, Quantity):
        return 0
    value = piece.meaning.value
    is_plain = value.type is FieldType.NUMBER and not value.unit and value.text.isdigit()
    number = int(value.text) if is_plain and len(value.text) < 4 else 0
    return number if number <= MOST else 0


def _is_of_documents(work: Work, at: int) -> bool:
    """Whether what is counted comes right behind: a kind of document, or the values of a field."""
    for piece in work.pieces[at + 1 :]:
        if isinstance(piece.meaning, Noun) or piece.text.casefold() in ("ones", "of"):
            return True
        if isinstance(piece.meaning, Fields):
            types = {match.field.type for match in piece.meaning.matches[:1]}
            is_many = piece.text.casefold().endswith("s") and not piece.meaning.is_verb
            return is_many and bool(types & {FieldType.PARTY, FieldType.TEXT, FieldType.ENUM})
        if not isinstance(piece.meaning, _PASSED):
            return False
        if isinstance(piece.meaning, (Documents, Values)) and piece.text.casefold().endswith("s"):
            return True
    return False


def counted(pieces: Sequence[Piece]) -> list[str]:
    """The numbers among the pieces that count documents, as they are written."""
    work = Work([piece for piece in pieces if not isinstance(piece.meaning, Ask)])
    before = list(work.pieces)
    counts(work)
    return [old.text for old, new in zip(before, work.pieces, strict=True) if old is not new]
