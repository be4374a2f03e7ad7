"""Fields as rows: columns and their names, statuses, values of lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.datasets.base import DataType
from core.datasets.field_tables import FieldDocument, TableField, field_columns, write_fields
from core.domain.fields import Cell, CellStatus, FieldType, Finding, Special, TypedValue
from core.domain.ids import DocumentId

FIELDS = (
    TableField("fee", FieldType.MONEY, units=("EUR",)),
    TableField("term", FieldType.DURATION),
    TableField("parties", FieldType.PARTY, many=True),
    TableField("limit", FieldType.BOOLEAN),
)
DOCUMENTS = (
    FieldDocument("d1", "One", "one.txt", "b"),
    FieldDocument("d2", "Two", "two.pdf", "b", is_readable=False),
)


def _cell(field: str, *values: TypedValue, status: CellStatus = CellStatus.PRESENT) -> Cell:
    return Cell(DocumentId("d1"), 1, field, Finding(status, values))


CELLS = (
    _cell("fee", TypedValue(FieldType.MONEY, "1.25", 12_500, "EUR")),
    _cell("term", TypedValue(FieldType.DURATION, "perpetual", special=Special.PERPETUAL)),
    _cell("parties", TypedValue(FieldType.PARTY, "A"), TypedValue(FieldType.PARTY, "B")),
    _cell("limit", status=CellStatus.ABSENT),
)


def _read(file: Path) -> list[dict[str, Any]]:
    import duckdb

    with duckdb.connect() as db:
        found = db.execute(f"SELECT * FROM '{file}' ORDER BY _row")
        names = [each[0] for each in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def test_columns_are_named_without_words_of_sql_and_say_their_field() -> None:
    columns = [each.column for each in field_columns(FIELDS)]
    assert [each.name for each in columns] == [
        "document", "source", "bucket", "fee", "fee_currency", "fee_status", "term_days", "term_status",
        "parties", "parties_status", "limit_", "limit_status",
    ]  # fmt: skip
    assert (columns[3].type, columns[3].unit_column, columns[3].units) == (
        DataType.MONEY,
        "fee_currency",
        ("EUR",),
    )
    assert {each.label for each in columns[3:6]} == {"fee"}


def test_a_document_is_a_row_and_what_nobody_knows_is_no_absence(tmp_path: Path) -> None:
    written = write_fields(tmp_path / "f.parquet", FIELDS, DOCUMENTS, CELLS)
    one, two = _read(tmp_path / "f.parquet")
    assert (str(one["fee"]), one["fee_currency"], one["fee_status"]) == ("1.2500", "EUR", "present")
    assert (one["term_days"], one["term_status"]) == (None, "perpetual")
    assert (one["parties"], one["limit_"], one["limit_status"]) == ("A; B", False, "absent")
    assert (two["fee"], two["fee_status"], two["limit_"]) == (None, "unreadable", None)
    assert written.undecided == {each.name: {"unreadable": [1]} for each in FIELDS}
    assert written.keys == [(0, 0), (1, 0)]


def test_a_list_has_a_row_for_each_value_and_one_that_says_there_is_none(tmp_path: Path) -> None:
    written = write_fields(tmp_path / "f.parquet", FIELDS[2:3], DOCUMENTS, CELLS[2:3], by_value=True)
    assert [(each["parties"], each["parties_status"]) for each in _read(tmp_path / "f.parquet")] == [
        ("A", "present"),
        ("B", "present"),
        (None, "unreadable"),
    ]
    assert written.keys == [(0, 1), (0, 2), (1, 1)]
