"""Spans of a trained reader whose columns play no part in a query."""

from __future__ import annotations

import pytest

from core.plan.reader.reading import FieldLink, Operation, QuestionReading, ReadSpan, SpanRole
from core.plan.tables.doubts.disagreement import disagreement
from tests.support.table_catalogue import query

QUESTION = "total amount of shipped orders"


def reading(role: SpanRole, column: str, probability: float = 1.0) -> QuestionReading:
    span = ReadSpan(0, 5, role, False, (FieldLink("", column, probability),), 1.0)
    return QuestionReading(QUESTION, ((Operation.COMPUTE, 1.0),), (span,), 0.9)


@pytest.mark.parametrize(
    ("role", "column", "doubt"),
    [
        (SpanRole.ASKED, "Amount (EUR)", 0),
        (SpanRole.VALUE, "Status", 0),
        (SpanRole.VALUE, "Product", 1),
        (SpanRole.ASKED, "Qty", 1),
    ],
)
def test_columns_that_a_query_leaves_out_are_in_doubt(role: SpanRole, column: str, doubt: float) -> None:
    assert disagreement(query(QUESTION), reading(role, column)) == doubt


def test_links_that_are_not_likely_say_nothing() -> None:
    assert disagreement(query(QUESTION), reading(SpanRole.ASKED, "Qty", 0.3)) == 0
