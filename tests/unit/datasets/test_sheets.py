"""Tables of documents as files: types of columns, names, and when a file is written anew."""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal
from pathlib import Path

from core.datasets.base import DataType
from core.datasets.sheets import SheetTables, column_names
from core.domain.fields import FieldType
from core.domain.ids import DocumentId
from core.domain.rows.place import TablePlace
from core.store.cells.table_rows import PlainCell

PARTS, TITLES = [TablePlace("d", 0)], [("", "")]


class GivenCells:
    """Cells as records give them; reads: how often."""

    def __init__(self, cells: list[PlainCell]) -> None:
        self.cells, self.stamp, self.reads = cells, "1", 0

    def stamps(self, within: Collection[str]) -> dict[str, str]:
        return dict.fromkeys(within, self.stamp)

    def cells_of_table(self, document: DocumentId, table_no: int) -> list[PlainCell]:
        self.reads += 1
        return self.cells


def _cell(
    row: int, name: str, kind: FieldType, text: str, amount: int | None = None, unit: str = ""
) -> PlainCell:
    return PlainCell(row, name.casefold(), name, kind, text, unit, amount, "", text, is_total=False)


def _numbers(*texts: str) -> list[PlainCell]:
    cells = []
    for at, text in enumerate(texts):
        is_number = text.isdigit()
        kind = FieldType.NUMBER if is_number else FieldType.TEXT
        cells.append(_cell(at, "Qty", kind, text, int(text) * 10**6 if is_number else None))
    return cells


def _rows(path: Path, columns: str) -> list[tuple[object, ...]]:
    import duckdb

    with duckdb.connect() as connection:
        return connection.execute(f"SELECT {columns} FROM '{path}' ORDER BY _row").fetchall()


def test_few_words_among_numbers_stand_in_a_column_of_their_own(tmp_path: Path) -> None:
    columns, file, keys = SheetTables(tmp_path, GivenCells(_numbers("1", "2", "3", "4", "n/a"))).get(
        PARTS, TITLES
    )  # type: ignore[arg-type]
    assert [(each.name, each.type) for each in columns][:2] == [
        ("qty", DataType.NUMBER),
        ("qty_text", DataType.TEXT),
    ]
    assert _rows(file, "qty, qty_text")[3:] == [(Decimal(4), None), (None, "n/a")]
    assert keys[4] == (0, 4)


def test_many_words_make_a_column_of_text(tmp_path: Path) -> None:
    columns, file, _ = SheetTables(tmp_path, GivenCells(_numbers("1", "two", "3"))).get(PARTS, TITLES)  # type: ignore[arg-type]
    assert columns[0].type is DataType.TEXT
    assert _rows(file, "qty") == [("1",), ("two",), ("3",)]


def test_one_currency_holds_of_amounts_beside_that_have_no_sign(tmp_path: Path) -> None:
    cells = [
        _cell(at, "Fee", FieldType.MONEY, "5", 50_000, unit) for at, unit in enumerate(("USD", "", "USD"))
    ]
    columns, _, _ = SheetTables(tmp_path, GivenCells(cells)).get(PARTS, TITLES)  # type: ignore[arg-type]
    assert (columns[0].units, columns[0].unit_column) == (("USD",), "")


def test_text_with_commas_quotes_and_lines_is_kept(tmp_path: Path) -> None:
    text = 'a, "b"\nc; it\'s'
    given = GivenCells([_cell(0, "Note", FieldType.TEXT, text)])
    _, file, _ = SheetTables(tmp_path, given).get(PARTS, TITLES)  # type: ignore[arg-type]
    assert _rows(file, "note") == [('a, "b" c; it\'s',)]


def test_a_file_is_written_once_until_its_rows_may_be_others(tmp_path: Path) -> None:
    given = GivenCells(_numbers("1"))
    tables = SheetTables(tmp_path, given)  # type: ignore[arg-type]
    first = tables.get(PARTS, TITLES)
    assert tables.get(PARTS, TITLES)[1] == first[1]
    given.stamp = "2"
    assert tables.get(PARTS, TITLES)[1] != first[1]
    assert given.reads == 2


def test_columns_have_names_that_need_no_quotes() -> None:
    assert column_names(["Load (kg)", "load kg", "Order", "2024", "", "is total", "É"]) == [
        "load_kg", "load_kg_2", "order_", "_2024", "column_5", "is_total_2", "e",
    ]  # fmt: skip


def test_a_column_that_says_the_currency_of_each_amount_is_taken_for_that(tmp_path: Path) -> None:
    cells = []
    for row, unit in enumerate(("EUR", "USD")):
        cells += [
            _cell(row, "Fee", FieldType.MONEY, "1", 10_000, unit),
            _cell(row, "Unit", FieldType.TEXT, unit),
        ]
    columns, _, _ = SheetTables(tmp_path, GivenCells(cells)).get(PARTS, TITLES)  # type: ignore[arg-type]
    assert [each.name for each in columns] == ["fee", "unit", "is_total"]
    assert columns[0].unit_column == "unit"
