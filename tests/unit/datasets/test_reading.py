from __future__ import annotations

import gzip
from datetime import date
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from core.datasets.reading import ReadTask, progress_of, reader_pool
from core.errors import InputError
from tests.support.row_files import SPEND, read, rows, said, written


def test_a_report_keeps_its_row_numbers_and_tells_what_it_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, "spend.csv", SPEND)
    (table,) = read(path)

    assert [(each.name, each.type, each.unit) for each in table.columns] == [
        ("id", "text", ""),
        ("region", "text", ""),
        ("amount_eur", "money", "EUR"),
        ("amount_eur_text", "text", ""),
        ("when_", "date", ""),
        ("paid", "boolean", ""),
    ]
    first, *_ = rows(path, table, "amount_eur", "when_", "paid")
    assert first == (4, Decimal("1200.50"), date(2024, 1, 3), True)
    assert rows(path, table, "amount_eur", "amount_eur_text")[2:4] == [(6, None, None), (7, None, "see note")]
    assert "above the head is left out. (row 1)" in said(table)
    assert "add up others are left out. (row 18)" in said(table)
    assert "'see note'; they stand as text in amount_eur_text. (row 7)" in said(table)
    assert "(as n/a), and are read as empty" in said(table)
    lines = table.pages[0].split("\n")
    assert lines[4].startswith("1 | North | 1200.50 |"), "row n stands in line n"
    key = {each.name for each in table.columns if each.is_key}
    assert {"id", "when_"} <= key
    assert "region" not in key


def test_a_german_file_is_read_with_its_marks_encoding_and_days(tmp_path: Path) -> None:
    text = "Nr;Kunde;Betrag;Datum\n1;Müller;€ 1.200,50;03.04.2024\n2;Groß;€ 300,00;24.05.2024\n"
    path = written(tmp_path, "kunden.csv", text, "cp1252")
    (table,) = read(path)

    assert rows(path, table, "kunde", "betrag", "datum") == [
        (2, "Müller", Decimal("1200.50"), date(2024, 4, 3)),
        (3, "Groß", Decimal("300.00"), date(2024, 5, 24)),
    ]
    assert table.columns[2].unit == "EUR"


@pytest.mark.parametrize(
    ("text", "expected", "problem"),
    [
        ("Ann,Paris,2.5\nBob,Rome,3\n", "column_1 text, column_2 text, column_3 number", "no head"),
        ("a,a,,e\nx,1,z,\ny,2,z,\n", "a text, a_2 number, column_3 text, e text", "comes again"),
        ("v,amount,currency\nA,5.00,USD\nB,6.10,EUR\n", "v text, amount money, currency text", ""),
        ("n,d\n1,03/04/2024\n2,04/05/2024\n", "n number, d date", "the day is taken to come first"),
        ("n,d\n1,03/04/2024\n2,04/25/2024\n", "n number, d date", ""),
        ("n,d\n1,13/04/2024\n2,04/25/2024\n", "n number, d date", "before and behind the month"),
        ("n,p\n1,25%\n2,30%\n", "n number, p number %", ""),
        ("n,zip\n1,00123\n2,10115\n", "n number, zip text", ""),
        ("n,x\n1,0.000000001\n2,1e-07\n", "n number, x number", ""),
        ('n,x\n1,"open\n2,y\n', "n number, x text", "never closed"),
        ("n,x,y\n1,2,3\n4,5\n", "n number, x number, y number", "fewer cells"),
        ("n,x\n1,2\n4,5,6\n", "n number, x number, column_3 number", "no name"),
        ("group,select\n1,2\n3,4\n", "group_ number, select_ number", ""),
        ("v,price\nA,$5\nB,EUR 6\nC,$ 1\nD,7 EUR\n", "v text, price money, price_currency text", "several"),
    ],
)
def test_odd_tables_are_read_and_told(tmp_path: Path, text: str, expected: str, problem: str) -> None:
    path = written(tmp_path, "odd.csv", text)
    (table,) = read(path)

    assert ", ".join(f"{each.name} {each.type} {each.unit}".strip() for each in table.columns) == expected
    assert problem in said(table)


