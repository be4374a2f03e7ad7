"""Columns that are asked of each row."""

from __future__ import annotations

import pytest

from tests.support.table_catalogue import assembled


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("when was the last order of Lindner Bau", ["Order Date"]),
        ("who placed order 1003", ["Name", "Customer"]),
        ("which orders were cancelled", ["Order No"]),
    ],
)
def test_what_the_question_asks_is_shown(question: str, shown: list[str]) -> None:
    found = assembled(question)
    assert found is not None
    assert [column.entry.name for column in found.shown] == shown
