"""Losses: "the biggest loss" is the lowest profit, and "with a loss" is a profit below 0."""

from __future__ import annotations

from dataclasses import replace

from core.domain.annotation import Calculation
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.language.pieces import Filler, Statistic, Top, UnknownWord
from core.plan.tables.filters import FilterReader
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.mentions import ColumnMention
from core.plan.tables.query import ColumnFilter, TableQuery
from core.plan.tables.sequence import PieceSequence
from core.text.words import word_lines

_NAMED = 0.9  # weight from which on a word is the name of a column of its own
_TURNED = {Calculation.MAX: Calculation.MIN, Calculation.MIN: Calculation.MAX}


def read_losses(pieces: PieceSequence, query: TableQuery, filters: FilterReader) -> None:
    """Conditions of what went below 0, with the order of the largest of them turned round."""
    for at in range(len(pieces)):
        mention = pieces.mention(at)
        is_open = isinstance(mention, UnknownWord) or (
            isinstance(mention, ColumnMention) and mention.columns[0][1] < _NAMED
        )
        column = _lost_of(query, pieces.word(at)) if is_open else None
        if column is None:
            continue
        unit = column.entry.unit if column.entry.type is FieldType.MONEY else ""
        filters.put(at, (ColumnFilter(column, Operator.LESS, (f"0 {unit}".strip(),)),))
        before = pieces.before(at, over=(Filler,))
        sign = pieces.mention(before)
        if isinstance(sign, Statistic) and sign.name in _TURNED:
            pieces.pieces[before] = replace(
                pieces.pieces[before], mention=replace(sign, name=_TURNED[sign.name])
            )
        elif isinstance(sign, Top):
            turned = replace(sign, descending=sign.descending is False)
            pieces.pieces[before] = replace(pieces.pieces[before], mention=turned)
        if isinstance(sign, Statistic | Top):
            named = ColumnMention(((column, 1.0),))
            pieces.pieces[at] = replace(pieces.pieces[at], mention=named)
            pieces.used.discard(at)
        return


def _lost_of(query: TableQuery, word: str) -> ColumnWords | None:
    """The column of what may be lost by a word, which has values below 0; None where none or several are."""
    for line in word_lines("tables", "losses"):
        lost, gained = line[: line.index("|")], line[line.index("|") + 1 :]
        if word not in lost:
            continue
        found = [
            column
            for column in query.words.of_kind(ColumnKind.MEASURE)
            if set(column.words) & set(gained) and (column.entry.low or 0) < 0
        ]
        return found[0] if len(found) == 1 else None
    return None
