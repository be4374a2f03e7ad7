"""Rows of tables as records keep them: written in batches, and read back one record at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from core.domain.fields import AnnotationRow, TableTitle
from core.domain.ids import DocumentId
from core.store.cells.table_rows import read_rows, replace_rows, rows_of_document
from core.store.database.field_tables import (
    TABLES_OF_ROWS,
    annotation_columns,
    annotation_rows,
    annotation_titles,
)
from core.store.store import Records
from tests.support.stated_values import money, number, put, row

ROWS = (
    row(0, 0, Item="Oak", Qty=number("20"), Net_price=money("5.00", "EUR")),
    row(0, 1, Item="Steel", Qty=number("6"), Net_price=money("7.50", "EUR")),
    row(1, 0, City="Graz", Visits=number("3")),
)


@pytest.fixture
def document(records: Records) -> DocumentId:
    return DocumentId(put(records))


def write(
    records: Records, document: DocumentId, *rows: AnnotationRow, titles: tuple[TableTitle, ...] = ()
) -> None:
    with records.database.write() as connection:
        replace_rows(connection, document, 1, iter(rows), titles)


def held(records: Records, document: DocumentId) -> list[AnnotationRow]:
    with records.database.read() as connection:
        return list(rows_of_document(connection, document))


def test_rows_come_back_as_they_were_written(records: Records, document: DocumentId) -> None:
    write(records, document, *ROWS)
    assert held(records, document) == list(ROWS)


def test_rows_come_back_in_order_however_they_were_written(records: Records, document: DocumentId) -> None:
    write(records, document, *reversed(ROWS))
    assert held(records, document) == list(ROWS)


def test_a_row_that_adds_up_others_is_kept_as_one(records: Records, document: DocumentId) -> None:
    total = replace(ROWS[1], is_total=True)
    write(records, document, ROWS[0], total)
    assert held(records, document) == [ROWS[0], total]


def test_new_rows_take_the_place_of_all_those_before(records: Records, document: DocumentId) -> None:
    write(records, document, *ROWS, titles=(TableTitle(0, "Stock", "Stock list"),))
    write(records, document, ROWS[2])
    assert held(records, document) == [ROWS[2]]
    with records.database.read() as connection:
        assert connection.execute(sa.select(annotation_titles)).all() == []


def test_no_rows_leave_nothing(records: Records, document: DocumentId) -> None:
    write(records, document, *ROWS)
    write(records, document)
    with records.database.read() as connection:
        counts = [
            connection.execute(sa.select(sa.func.count()).select_from(each)).scalar()
            for each in TABLES_OF_ROWS
        ]
    assert counts == [0, 0, 0, 0]


def test_the_rows_of_other_documents_stay(records: Records, document: DocumentId) -> None:
    other = DocumentId(put(records, "other.txt"))
    write(records, document, ROWS[0])
    write(records, other, ROWS[2])
    write(records, document, ROWS[1])
    assert held(records, other) == [ROWS[2]]


def test_titles_of_tables_are_kept(records: Records, document: DocumentId) -> None:
    write(
        records, document, *ROWS, titles=(TableTitle(1, "Visits", ""), TableTitle(0, "Stock", "Stock list"))
    )
    columns = annotation_titles.c
    with records.database.read() as connection:
        found = connection.execute(
            sa.select(columns.table_no, columns.sheet, columns.caption).order_by("table_no")
        )
        assert [tuple(each) for each in found] == [(0, "Stock", "Stock list"), (1, "Visits", "")]


def test_columns_are_counted_without_rows_that_add_up_others(records: Records, document: DocumentId) -> None:
    write(records, document, *ROWS[:2], replace(row(0, 2, Item="Total"), is_total=True))
    columns = annotation_columns.c
    with records.database.read() as connection:
        found = connection.execute(
            sa.select(columns.column, columns.name, columns.rows).order_by(columns.column)
        )
        assert [tuple(each) for each in found] == [
            ("item", "Item", 2),
            ("net price", "Net price", 2),
            ("qty", "Qty", 2),
        ]


def test_a_column_is_called_as_it_is_written_first(records: Records, document: DocumentId) -> None:
    write(records, document, row(0, 0, QTY=number("1")), row(0, 1, qty=number("2")))
    with records.database.read() as connection:
        found = connection.execute(sa.select(annotation_columns.c.name, annotation_columns.c.rows)).all()
    assert [tuple(each) for each in found] == [("QTY", 2)]


def test_rows_are_read_by_their_keys(records: Records, document: DocumentId) -> None:
    write(records, document, *ROWS)
    keys = [(document, 1, 0), (document, 0, 1), (document, 7, 7)]
    with records.database.read() as connection:
        assert read_rows(connection, keys) == {keys[0]: ROWS[2], keys[1]: ROWS[1]}
        assert read_rows(connection, []) == {}


def test_more_rows_than_one_batch_are_written_and_read(records: Records, document: DocumentId) -> None:
    rows = [row(0, at, Item=f"Part {at}") for at in range(1_205)]
    write(records, document, *rows)
    keys = [(document, 0, at) for at in range(1_205)]
    with records.database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(annotation_rows)).scalar() == 1_205
        assert list(read_rows(connection, keys)) == keys
