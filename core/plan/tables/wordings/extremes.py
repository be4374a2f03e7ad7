"""Extremes of the rows of each group: "the largest order per region" is one of each region."""

from __future__ import annotations

from core.plan.language.pieces import Grouping, Statistic, Top
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import adjective_of, by_adjective, numeric_of
from core.plan.tables.mentions import ColumnMention
from core.plan.tables.sequence import PieceSequence
from core.plan.tables.vocabulary import TableVocabulary
from core.text.words import word_list


def extreme_of_each(pieces: PieceSequence, ask: str) -> int:
    """The place of an extreme before "per" or "each", where no group is asked for by name; -1 for none."""
    at = next((n for n in range(len(pieces)) if _is_extreme(pieces, n)), -1)
    is_of_each = any(place > at for place in pieces.places(Grouping))
    if at < 0 or not is_of_each or ask in ("which", "who", "one"):
        return -1
    is_often = pieces.first_word(at) in word_list("tables", "often")
    return at if not is_often or _number_behind(pieces, at) is not None else -1


def measure_of_extreme(pieces: PieceSequence, at: int, words: TableVocabulary) -> ColumnWords | None:
    """The column of numbers that is named behind an extreme, or that its adjective is of."""
    return _number_behind(pieces, at) or by_adjective(words, pieces.word(at))[0]


def _number_behind(pieces: PieceSequence, at: int) -> ColumnWords | None:
    for place in range(at + 1, len(pieces)):
        if isinstance(pieces.mention(place), Grouping):
            return None
        mention = pieces.of(place, ColumnMention)
        column = numeric_of(mention) if mention is not None and mention.first.is_number else None
        if column is not None and column.kind is ColumnKind.MEASURE:
            return column
    return None


def _is_extreme(pieces: PieceSequence, at: int) -> bool:
    function, top = pieces.of(at, Statistic), pieces.of(at, Top)
    if function is not None:
        return function.is_extreme and not function.of_time
    if top is not None:
        return False  # several of them are wanted
    return pieces.word(at).endswith("est") and adjective_of(pieces.word(at)) is not None
