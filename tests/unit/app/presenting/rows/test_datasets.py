from __future__ import annotations

from typing import Any

import pytest

from app.presenting.rows.datasets import (
    cell_word,
    column_chart,
    range_word,
    result_chart,
    spread_of,
    table_title,
    type_word,
)
from core.domain.ids import DocumentId
from core.domain.rows.dataset import Bar, DatasetColumn, DocumentTable
from core.domain.wire.datasets import QueryResult

BARS = (Bar("North", 2), Bar("South", 8))


def result(types: tuple[str, ...], *rows: tuple[Any, ...]) -> QueryResult:
    columns = tuple({"name": f"c{at}", "type": type} for at, type in enumerate(types))
    counts = tuple(1 for _ in rows)
    return QueryResult(
        sql="SELECT 1", columns=columns, rows=rows, sources=(), source_rows=counts, is_cut=False, seconds=0.1
    )


def test_a_table_of_documents_is_called_by_what_it_holds() -> None:
    def table(table: str, name: str, *documents: str) -> DocumentTable:
        ids = tuple(map(DocumentId, documents))
        return DocumentTable(table, name, (), ids, 3, (("Item", "text"), ("Amount", "money")))

    assert table_title(table("fuel", "Fuel 2024", "a")) == "Fuel 2024"
    assert table_title(table("fields_contracts", "fields contracts")) == "Fields: contracts"
    assert table_title(table("item_amount", "Receipt 1", "a", "b")) == (
        "Item, Amount: in 2 documents, such as Receipt 1"
    )


def test_columns_are_told_in_words() -> None:
    money = DatasetColumn("a", "A", "money", "EUR", least="1", greatest="5")
    text = DatasetColumn("b", "B", "text", often=BARS)

    assert (type_word(money), range_word(money)) == ("money in EUR", "1 to 5")
    assert type_word(DatasetColumn("c", "C", "money", currency="cur")) == "money, currency in cur"
    assert range_word(text) == "North (2), South (8)"
    assert spread_of(BARS) == "▂█"
    assert column_chart(text) is None
    chart = column_chart(DatasetColumn("b", "B", "text", chart=BARS))
    assert chart is not None
    assert chart.rows == [{"B": "North", "Rows": 2}, {"B": "South", "Rows": 8}]


def test_names_with_one_number_each_are_drawn_and_what_has_none_is_left_out() -> None:
    chart = result_chart(result(("text", "money"), ("North", "5.50"), ("East", None), ("South", "7")))

    assert chart is not None
    assert chart.figure["data"][0]["x"] == [5.5, 7.0]
    assert result_chart(result(("text", "text"), ("a", "b"), ("c", "d"))) is None
    assert result_chart(result(("number", "number"), ("1", "2"), ("3", "4"))) is None


@pytest.mark.parametrize(
    ("value", "type", "word"),
    [
        (None, "text", ""),
        (True, "boolean", "yes"),
        ("1200.50", "money", "1,200.50"),
        ("1200", "text", "1200"),
        ("NaN?", "number", "NaN?"),
    ],
)
def test_values_are_shown_as_people_write_them(value: object, type: str, word: str) -> None:
    assert cell_word(value, type) == word