def test_days_that_are_not_clear_stay_text_where_both_orders_are_in_use(tmp_path: Path) -> None:
    lines = [f"{number},13/04/2024" for number in range(8)] + ["8,04/25/2024", "9,03/04/2024"]
    path = written(tmp_path, "days.csv", "\n".join(["n,d", *lines]))
    (table,) = read(path)

    assert rows(path, table, "d", "d_text")[-2:] == [
        (10, date(2024, 4, 25), None),
        (11, None, "03/04/2024"),
    ]


def test_a_person_may_say_whether_there_is_a_head(tmp_path: Path) -> None:
    path = written(tmp_path, "names.csv", "Ann,Paris\nBob,Rome\nCy,Oslo\n")

    assert "taken as names of columns (Ann, Paris)" in said(read(path)[0])
    assert [table.rows for table in (*read(path, "first"), *read(path, "none"))] == [2, 3]


def test_sheets_become_tables_with_their_row_numbers(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Spend"
    sheet["A3"], sheet["B3"] = "Vendor", "Amount"
    for number, vendor in enumerate(("ACME", "Beta", "Gamma"), start=4):
        sheet[f"A{number}"], sheet[f"B{number}"] = vendor, number / 8
        sheet[f"B{number}"].number_format = "[$€-407] #,##0.00"
    sheet.row_dimensions[5].hidden = True
    book.create_sheet("Empty")
    path = tmp_path / "book.xlsx"
    book.save(path)
    (table,) = read(path)

    assert table.sheet == "Spend"
    assert rows(path, table, "vendor", "amount")[0] == (4, "ACME", Decimal("0.500"))
    assert table.columns[1].unit == "EUR"
    assert "Rows are hidden; they are read like the others. (row 5)" in said(table)


def test_lines_of_json_and_parquet_files_are_read_alike(tmp_path: Path) -> None:
    lines = '{"id": 1, "v": 1.10}\n\n{"id": 2, "tags": ["x"]}\nnot json\n'
    path = written(tmp_path, "lines.jsonl", lines)
    (table,) = read(path)
    again = path.with_suffix(".out") / table.file
    copy = tmp_path / "copy.parquet"
    copy.write_bytes(again.read_bytes())
    (second,) = read(copy)

    assert rows(path, table, "id", "v", "tags") == [(1, "1", Decimal("1.10"), None), (3, "2", None, '["x"]')]
    assert "no objects are left out. (row 4)" in said(table)
    assert [row[2:] for row in rows(copy, second, "row", "id", "v")] == [
        ("1", Decimal("1.10")),
        ("2", None),
    ]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.txt", b"x", "no file of rows"),
        ("a.csv", b"", "empty"),
        ("a.xlsx", b"no workbook", "damaged"),
        ("a.parquet", gzip.compress(b"no", mtime=0), "no Parquet file"),
        ("a.jsonl", b"1\n2\n", "No line of it is an object"),
        ("a.csv", b",".join(b"c%d" % n for n in range(2_001)) + b"\n", "at most 2,000"),
    ],
)
def test_what_cannot_be_read_says_so(tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(InputError, match=reason):
        read(path)


def test_many_columns_are_read(tmp_path: Path) -> None:
    heads = ",".join(f"c {number}" for number in range(300))
    lines = "\n".join(",".join(str(row * number) for number in range(300)) for row in range(3))
    path = written(tmp_path, "wide.csv", f"{heads}\n{lines}\n")
    (table,) = read(path)

    assert (len(table.columns), table.rows) == (300, 3)
    assert rows(path, table, "c_299") == [(2, 0), (3, 299), (4, 598)]


def test_a_child_reads_within_limits_and_says_why_it_does_not(tmp_path: Path) -> None:
    path = written(tmp_path, "spend.csv", SPEND)
    with reader_pool() as pool:
        good = pool.ask(ReadTask(path, tmp_path / "out"), 60)
        bad = pool.ask(ReadTask(tmp_path / "none.csv", tmp_path / "bad"), 60)

    assert good.value[0].rows == 14
    assert progress_of(tmp_path / "out")[2] == "14 rows read, describing columns"
    assert "cannot be read" in bad.reason
