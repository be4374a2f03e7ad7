"""Conditions of one value."""

from __future__ import annotations

from dataclasses import replace

from core.domain.predicate import Operator
from core.plan.tables.clauses import flag_clause, of_texts, said_of
from core.plan.tables.header import ColumnWords, columns_of
from core.plan.tables.mentions import ValueOption
from tests.support.table_catalogue import ORDERS, texts, vocabulary


def crossed() -> ColumnWords:
    """A column of crosses and blanks."""
    table = replace(ORDERS, columns=(*ORDERS.columns, texts("Checked", 2, "x")))
    return columns_of(table)[-1]


def test_where_crosses_stand_beside_blanks_a_blank_says_no() -> None:
    yes, no = flag_clause(crossed(), True), flag_clause(crossed(), False)
    assert yes is not None
    assert no is not None
    assert [(each.op, each.values) for each in (*yes, *no)] == [
        (Operator.EQUAL, ("x",)),
        (Operator.MISSING, ()),
    ]


def test_texts_are_left_out_where_they_are_negated() -> None:
    option = ValueOption(vocabulary().columns[6], ("open",))
    assert said_of(of_texts(option, False)) == "Status is open"
    assert of_texts(option, True).op is Operator.NOT_EQUAL
