"""Words of a question that a query does without, or only guesses at: its result may be of something else."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.plan.language.pieces import Filler, Statistic, UnknownWord
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.links import is_general, spoken_units
from core.plan.tables.mentions import ColumnMention, RowMention, TablePiece, ValueMention
from core.plan.tables.query import ARTICLES, COMPUTED, TableOperation, TableQuery
from core.text.words import word_list

_SURE_READING = 0.9  # weight from which on a trained reader's word for a column is enough
_NAMED = 0.7  # weight from which on words name a column
_VOWELS = frozenset("aeiouy")
_SAME = 4  # first letters that "sponsorship" and "sponsor" share


def stray_words(
    query: TableQuery, pieces: Sequence[TablePiece], used: Collection[int] = ()
) -> tuple[str, ...]:
    """Words of which nothing was made, and words that a result is only like, as they stand in the question.

    used: places of pieces that something was made of.
    """
    found = []
    for at, piece in enumerate(pieces):
        mention = piece.mention
        if isinstance(mention, ValueMention):
            is_stray = mention.options[0].is_like and _computes(query)
        elif isinstance(mention, ColumnMention):
            is_left = mention.is_like and _computes(query) and not _plays_part(query, mention)
            is_noun = _stands_apart(pieces, at) or _is_behind_function(pieces, at)
            is_stray = _is_guessed(query, pieces, at) or (is_left and is_noun)
            is_stray = is_stray or _is_passed_over(query, pieces, at)
        elif isinstance(mention, UnknownWord):
            is_stray = at not in used and not is_general(piece.text.casefold()) and _stands_apart(pieces, at)
        else:
            is_stray = isinstance(mention, RowMention) and _is_computed_of(query, pieces, at)
        found += [piece.text] if is_stray else []
    return tuple(dict.fromkeys(found))


def _computes(query: TableQuery) -> bool:
    return query.operation not in (TableOperation.ROWS, TableOperation.EXISTS, TableOperation.ALL)


def _is_guessed(query: TableQuery, pieces: Sequence[TablePiece], at: int) -> bool:
    """True where a word is only like the column that is computed with: "refunds" like "Credit".

    Beside a word that names it such a word tells it from what the column says: "overtime hours".
    """
    mention, measure = pieces[at].mention, query.measure
    if not isinstance(mention, ColumnMention) or not mention.is_like or not _computes(query):
        return False
    column, weight = mention.columns[0]
    if column is not measure or _are_related(pieces[at].text, column):
        return False
    others = [n for n, piece in enumerate(pieces) if n != at and _names(piece, column)]
    if others:
        return at + 1 in others and not _is_form(pieces[at].text.casefold())
    is_told = any(isinstance(p.mention, ColumnMention) and _is_called(p.mention, column) for p in pieces)
    return not is_told and weight < _SURE_READING and _is_plain(column)


def _is_called(mention: ColumnMention, column: ColumnWords) -> bool:
    return not mention.is_like and any(each is column for each, _ in mention.columns)


def _is_form(word: str) -> bool:
    return word.endswith("ed") or word in word_list("tables", "participles")


def _is_passed_over(query: TableQuery, pieces: Sequence[TablePiece], at: int) -> bool:
    """True of the name of a column of numbers in a computation that does without it: "the average year"."""
    mention = pieces[at].mention
    if not isinstance(mention, ColumnMention) or mention.is_like or query.operation not in COMPUTED:
        return False
    column, weight = mention.columns[0]
    is_asked = column.kind is ColumnKind.MEASURE or (column.is_number and _is_behind_function(pieces, at))
    return is_asked and weight >= _SURE_READING and not _plays_part(query, mention)


def _names(piece: TablePiece, column: ColumnWords) -> bool:
    mention = piece.mention
    if not isinstance(mention, ColumnMention) or not _is_called(mention, column):
        return False
    return any(each is column and weight >= _NAMED for each, weight in mention.columns)


def _are_related(text: str, column: ColumnWords) -> bool:
    """True where a word begins as one of a header does, or says its unit."""
    words = text.casefold().split()
    spoken = {column.unit, *spoken_units(column.unit)}
    return bool(spoken & set(words)) or any(
        len(own) >= _SAME and word.startswith(own[:_SAME]) for own in column.words for word in words
    )


def _is_plain(column: ColumnWords) -> bool:
    """True of a header in whole words: what it is called says what it holds."""
    bare = column.entry.name.partition("(")[0].casefold().replace("_", " ").split()
    known = {*column.words, *(f"{word}s" for word in column.words)}
    return all(word.isalpha() and _VOWELS & set(word) and word in known for word in bare)


def _plays_part(query: TableQuery, mention: ColumnMention) -> bool:
    columns = columns_of_query(query)
    return any(column is each for column, _ in mention.columns for each in columns)


def columns_of_query(query: TableQuery) -> list[ColumnWords]:
    """All columns that play a part in a query."""
    clauses = [*query.clauses, *(clause for side in query.sides for clause in side.clauses)]
    found = [*query.shown, *(group.column for group in query.groups)]
    found += [each.column for clause in clauses for each in clause]
    found += [side.measure for side in query.sides if side.measure is not None]
    found += [query.measure] if query.measure is not None else []
    found += [query.combined.column] if query.combined is not None else []
    found += [query.order.column] if query.order is not None and query.order.column is not None else []
    found += [column for used in query.used for column in (used.key.left, used.key.right)]
    return found


def _stands_apart(pieces: Sequence[TablePiece], at: int) -> bool:
    """True of a noun behind "of", "in" or "for": a condition of its own, and no verb or aside."""
    place = at - 1
    while place >= 0 and pieces[place].text.casefold() in ARTICLES:
        place -= 1
    if place < 0 or not isinstance(pieces[place].mention, Filler):
        return False
    return pieces[place].text.casefold().split()[-1] in word_list("tables", "prepositions")


def _is_behind_function(pieces: Sequence[TablePiece], at: int) -> bool:
    return at > 0 and isinstance(pieces[at - 1].mention, Statistic)


def _is_computed_of(query: TableQuery, pieces: Sequence[TablePiece], at: int) -> bool:
    """True of "delivery" in "the average delivery time", where no column that is computed with is named."""
    mention, measure = pieces[at].mention, query.measure
    is_any = isinstance(mention, RowMention) and mention.words is None and not mention.is_plural
    if not is_any or query.operation not in COMPUTED:
        return False
    if measure is None or measure.kind is not ColumnKind.MEASURE:
        return False
    if not _is_behind_function(pieces, at):
        return False
    return not any(
        each is measure and weight >= _NAMED
        for piece in pieces
        if isinstance(piece.mention, ColumnMention)
        for each, weight in piece.mention.columns
    )
