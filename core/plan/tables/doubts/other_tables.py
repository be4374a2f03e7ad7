"""Columns of other tables that the words of a question name, where a query takes them for one of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.domain.predicate import Operator
from core.plan.language.pieces import Token
from core.plan.tables.header import ColumnWords
from core.plan.tables.mentions import ColumnMention, TablePiece
from core.plan.tables.query import TableQuery
from core.text.words import word_list

_SURE = 0.9  # weight from which on a word is the name of a column
_LOOSE = 0.75  # up to which it is only another word for it


def surely_named(readings: Iterable[Sequence[TablePiece]]) -> frozenset[int]:
    """The places of the words that are the name of a column of numbers of any table."""
    return frozenset(
        at
        for pieces in readings
        for piece, column, weight in _numbers(pieces)
        if weight >= _SURE and column.is_number
        for at in range(piece.first, piece.end)
    )


def named_elsewhere(pieces: Sequence[TablePiece], named: frozenset[int], tokens: Sequence[Token]) -> int:
    """Number of words that name a column of another table, and are taken for one that is called otherwise."""
    helping = word_list("tables", "helping")
    return sum(
        1
        for piece, column, weight in _numbers(pieces)
        if weight <= _LOOSE
        and piece.first in named
        and not (piece.first and tokens[piece.first - 1].word in helping)
    )


def _numbers(pieces: Sequence[TablePiece]) -> Iterator[tuple[TablePiece, ColumnWords, float]]:
    for piece in pieces:
        if isinstance(piece.mention, ColumnMention):
            column, weight = piece.mention.columns[0]
            yield piece, column, 0.0 if piece.mention.is_like else weight


def are_twins(query: TableQuery, other: TableQuery) -> bool:
    """True where two queries ask the same of columns of the same name in two tables."""
    one, two = query.measure, other.measure
    if one is None or two is None or one.table is two.table or one.words != two.words:
        return False
    return query.operation is other.operation and _conditions(query) == _conditions(other)


def _conditions(query: TableQuery) -> list[tuple[str, Operator, tuple[str, ...]]]:
    return sorted((each.column.name, each.op, each.values) for clause in query.clauses for each in clause)


def said_with_sheet(column: ColumnWords) -> str:
    """The name of a column with the sheet that it stands in."""
    sheet = next((part.sheet for part in column.table.parts if part.sheet), "")
    return f"{column.entry.name} of {sheet}" if sheet else column.entry.name
