"""A catalogue of invented tables: orders and customers of one workbook, and yearly figures of another."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, ColumnEntry, DocumentEntry, TableEntry, TablePart


def texts(name: str, rows: int, *found: str) -> ColumnEntry:
    """A column of texts."""
    return ColumnEntry(name, FieldType.TEXT, rows=rows, texts=found)


def days(name: str, rows: int, first: str, last: str) -> ColumnEntry:
    """A column of days."""
    low, high = (Decimal(date.fromisoformat(each).toordinal()) for each in (first, last))
    return ColumnEntry(name, FieldType.DATE, rows=rows, low=low, high=high)


def numbers(name: str, rows: int, *found: str, unit: str = "") -> ColumnEntry:
    """A column of numbers."""
    amounts = [Decimal(each) for each in found] or [Decimal(0)]
    return ColumnEntry(
        name, FieldType.NUMBER, unit, rows, units=(unit,), numbers=found, low=min(amounts), high=max(amounts)
    )


def money(name: str, rows: int, *units: str) -> ColumnEntry:
    """A column of money."""
    return ColumnEntry(
        name,
        FieldType.MONEY,
        units[0],
        rows,
        units=units,
        low=Decimal(10),
        high=Decimal(6000),
        numbers=("10",),
    )


ORDERS = TableEntry(
    (
        texts("Order No", 6, "1001", "1002", "1003", "1004", "1005", "1006"),
        texts("Customer", 6, "C-01", "C-02", "C-03"),
        days("Order Date", 6, "2024-01-08", "2024-05-06"),
        texts("Product", 6, "Oak panel", "Steel beam", "Weld kit"),
        numbers("Qty", 6, "20", "6", "5", "2"),
        money("Amount (EUR)", 6, "EUR"),
        texts("Status", 6, "shipped", "cancelled", "open"),
        days("Closed", 4, "2024-02-01", "2024-06-01"),
        texts("Express", 6, "yes", "no"),
    ),
    ("d1",),
    rows=6,
    parts=(TablePart("d1", 0, "Orders"),),
)
CUSTOMERS = TableEntry(
    (
        texts("Customer ID", 3, "C-01", "C-02", "C-03"),
        texts("Name", 3, "Brandt Holz", "Lindner Bau", "Kite & Co"),
        texts("City", 3, "Hamburg", "Munich"),
    ),
    ("d1",),
    rows=3,
    parts=(TablePart("d1", 1, "Customers"),),
)
ENERGY = TableEntry(
    (
        texts("Source", 12, "Wind", "Solar", "Hydro"),
        numbers("Year", 12, "2019", "2020", "2021", "2022"),
        numbers("Value (GWh)", 12, "512.4", "210.1", unit="GWh"),
    ),
    ("d2",),
    rows=12,
    parts=(TablePart("d2", 100_000, "Balance", "Energy balance"),),
)
LEAGUE = TableEntry(
    (
        numbers("Pos", 4, "1", "2", "3", "4"),
        texts("Team", 4, "Rovers", "United", "Wanderers", "City"),
        numbers("W", 4, "7", "6", "5", "2"),
        numbers("L", 4, "1", "2", "3", "5"),
        numbers("Pts", 4, "23", "20", "18", "9"),
    ),
    ("d3",),
    rows=4,
    parts=(TablePart("d3", 0, "Table"),),
)
BILLS = TableEntry(
    (
        texts("Bill", 4, "R-1", "R-2", "R-3", "R-4"),
        texts("Vendor", 4, "Aldo Tools", "Aldo Steel", "Cobalt Ltd"),
        money("Net amount", 4, "EUR", "USD"),
        numbers("Discount", 4, "2", "5", unit="%"),
    ),
    ("d4",),
    rows=4,
    parts=(TablePart("d4", 0, "Bills"),),
)
_NAMES = {"d1": "orders", "d2": "energy", "d3": "league", "d4": "payables"}


def catalogue(*ids: str) -> Catalogue:
    """The workbooks of these ids; of none given all."""
    chosen = ids or tuple(_NAMES)
    documents = tuple(DocumentEntry(id, _NAMES[id], f"{_NAMES[id]}.xlsx", "default") for id in chosen)
    tables = (ORDERS, CUSTOMERS, ENERGY, LEAGUE, BILLS)
    kept = tuple(each for each in tables if set(each.documents) & set(chosen))
    return Catalogue("-".join(("tables", *chosen)), documents=documents, tables=kept)
