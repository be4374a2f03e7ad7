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


def test_amounts_beside_two_columns_of_currencies_are_of_both(tmp_path: Path) -> None:
    lines = "a,5.00,USD,EUR\nb,6.10,EUR,EUR\n" * 5
    path = written(tmp_path, "a.csv", f"item,amount,currency,other currency\n{lines}")
    (table,) = read(path)
    assert [each.currency for each in table.columns if each.type == "money"] == ["amount_currency"]
    assert "not added to others" in said(table)
    assert rows(path, table, "amount_currency")[:2] == [(2, "USD/EUR"), (3, "EUR")]


def test_a_currency_is_one_however_it_is_written(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "item,amount,currency\n" + "a,5.00,eur\nb,6.10,€\nc,1.00,EUR\n" * 3)
    (table,) = read(path)
    assert [each.unit for each in table.columns if each.type == "money"] == ["EUR"]
    mixed = written(tmp_path, "b.csv", "item,amount,currency\n" + "a,5.00,eur\nb,6.10,$\nc,1.00,EUR\n" * 3)
    (table,) = read(mixed)
    assert rows(mixed, table, "amount_currency")[:3] == [(2, "EUR"), (3, "USD"), (4, "EUR")]


def test_a_column_of_a_file_never_is_the_mark_of_totals(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "name,is_total,n\nA,true,1\nB,,2\nC,false,3\n")
    (table,) = read(path)
    assert [each.name for each in table.columns] == ["name", "is_total_2", "n"]


def test_times_of_day_are_left_out_and_told(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "n,moment\n1,2024-01-03 14:05:00\n2,2024-01-04 00:00:00\n")
    (table,) = read(path)

    assert rows(path, table, "moment") == [(2, date(2024, 1, 3)), (3, date(2024, 1, 4))]
    assert "1 of its values have a time of day" in said(table)
