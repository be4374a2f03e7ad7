"""Conditions on what groups come to: "regions with a total net amount above 6000"."""

from __future__ import annotations

from core.domain.annotation import Calculation
from core.domain.predicate import Operator
from core.plan.language.pieces import Comparator, Connective, Filler, HavingWord, Quantity, Statistic
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import is_unique, numeric_of
from core.plan.tables.mentions import ColumnMention
from core.plan.tables.quantities import fits, written
from core.plan.tables.query import Having, TableQuery
from core.plan.tables.sequence import PieceSequence

_COMPUTED = (Calculation.SUM, Calculation.AVG, Calculation.MEDIAN)
_ENTITIES = (ColumnKind.CATEGORY, ColumnKind.NAME, ColumnKind.IDENTITY)
_BOUNDS = (Operator.GREATER, Operator.GREATER_EQUAL, Operator.LESS, Operator.LESS_EQUAL, Operator.BETWEEN)


def read_totals(pieces: PieceSequence, query: TableQuery) -> None:
    """A comparison of a sum or a mean of what several rows are of; rows by themselves are not compared."""
    for at in list(pieces.places(Comparator, unused=True)):
        comparator = pieces.of(at, Comparator)
        numbers = _numbers_behind(pieces, at, comparator)
        if comparator is None or comparator.op not in _BOUNDS or not numbers:
            continue
        column = _computed_column(pieces, at, numbers[-1])
        entity = _entity_before(pieces, at)
        if column is None or entity is None or entity.table is not column.table or is_unique(entity):
            continue
        quantities = [quantity for n in numbers if (quantity := pieces.of(n, Quantity)) is not None]
        if not all(fits(each, column) for each in quantities):
            continue
        query.having = Having(comparator.op, tuple(written(each, column) for each in quantities))
        for place in (at, *numbers):
            pieces.use(place, f"holds of what {entity.entry.name} come to")
        return


def _numbers_behind(pieces: PieceSequence, at: int, comparator: Comparator | None) -> list[int]:
    first = pieces.after(at, over=(Filler,))
    if pieces.of(first, Quantity) is None:
        return []
    if comparator is None or comparator.op is not Operator.BETWEEN:
        return [first]
    second = pieces.after(first, over=(Filler, Connective))
    return [first, second] if pieces.of(second, Quantity) is not None else []


def _computed_column(pieces: PieceSequence, at: int, last: int) -> ColumnWords | None:
    """The column of "total amount above 5", or of "more than 5 passengers in total"."""
    before = pieces.before(at, over=(Filler, HavingWord))
    column = numeric_of(pieces.of(before, ColumnMention))
    if column is not None and _computes(pieces, pieces.before(before, over=(Filler,))):
        return column
    behind = pieces.after(last, over=(Filler,))
    column = numeric_of(pieces.of(behind, ColumnMention))
    if column is not None and _computes(pieces, pieces.after(behind, over=(Filler,))):
        return column
    return None


def _computes(pieces: PieceSequence, at: int) -> bool:
    function = pieces.of(at, Statistic)
    return function is not None and function.name in _COMPUTED and not function.is_extreme


def _entity_before(pieces: PieceSequence, at: int) -> ColumnWords | None:
    """The first column of names or kinds before a comparison, which stands before what is computed."""
    for place in range(at):
        mention = pieces.of(place, ColumnMention)
        if mention is not None and mention.first.kind in _ENTITIES:
            return mention.first
        if _computes(pieces, place):
            return None
    return None
