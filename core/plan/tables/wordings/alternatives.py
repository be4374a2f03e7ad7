"""Conditions of which one is enough, and values that several rows of one thing have together."""

from __future__ import annotations

from itertools import pairwise

from core.domain.predicate import Operator
from core.plan.language.pieces import Ask, Comparator, Comparing, Connective, Filler, Grouping, HavingWord
from core.plan.tables.filters import FilterReader
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import is_unique
from core.plan.tables.mentions import ColumnMention, RowMention, ValueMention
from core.plan.tables.query import Clause, GroupBy, Having, TableQuery
from core.plan.tables.sequence import PieceSequence
from core.text.words import word_list

_BETWEEN = (Filler, HavingWord, ColumnMention, RowMention, Comparator, Ask, Grouping)
_SHARED_BY = (ColumnKind.CATEGORY, ColumnKind.NAME, ColumnKind.IDENTITY)


def join_alternatives(pieces: PieceSequence, query: TableQuery, filters: FilterReader) -> None:
    """ "Fruit or cost over 2": what "or" stands between is one condition, also of two columns."""
    places = sorted(filters.clause_places)
    for one, other in pairwise(places):
        joints = [at for at in range(one + 1, other) if isinstance(pieces.mention(at), Connective)]
        if [pieces.text(at) for at in joints] not in (["or"], [",", "or"]):
            continue
        if not all(at in joints or isinstance(pieces.mention(at), _BETWEEN) for at in range(one + 1, other)):
            continue
        first, second = filters.clause_places[one], filters.clause_places[other]
        if first is second or not _may_join(first, second, query):
            continue
        filters.replace_both(first, second)
        for at in joints:
            pieces.use(at, "one of both is enough")


def _may_join(first: Clause, second: Clause, query: TableQuery) -> bool:
    """False of what is left out, and of conditions of rows of several tables."""
    filters = [*first, *second]
    is_open = all(any(clause is each for each in query.clauses) for clause in (first, second))
    is_plain = not any(each.op is Operator.NOT_EQUAL or each.average for each in filters)
    return is_open and is_plain and len({id(each.column.table) for each in filters}) == 1


def share_values(pieces: PieceSequence, query: TableQuery, filters: FilterReader) -> None:
    """ "Patients seen by both A and B": those that have rows of each, and not the rows of either."""
    at = next((n for n in range(len(pieces)) if pieces.text(n) == "both"), -1)
    values = set(pieces.places(ValueMention))
    named = [n for n in sorted(filters.clause_places) if n > at >= 0 and n in values]
    if len(named) < 2 or query.groups or not pieces.joined(named[0], named[1]):
        return
    clause = filters.clause_places[named[0]]
    joints = [pieces.text(n) for n in range(named[0] + 1, named[1])]
    is_listed = len(clause) == 1 and clause[0].op is Operator.IN and "and" in joints
    entity = _entity_before(pieces, at, query, clause[0].column) if is_listed else None
    if entity is None or not _is_each_one(pieces, named):
        return
    query.groups.append(GroupBy(entity))
    query.measure = clause[0].column
    query.having = Having(Operator.GREATER_EQUAL, (str(len(clause[0].values)),))
    query.shares = True
    pieces.use(at, "each of these has to be there")
    for place in pieces.places(Grouping):
        pieces.use(place)


def _is_each_one(pieces: PieceSequence, places: list[int]) -> bool:
    mentions = [pieces.of(at, ValueMention) for at in places]
    return all(mention is not None and len(mention.options[0].texts) == 1 for mention in mentions)


def _entity_before(
    pieces: PieceSequence, at: int, query: TableQuery, column: ColumnWords
) -> ColumnWords | None:
    """What is asked for before "both", which several rows may be of."""
    for place in range(at - 1, -1, -1):
        mention = pieces.of(place, ColumnMention)
        if mention is None:
            continue
        for found, _ in mention.columns:
            is_own = found.table is query.words.table and found is not column
            if is_own and found.kind in _SHARED_BY and not is_unique(found):
                pieces.use(place, f"for each {found.entry.name}")
                return found
    return None


def compare_values(pieces: PieceSequence, query: TableQuery, filters: FilterReader) -> None:
    """ "Apples versus pears": a result for each of them."""
    for at in pieces.places(Comparing, unused=True):
        if pieces.text(at) not in word_list("tables", "against") or query.groups:
            continue
        before = next((n for n in range(at - 1, -1, -1) if n in filters.clause_places), -1)
        clause = filters.clause_places.get(before, ())
        if len(clause) == 1 and clause[0].op is Operator.IN and len(clause[0].values) > 1:
            query.groups.append(GroupBy(clause[0].column))
            pieces.use(at, f"for each {clause[0].column.key}")
            return
