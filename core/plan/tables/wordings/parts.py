"""Sheets that a question names, of several with the same columns."""

from __future__ import annotations

from core.plan.catalogue import TablePart
from core.plan.tables.mentions import MentionedTable
from core.plan.tables.query import TableQuery
from core.plan.tables.sequence import PieceSequence


def choose_parts(pieces: PieceSequence, query: TableQuery) -> None:
    """Leave only the sheets that are named: "January and March" are two, "orders 2023" one of them."""
    parts = query.words.parts
    chosen: tuple[TablePart, ...] = ()
    for at in list(pieces.places(MentionedTable)):
        mention = pieces.of(at, MentionedTable)
        if mention is None or not 0 < len(mention.parts) < len(parts):
            continue
        both = tuple(part for part in chosen if part in mention.parts)
        chosen = both or tuple(dict.fromkeys((*chosen, *mention.parts)))
        pieces.use(at, "names the table")
    query.parts = chosen
