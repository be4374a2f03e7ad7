"""Columns of other tables that are called as words of a question."""

from __future__ import annotations

from dataclasses import replace

from core.plan.language.pieces import Currency, tokens_of
from core.plan.tables.doubts.certainty import doubt_signs, rivals_of
from core.plan.tables.doubts.other_tables import are_twins, named_elsewhere, said_with_sheet, surely_named
from core.plan.tables.header import columns_of
from core.plan.tables.mentions import ColumnMention, TablePiece
from core.plan.tables.query import TableOperation, TableQuery
from tests.support.table_catalogue import ORDERS, TablePart, money, vocabulary

QTY, AMOUNT = (vocabulary(0).columns[at] for at in (4, 5))


def piece(column: object, weight: float) -> TablePiece:
    return TablePiece(1, 2, "units", ColumnMention(((column, weight),)), 1.0)  # type: ignore[arg-type]


def test_a_loose_word_for_a_column_that_another_table_is_called_by_counts_against_it() -> None:
    tokens = tokens_of("total units")
    named = surely_named([(piece(QTY, 1.0),), (piece(AMOUNT, 0.6),)])
    assert named_elsewhere((piece(AMOUNT, 0.6),), named, tokens) == 1
    assert named_elsewhere((piece(QTY, 1.0),), named, tokens) == 0


def test_a_verb_names_no_column_elsewhere() -> None:
    assert named_elsewhere((piece(AMOUNT, 0.6),), frozenset([1]), tokens_of("did units")) == 0


def test_the_same_sum_of_columns_of_one_name_in_two_tables_is_said() -> None:
    table = replace(ORDERS, parts=(TablePart("d1", 7, "Returns", "", 6),))
    other = next(each for each in columns_of(table) if each.entry is AMOUNT.entry)
    mine = TableQuery(vocabulary(0), TableOperation.SUM, measure=AMOUNT)
    theirs = TableQuery(vocabulary(0), TableOperation.SUM, measure=other)
    assert are_twins(mine, theirs)
    assert not are_twins(mine, replace(theirs, operation=TableOperation.AVG))
    assert said_with_sheet(other) == "Amount (EUR) of Returns"
    signs = doubt_signs(mine, (piece(AMOUNT, 1.0),), 1.0, twins=("Amount (EUR) of Returns",))
    assert signs.is_doubtful


def test_one_word_for_two_columns_of_a_table_leaves_open_which() -> None:
    table = replace(ORDERS, columns=(money("Net amount", 6, "EUR"), money("Gross amount", 6, "EUR")))
    net, gross = columns_of(table)
    said = TablePiece(0, 1, "amount", ColumnMention(((net, 0.9), (gross, 0.9))), 1.0)
    query = TableQuery(vocabulary(0), TableOperation.SUM, measure=net)
    assert rivals_of(query, (said,)) == ("Gross amount",)
    dollars, euros = columns_of(
        replace(ORDERS, columns=(money("Amount (USD)", 6, "USD"), money("Amount (EUR)", 6, "EUR")))
    )
    both = TablePiece(0, 1, "amount", ColumnMention(((euros, 1.0), (dollars, 1.0))), 1.0)
    assert rivals_of(replace(query, measure=euros), (both,)) == ("Amount (USD)",)
    told = TablePiece(1, 2, "in euros", Currency("EUR"), 1.0)
    assert rivals_of(replace(query, measure=euros), (both, told)) == ()
    exact = TablePiece(0, 2, "net amount", ColumnMention(((net, 1.0),)), 1.0)
    assert rivals_of(query, (exact,)) == ()
