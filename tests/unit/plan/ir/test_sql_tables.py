"""Tables of a catalogue in SQL: their names, and what is wrong with a statement before a row is read."""

from __future__ import annotations

from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, ColumnEntry, DocumentEntry, TableEntry, TablePart
from core.plan.ir.sql_tables import query_sources, sql_problems

TRIPS = TableEntry(
    (ColumnEntry("Load kg", FieldType.NUMBER), ColumnEntry("Cost", FieldType.MONEY, units=("EUR", "USD"))),
    ("d1", "d2"),
    parts=(TablePart("d1", 0, "Trips"), TablePart("d2", 1, "Trips")),
)
OTHERS = TableEntry((ColumnEntry("Load kg", FieldType.NUMBER),), ("d3",), parts=(TablePart("d3", 0),))

FILES = TableEntry(
    (ColumnEntry("File", FieldType.TEXT),),
    ("f1", "f2"),
    parts=(TablePart("f1", 0, "sales-01"), TablePart("f2", 0, "sales-02")),
    title="sales_files",
)


def test_tables_are_called_by_sheet_or_document_and_no_two_alike() -> None:
    def named(title: str, *places: str) -> dict[str, tuple[str, ...]]:
        documents = (DocumentEntry("d3", title, "d3.csv", ""),)
        catalogue = Catalogue(documents=documents, tables=(TRIPS, OTHERS, FILES))
        return {each.name: each.places for each in query_sources(places, catalogue)}

    assert named("Trips", "d1|0", "d2|1", "d3|0") == {"trips": ("d1|0", "d2|1"), "trips_2": ("d3|0",)}
    assert list(named("Select", "d3|0")) == ["select_rows"]
    assert list(named("", "f1|0", "f2|0")) == ["sales_files"]
    assert list(named("", "f2|0")) == ["sales_02"]


def test_statements_are_judged_by_the_columns_of_the_catalogue() -> None:
    def problems(sql: str) -> list[str]:
        return [said for said, _ in sql_problems(sql, {"trips": [TRIPS]})]

    assert problems('select document, sum("Load kg") from trips group by 1') == []
    assert problems("select cost_currency, sum(cost) from trips group by 1") == []
    assert "several currencies" in problems("select sum(cost) from trips")[0]
    assert "sheet" in problems("select sheet from trips")[0]
    assert "no table" in next(sql_problems("select 1", {"gone": []}))[0]
