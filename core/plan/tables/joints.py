"""Words that join two conditions, apart from the comparison behind them: "over 5 guests or over 2 cars"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.predicate import Operator
from core.plan.language.pieces import Comparator, Connective, Filler, Quantity, Token
from core.plan.tables.mentions import TablePiece

_STRICT = {Operator.GREATER_EQUAL: Operator.GREATER, Operator.LESS_EQUAL: Operator.LESS}


def with_joints_apart(tokens: Sequence[Token], pieces: Sequence[TablePiece]) -> list[TablePiece]:
    """The pieces, with "or over 40" in two where no number stands before it, as in "30 or over"."""
    found: list[TablePiece] = []
    for at, piece in enumerate(pieces):
        mention = piece.mention
        is_joined = isinstance(mention, Comparator) and tokens[piece.first].word == "or"
        if not isinstance(mention, Comparator) or not is_joined or not _is_apart(pieces, at):
            found.append(piece)
            continue
        middle = piece.first + 1
        rest = " ".join(token.text for token in tokens[middle : piece.end])
        comparator = replace(mention, op=_STRICT.get(mention.op, mention.op))
        found.append(TablePiece(piece.first, middle, tokens[piece.first].text, Connective("or"), 0.0))
        found.append(TablePiece(middle, piece.end, rest, comparator, piece.score))
    return found


def _is_apart(pieces: Sequence[TablePiece], at: int) -> bool:
    before = next((p for p in reversed(pieces[:at]) if not isinstance(p.mention, Filler)), None)
    behind = next((p for p in pieces[at + 1 :] if not isinstance(p.mention, Filler)), None)
    is_number = behind is not None and isinstance(behind.mention, Quantity)
    return (
        is_number
        and pieces[at].end - pieces[at].first > 1
        and not (before is not None and isinstance(before.mention, Quantity))
    )
