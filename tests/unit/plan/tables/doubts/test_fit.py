"""Doubts of queries that answer another question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.plan.language.interpretation import lexicon_of
from core.plan.language.pieces import tokens_of
from core.plan.tables.doubts.fit import misfit
from core.plan.tables.vocabulary import tables_vocabulary
from tests.support.table_catalogue import catalogue, query


@pytest.mark.parametrize(
    ("read_as", "question"),
    [
        ("How many orders are shipped?", "How many orders are not there?"),
        ("How many orders are shipped?", "How many orders are shipped for each of the products?"),
        ("How many orders are shipped?", "How many customers are there?"),
        ("How many orders are shipped?", "What share of the orders is shipped?"),
        ("How many orders are shipped?", "Who has shipped?"),
        ("total amount", "average amount"),
        ("total amount", "What is left over of the amount?"),
        ("orders for each product", "Which orders are of a product?"),
        ("number of orders per product, most first", "the smallest product"),
    ],
)
def test_what_a_question_says_and_a_query_does_not_is_in_doubt(read_as: str, question: str) -> None:
    vocabulary = tables_vocabulary(lexicon_of(catalogue()))
    assert misfit(query(read_as), tokens_of(question), vocabulary) >= 0.5


def test_a_query_of_all_that_is_said_is_not_in_doubt() -> None:
    question = "How many orders are shipped?"
    assert misfit(query(question), tokens_of(question), tables_vocabulary(lexicon_of(catalogue()))) == 0


def test_a_mean_per_row_is_one_of_all_rows() -> None:
    question = "average amount per order"
    assert misfit(query(question), tokens_of(question), tables_vocabulary(lexicon_of(catalogue()))) == 0


def test_rows_without_a_value_are_in_doubt_where_each_has_one() -> None:
    vocabulary = tables_vocabulary(lexicon_of(catalogue()))
    open_orders = query("orders not closed yet")
    assert misfit(open_orders, (), vocabulary) == 0
    (gap,) = open_orders.clauses[0]
    day = next(each for each in open_orders.words.columns if each.entry.name == "Order Date")
    open_orders.clauses = [(replace(gap, column=day),)]
    assert misfit(open_orders, (), vocabulary) >= 0.5
