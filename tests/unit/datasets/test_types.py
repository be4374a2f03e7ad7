from __future__ import annotations

import duckdb
import pytest

from core.datasets.types import CellKind, currency, fast, is_blank, kind_of, reader

MONEY = ["€ 1,200.50", "$5.00", "EUR 7", "12.10 USD"]


@pytest.mark.parametrize(
    ("head", "cells", "type", "unit"),
    [
        ("Paid", ["yes", "NO", "Yes"], "boolean", ""),
        ("Amount (EUR)", ["5", "1,200.50"], "money", "EUR"),
        ("Weight", ["5 kg", "7 kg"], "number", "kg"),
        ("When", ["2024-01-03", "3 Feb 2024"], "date", ""),
        ("Size", ["0.000000001", "1e-07"], "number", ""),
        ("Invoice no.", ["10442", "10443"], "text", ""),
        ("Note", ["a", "b"], "text", ""),
        ("Empty", [], "text", ""),
    ],
)
def test_types_follow_heads_and_cells(head: str, cells: list[str], type: str, unit: str) -> None:
    kind = kind_of(head, cells)

    assert (kind.type, kind.column.unit) == (type, unit)


def asked(expression: str, cell: str) -> object:
    with duckdb.connect() as db:
        row = db.execute(f"SELECT {expression} FROM (SELECT ? AS c)", [cell]).fetchone()
    assert row is not None
    return row[0]


def test_sql_reads_what_most_cells_are_written_like_and_the_readers_the_rest() -> None:
    kind = kind_of("Price", MONEY)

    assert kind.currencies == ("EUR", "USD")
    assert [asked(fast(kind, "c"), cell) for cell in MONEY] == ["1200.50", "5.00", "7", "12.10"]
    assert [asked(currency(kind, "c"), cell) for cell in MONEY] == ["EUR", "USD", "EUR", "USD"]
    assert asked(fast(kind, "c"), "five euros") is None
    assert reader(kind)("five euros") == "5.00|EUR"
    assert reader(kind)("see note") is None


def test_numbers_of_either_writing_are_read() -> None:
    european = kind_of("Menge", ["1.234,50", "7,25"])
    english = kind_of("Pieces", ["1,234.50", "7.25"])

    assert asked(fast(european, "c"), "1.234,50") == asked(fast(english, "c"), "1,234.50") == "1234.50"
    assert asked(fast(english, "c"), "1,23") is None
    assert asked(is_blank("c"), "N/A") is True


def test_days_of_two_readings_are_read_by_nobody() -> None:
    kind = kind_of("When", ["13/04/2024", "25/12/2023"])
    unclear = CellKind("date", kind_of("When", ["03/04/2024"]).column)

    assert asked(fast(kind, "c"), "03/04/2024") == "2024-04-03"
    assert asked(fast(unclear, "c"), "03/04/2024") is None
    assert reader(unclear)("03/04/2024") is None
