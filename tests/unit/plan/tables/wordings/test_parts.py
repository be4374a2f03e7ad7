"""Sheets that a question names, of several with the same columns."""

from __future__ import annotations

import pytest

from core.plan.catalogue import DocumentEntry, KnownCatalogue, TableEntry, TablePart
from core.plan.language.interpretation import lexicon_of
from core.plan.language.pieces import tokens_of
from core.plan.tables.grammar import grammar_of
from core.plan.tables.mentions import pieces_over
from core.plan.tables.query import TableQuery
from core.plan.tables.sequence import PieceSequence
from core.plan.tables.vocabulary import tables_vocabulary
from core.plan.tables.wordings.parts import choose_parts
from tests.support.table_catalogue import TODAY, numbers, texts

CROPS = TableEntry(
    (texts("Crop", 6, "kale", "leek"), numbers("Revenue", 6, "60", "22")),
    ("d1",),
    rows=6,
    parts=tuple(TablePart("d1", at, sheet, "", 2) for at, sheet in enumerate(("Jan", "Feb", "Mar"))),
)


def crops() -> KnownCatalogue:
    return KnownCatalogue(
        "crops", documents=(DocumentEntry("d1", "farm", "farm.xlsx", "default"),), tables=(CROPS,)
    )


def sheets(question: str) -> list[str]:
    lexicon = lexicon_of(crops())
    words = tables_vocabulary(lexicon).tables[0]
    tokens = tokens_of(question)
    taken = pieces_over(question, tokens, grammar_of(question, tokens, TODAY), [words])
    query = TableQuery(words)
    choose_parts(PieceSequence(question, tokens, taken), query)
    return [part.sheet for part in query.parts]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("revenue in Jan", ["Jan"]),
        ("revenue in February", ["Feb"]),
        ("revenue of kale in Jan and Mar", ["Jan", "Mar"]),
        ("total revenue", []),
    ],
)
def test_the_sheets_that_are_named_are_asked(question: str, wanted: list[str]) -> None:
    assert sheets(question) == wanted


def test_names_that_tell_sheets_apart_call_no_rows() -> None:
    lexicon = lexicon_of(crops())
    assert not {"jan", "feb"} & tables_vocabulary(lexicon).tables[0].nouns
