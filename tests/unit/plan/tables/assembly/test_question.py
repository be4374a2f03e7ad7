"""A question over a wide table before anything was made of it."""

from __future__ import annotations

import pytest

from core.plan.tables.assembly.question import AssemblyQuestion
from core.plan.tables.assembly.wide_table import WideTable
from tests.support.table_catalogue import TODAY, sequence, vocabulary


def asked(question: str) -> AssemblyQuestion:
    return AssemblyQuestion(sequence(question), WideTable(vocabulary()), TODAY, None)


@pytest.mark.parametrize(
    ("question", "ask"),
    [
        ("Is there an open order?", "whether"),
        ("How many orders are open?", "count"),
        ("Is there an open order? Which?", "which"),
        ("amount in June", ""),
    ],
)
def test_how_a_question_asks(question: str, ask: str) -> None:
    assert asked(question).ask == ask


def test_columns_are_named_once_in_order() -> None:
    found = asked("status and amount and status").named()
    assert [each.column.entry.name for each in found] == ["Status", "Amount (EUR)"]


def test_rows_are_called_by_the_column_that_numbers_them() -> None:
    found = asked("order no and status")
    assert [found.is_row_noun(each) for each in found.named()] == [True, False]
