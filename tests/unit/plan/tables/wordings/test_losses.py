"""Losses are profits below 0."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.plan.catalogue import DocumentEntry, KnownCatalogue, TableEntry, TablePart
from core.plan.language.interpretation import lexicon_of
from core.plan.language.pieces import tokens_of
from core.plan.tables.grammar import grammar_of
from core.plan.tables.interpret import TableReader
from core.plan.tables.mentions import pieces_over
from core.plan.tables.query import TableOperation, TableQuery
from core.plan.tables.sequence import PieceSequence
from core.plan.tables.vocabulary import tables_vocabulary
from tests.support.table_catalogue import TODAY, numbers, texts

SHOWS = TableEntry(
    (
        texts("Show", 4, "Kite", "Loom", "Moss", "Nest"),
        numbers("Profit", 4, "100", "-250", "-40", "310"),
        numbers("Growth", 4, "3", "-2", "1", "-5"),
    ),
    ("d1",),
    rows=4,
    parts=(TablePart("d1", 0, "Shows", "", 4),),
)


def read(question: str, table: TableEntry = SHOWS) -> TableQuery:
    document = DocumentEntry("d1", "shows", "shows.xlsx", "default")
    catalogue = KnownCatalogue("shows", documents=(document,), tables=(table,))
    words = tables_vocabulary(lexicon_of(catalogue)).tables[0]
    tokens = tokens_of(question)
    taken = pieces_over(question, tokens, grammar_of(question, tokens, TODAY), [words])
    found = TableReader(PieceSequence(question, tokens, taken), words, TODAY).read()
    assert found is not None
    return found


def conditions(query: TableQuery) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(each.column.key, each.op.value, each.values) for clause in query.clauses for each in clause]


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("shows with a loss", "profit"),
        ("which shows shrank", "growth"),
        ("how many shows made a loss", "profit"),
    ],
)
def test_what_lost_is_below_0(question: str, column: str) -> None:
    assert conditions(read(question)) == [(column, "<", ("0",))]


@pytest.mark.parametrize(("word", "descending"), [("biggest", False), ("smallest", True)])
def test_the_biggest_loss_is_the_lowest_profit(word: str, descending: bool) -> None:
    found = read(f"which show made the {word} loss")
    assert found.order is not None
    assert (found.order.key, found.order.descending) == ("profit", descending)
    assert conditions(found) == [("profit", "<", ("0",))]


def test_a_sum_of_losses_is_one_of_what_is_below_0() -> None:
    found = read("total loss of all shows")
    assert (found.operation, conditions(found)) == (TableOperation.SUM, [("profit", "<", ("0",))])


def test_a_column_without_values_below_0_has_no_losses() -> None:
    gains = replace(SHOWS, columns=(SHOWS.columns[0], numbers("Profit", 4, "100", "310")))
    assert conditions(read("shows with a loss", gains)) == []
