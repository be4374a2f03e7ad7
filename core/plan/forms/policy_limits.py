"""The limit that a policy sets, by what it limits: "over the maximum liability cap of our policy"."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.fields import FieldType
from core.plan.language.pieces import Clause, Fields, Filler, Function, Grouping, Link, Piece, Policy
from core.plan.language.reading.read import Reading

_REACH = 7  # pieces between what is limited and the policy
_LIMITS = frozenset(
    ["threshold", "limit", "amount", "value", "sum", "minimum", "maximum", "level", "ceiling", "upper",
     "lower", "highest", "lowest", "allowed", "permitted", "set", "stated", "figure", "number"]
)  # fmt: skip
_IDLE = (Filler, Function, Grouping, Link)
_ONE = frozenset(["a", "an", "any", "one", "either"])


def limit_of_policy(reading: Reading, pieces: Sequence[Piece], at: int) -> tuple[Piece, int] | None:
    """The field of money that is limited, and the place of the policy behind it; None where none follows."""
    field: Piece | None = None
    for place in range(at, min(len(pieces), at + _REACH)):
        piece = pieces[place]
        if isinstance(piece.meaning, Policy):
            return (field, place) if field is not None else None
        if isinstance(piece.meaning, Fields) and piece.meaning.matches[0].field.type is FieldType.MONEY:
            field = field or piece
        elif not isinstance(piece.meaning, _IDLE) and not _is_limit(reading, piece):
            return None
    return None


def _is_limit(reading: Reading, piece: Piece) -> bool:
    return reading.tokens[piece.first].word in _LIMITS


def asks_for_one(taken: Sequence[Piece]) -> bool:
    """Whether one of the clauses is enough: "a clause that the policy requires", "any of the clauses"."""
    words = [word for piece in taken for word in piece.text.casefold().split()]
    noun = next((p.text for p in taken if isinstance(p.meaning, Clause)), "")
    return bool(_ONE & set(words)) and not (noun.endswith("s") and words[0] not in _ONE)
