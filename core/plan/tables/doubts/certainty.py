"""Certainty of a query that comes to a number: how likely it is what was asked, from signs of doubt.

A number looks the same whether the reading behind it is right or not; what is read with too many signs of
doubt says which words it is not sure of, instead of standing as the answer.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.domain.fields import FieldType
from core.plan.language.pieces import Currency, UnknownWord
from core.plan.tables.assembly.question import SPOKEN_OF
from core.plan.tables.doubts.stray_words import stray_words
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.links import is_general
from core.plan.tables.mentions import ColumnMention, TablePiece, ValueMention
from core.plan.tables.query import COMPUTED, IDLE_VERB, OF_SIDES, TableOperation, TableQuery
from core.text.words import word_list

_NAMED = 0.7  # weight from which on words name a column
_LIKE = 0.55  # as above, where the column is computed with or shown
_NEAR = 0.2  # doubt within which another reading is close


@dataclass(frozen=True, slots=True)
class DoubtSigns:
    """Signs of doubt of one query.

    doubt: of its guesses and of what does not fit; weak: nouns that are only like what was made of them, or
    of which nothing was made; verbs: as many verbs; rivals: other columns that may be computed with, where
    none is named; near: of another reading, 1 where it is as good; stray: words that the query does without,
    or only guesses at.
    """

    doubt: float
    weak: tuple[str, ...]
    verbs: tuple[str, ...]
    rivals: tuple[str, ...]
    near: float
    stray: tuple[str, ...] = ()

    @property
    def likelihood(self) -> float:
        """Probability that the reading is right."""
        seen = (
            min(self.doubt, 2.0),
            min(len(self.weak), 4),
            min(len(self.verbs), 4),
            float(bool(self.rivals)),
            self.near,
        )
        return 1 / (1 + math.exp(-_BIAS - sum(w * v for w, v in zip(_WEIGHTS, seen, strict=True))))

    @property
    def is_doubtful(self) -> bool:
        """True where a number that was read so is not given as sure."""
        return bool(self.rivals or self.stray) or self.likelihood < LEAST_LIKELY


_BIAS = 2.52
_WEIGHTS = (-2.27, -0.74, -1.32, -0.41, -0.83)
"""Logistic regression over 296 answered questions, 54 of them wrong, held apart by workbook. That the trained
reader gives another operation told nothing beside the rest."""

LEAST_LIKELY = 0.6
"""From which on a number is sure: of 160 questions of strangers 4 wrong ones are then left; at .7
there were 3, and plain questions came out partial."""


def gives_number(query: TableQuery) -> bool:
    """True where a query comes to one number."""
    if query.groups and not query.over_groups:
        return False
    if query.operation is TableOperation.ROWS:
        return any(column.is_number for column in query.shown)
    counted = (TableOperation.COUNT, TableOperation.DISTINCT)
    return query.operation in COMPUTED or query.operation in counted or query.operation in OF_SIDES


def doubt_signs(
    query: TableQuery,
    pieces: Sequence[TablePiece],
    margin: float,
    used: Collection[int] = (),
    twins: tuple[str, ...] = (),
) -> DoubtSigns:
    """The signs of doubt of a query. margin: doubt by which the next other reading is worse.

    twins: columns of other tables that are called as the one that is computed with. used: places of pieces
    that something was made of. Of a query that comes to no number only stray words count.
    """
    stray = stray_words(query, pieces, used)
    if not gives_number(query):
        return DoubtSigns(0.0, (), (), twins, 0.0, stray)
    near = max(0.0, 1 - max(0.0, margin) / _NEAR)
    verbs = {note.phrase for note in query.notes if note.reading == IDLE_VERB}
    weak = weak_words(query, pieces, used)
    weak = tuple(word for word in weak if word not in word_list("tables", "participles"))
    return DoubtSigns(
        max(0.0, query.doubt),
        tuple(word for word in weak if word not in verbs),
        tuple(word for word in weak if word in verbs),
        rivals_of(query, pieces) or twins,
        near,
        stray,
    )


def weak_words(
    query: TableQuery, pieces: Sequence[TablePiece], used: Collection[int] = ()
) -> tuple[str, ...]:
    """Words that say something, and are only like a column or nothing of the query."""
    found = []
    columns = [c for c in (query.measure, *query.shown, *(g.column for g in query.groups)) if c is not None]
    for at, piece in enumerate(pieces):
        mention = piece.mention
        if isinstance(mention, UnknownWord):
            is_weak = at not in used and not is_general(piece.text.casefold())
        elif isinstance(mention, ColumnMention):
            best = mention.columns[0][1]
            is_used = any(
                c is column for column in columns for c, weight in mention.columns if weight == best
            )
            is_weak = best < (_LIKE if is_used else _NAMED) and not _is_of_grammar(piece.text.casefold())
            is_weak = is_weak or _is_left_out(query, mention, columns)
        else:
            is_weak = isinstance(mention, ValueMention) and not _is_filtered(query, mention)
        found += [piece.text] if is_weak else []
    return tuple(dict.fromkeys(found))


def _is_left_out(query: TableQuery, mention: ColumnMention, columns: Sequence[ColumnWords]) -> bool:
    """True where words surely name a column of numbers that plays no part in a query which computes."""
    column, weight = mention.columns[0]
    if weight < _NAMED or column.kind is not ColumnKind.MEASURE or query.operation is TableOperation.ROWS:
        return False
    clauses = [*query.clauses, *(clause for side in query.sides for clause in side.clauses)]
    used = [*columns, *(each.column for clause in clauses for each in clause)]
    used += [side.measure for side in query.sides if side.measure is not None]
    used += [query.combined.column] if query.combined is not None else []
    used += [query.order.column] if query.order is not None and query.order.column is not None else []
    return not any(each is one for each in used for one, _ in mention.columns)


def _is_of_grammar(word: str) -> bool:
    """True of words that ask for a computation, whatever columns they may also name."""
    return word in word_list("tables", "shares", "changes", "gaps", "means", "money", "sums")


def _is_filtered(query: TableQuery, mention: ValueMention) -> bool:
    clauses = [*query.clauses, *(clause for side in query.sides for clause in side.clauses)]
    columns = [each.column for clause in clauses for each in clause]
    return any(option.column is column for option in mention.options for column in columns)


def rivals_of(query: TableQuery, pieces: Sequence[TablePiece]) -> tuple[str, ...]:
    """Names of other columns of the kind that is computed with, where words name none of them."""
    measure = query.measure
    if measure is None or query.combined is not None or measure.kind is not ColumnKind.MEASURE:
        return ()
    if namesakes := _namesakes(measure, pieces):
        return namesakes
    if _weight_of(measure, pieces) >= _NAMED or any(note.reading.endswith(SPOKEN_OF) for note in query.notes):
        return ()
    alike = [c for c in query.words.of_kind(ColumnKind.MEASURE) if c is not measure]
    return tuple(
        column.entry.name
        for column in alike
        if column.entry.type is measure.entry.type is FieldType.MONEY and column.unit == measure.unit
    )


def _namesakes(measure: ColumnWords, pieces: Sequence[TablePiece]) -> tuple[str, ...]:
    """Other columns of numbers of a table that the words for one name as well: "amount" of several."""
    named = [p.mention for p in pieces if isinstance(p.mention, ColumnMention) and not p.mention.is_like]
    best = max((w for mention in named for c, w in mention.columns if c is measure), default=0.0)
    if best < _NAMED:
        return ()
    of_best = [m for m in named if any(c is measure and w == best for c, w in m.columns)]
    is_told = any(isinstance(piece.mention, Currency) for piece in pieces)
    others = [
        {
            c.entry.name
            for c, w in mention.columns
            if c is not measure and w == best and _is_alike(c, measure, any_currency=not is_told)
        }
        for mention in of_best
    ]
    return tuple(sorted(set.intersection(*others)))


def _is_alike(column: ColumnWords, measure: ColumnWords, *, any_currency: bool) -> bool:
    is_number = column.kind is ColumnKind.MEASURE and column.table is measure.table
    is_money = measure.entry.type is FieldType.MONEY and any_currency
    is_of_type = is_number and column.entry.type is measure.entry.type
    return is_of_type and (is_money or column.unit == measure.unit)


def _weight_of(column: ColumnWords, pieces: Sequence[TablePiece]) -> float:
    """How surely any words name a column."""
    mentions = (piece.mention for piece in pieces if isinstance(piece.mention, ColumnMention))
    return max((w for mention in mentions for c, w in mention.columns if c is column), default=0.0)
