from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

from tests.support.row_files import read, rows, said, written


def test_numbers_are_exact_as_long_as_they_can_be(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "small,long,longest\n1,1.25,1e30\n2,123456789012345678.5,1e-30\n")
    (table,) = read(path)

    assert rows(path, table, "small", "long") == [
        (2, 1, Decimal("1.25")),
        (3, 2, Decimal("123456789012345678.50")),
    ]
    assert "rounded to 15 digits" in said(table)


def test_a_column_beside_says_the_currency_of_each_row(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "item,amount,currency\na,5.00,USD\nb,6.10,EUR\nc,x,EUR\n" * 2)
    (table,) = read(path)

    assert [(each.name, each.type, each.currency) for each in table.columns][1] == ("amount", "text", "")
    path = written(tmp_path, "b.csv", "item,amount,currency\n" + "a,5.00,USD\nb,6.10,EUR\n" * 5 + "c,x,EUR\n")
    (table,) = read(path)
    assert [each.currency for each in table.columns if each.type == "money"] == ["currency"]
    assert rows(path, table, "amount_text")[-1] == (12, "x")


def test_amounts_beside_two_columns_of_currencies_are_told_to_be_plain_numbers(tmp_path: Path) -> None:
    lines = "a,5.00,USD,EUR\nb,6.10,EUR,GBP\n" * 5
    (table,) = read(written(tmp_path, "a.csv", f"item,amount,currency,other currency\n{lines}"))
    assert [each.type for each in table.columns] == ["text", "number", "text", "text"]
    assert "added whatever their currency" in said(table)


def test_a_column_of_a_file_never_is_the_mark_of_totals(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "name,is_total,n\nA,true,1\nB,,2\nC,false,3\n")
    (table,) = read(path)
    assert [each.name for each in table.columns] == ["name", "is_total_2", "n"]


def test_times_of_day_are_left_out_and_told(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "n,moment\n1,2024-01-03 14:05:00\n2,2024-01-04 00:00:00\n")
    (table,) = read(path)

    assert rows(path, table, "moment") == [(2, date(2024, 1, 3)), (3, date(2024, 1, 4))]
    assert "1 of its values have a time of day" in said(table)
