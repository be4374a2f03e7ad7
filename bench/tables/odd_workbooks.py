"""Twenty odd workbooks for development: two sheets, odd heads, totals, merged cells, days as texts.

They are made up, and the questions beside them (`development.jsonl`) are for building, not measuring.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.workbook import Workbook as Book

Rows = Sequence[Sequence[Any]]


def write_all(folder: Path) -> dict[str, Path]:
    """Write every workbook; by name its file."""
    found = {}
    for name, make in WORKBOOKS.items():
        path = folder / f"{name}.xlsx"
        make().save(path)
        found[name] = path
    return found


def _book(**sheets: Rows) -> Book:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name.replace("__", " - ").replace("_", " "))
        for row in rows:
            sheet.append(list(row))
    return book


def _formats(book: Book, sheet: str, column: int, code: str, first: int = 2) -> None:
    for row in book[sheet].iter_rows(min_row=first, min_col=column, max_col=column):
        for cell in row:
            if isinstance(cell.value, int | float):
                cell.number_format = code


def _orders() -> Book:
    customers = [
        ("Customer ID", "Name", "City", "Segment"),
        ("C-01", "Brandt Holz", "Hamburg", "Retail"),
        ("C-02", "Lindner Bau", "Munich", "Construction"),
        ("C-03", "Ostrava Steel", "Ostrava", "Industry"),
        ("C-04", "Kite & Co", "Leeds", "Retail"),
        ("C-05", "Novak Interiors", "Prague", "Retail"),
        ("C-06", "Harbour Works", "Hamburg", "Construction"),
    ]
    orders = [
        ("Order No", "Customer", "Order Date", "Product", "Qty", "Amount (EUR)", "Status"),
        (1001, "C-01", date(2024, 1, 8), "Oak panel", 20, 1840.0, "shipped"),
        (1002, "C-02", date(2024, 1, 19), "Steel beam", 6, 5400.0, "shipped"),
        (1003, "C-04", date(2024, 2, 2), "Oak panel", 5, 460.0, "cancelled"),
        (1004, "C-03", date(2024, 2, 14), "Weld kit", 2, 780.5, "shipped"),
        (1005, "C-01", date(2024, 2, 28), "Pine board", 40, 1200.0, "open"),
        (1006, "C-05", date(2024, 3, 5), "Oak panel", 12, 1104.0, "shipped"),
        (1007, "C-02", date(2024, 3, 18), "Weld kit", 1, 390.25, "open"),
        (1008, "C-06", date(2024, 4, 1), "Steel beam", 3, 2700.0, "cancelled"),
        (1009, "C-05", date(2024, 4, 22), "Pine board", 25, 750.0, "shipped"),
        (1010, "C-01", date(2024, 5, 6), "Oak panel", 8, 736.0, "shipped"),
    ]
    return _book(Orders=orders, Customers=customers)


def _budget() -> Book:
    """A title, a head of two rows with merged cells, a totals row, a note."""
    rows = [
        ("Marketing budget 2024",),
        (),
        ("Department", "H1", None, "H2", None),
        (None, "Plan", "Actual", "Plan", "Actual"),
        ("Events", 12000, 13500, 9000, 8700),
        ("Online", 30000, 28900, 32000, 33800),
        ("Print", 8000, 7600, 5000, 4100),
        ("Sponsoring", 15000, 15000, 10000, 12500),
        ("Total", 65000, 65000, 56000, 59100),
        (),
        ("Note: figures in euros, rounded to hundreds.",),
    ]
    book = _book(Budget=rows)
    sheet = book["Budget"]
    sheet.merge_cells("A1:E1")
    sheet.merge_cells("A3:A4")
    sheet.merge_cells("B3:C3")
    sheet.merge_cells("D3:E3")
    return book


def _staff() -> Book:
    rows = [
        ("emp_id", "emp_name", "dept", "job_title", "salary_usd", "hire_date", "remote", "vacation_days"),
        ("E07", "Amara Obi", "Engineering", "Developer", 82000, date(2019, 4, 1), "yes", 12),
        ("E12", "Jonas Weiss", "Engineering", "Architect", 104500, date(2016, 9, 12), "no", 5),
        ("E15", "Priya Nair", "Finance", "Controller", 76000, date(2021, 1, 4), "yes", 18),
        ("E21", "Luis Ortega", "Sales", "Account manager", 64000, date(2020, 6, 15), "no", 9),
        ("E22", "Mei Tanaka", "Sales", "Account manager", 67500, date(2018, 11, 5), "yes", 22),
        ("E30", "Sofia Marin", "Engineering", "Developer", 79000, date(2022, 3, 21), "yes", 7),
        ("E34", "Tom Becker", "Finance", "Clerk", 48000, date(2023, 8, 1), "no", 14),
        ("E41", "Nadia Haddad", "Sales", "Head of sales", 98000, date(2015, 2, 9), "no", 3),
    ]
    return _book(Employees=rows)


def _months() -> Book:
    """Months as columns, a total at the end of each row and below."""
    head = ("Region", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Total")
    rows = [
        ("North", 120, 135, 150, 160, 140, 155, 860),
        ("South", 90, 80, 95, 110, 120, 100, 595),
        ("East", 200, 210, 190, 220, 230, 240, 1290),
        ("West", 60, 75, 70, 65, 80, 85, 435),
        ("Total", 470, 500, 505, 555, 570, 580, 3180),
    ]
    return _book(Sales_by_region=[("Units sold 2023",), head, *rows])


def _text_days() -> Book:
    rows = [
        ("Ticket", "Opened", "Closed", "Priority", "Agent", "Hours"),
        ("T-101", "03/01/2024", "05/01/2024", "high", "Rosa", 3.5),
        ("T-102", "04/01/2024", "19/01/2024", "low", "Ben", 1.25),
        ("T-103", "15/01/2024", "16/01/2024", "high", "Rosa", 6),
        ("T-104", "28/01/2024", "02/02/2024", "medium", "Ivo", 2),
        ("T-105", "07/02/2024", None, "high", "Ben", 4.75),
        ("T-106", "21/02/2024", "01/03/2024", "low", "Ivo", 0.5),
        ("T-107", "06/03/2024", None, "medium", "Rosa", 2.25),
    ]
    return _book(Tickets=rows)


def _currencies() -> Book:
    rows = [
        ("Invoice", "Vendor", "Currency", "Net amount", "Due", "Paid?"),
        ("R-1", "Aldo Tools", "EUR", 1200, date(2024, 3, 1), "Y"),
        ("R-2", "Brightside", "USD", 950.5, date(2024, 3, 10), "N"),
        ("R-3", "Aldo Tools", "EUR", 310, date(2024, 3, 22), "N"),
        ("R-4", "Cobalt Ltd", "GBP", 2200, date(2024, 4, 2), "Y"),
        ("R-5", "Brightside", "USD", 1049.5, date(2024, 4, 15), "Y"),
        ("R-6", "Cobalt Ltd", "GBP", 480, date(2024, 5, 6), "N"),
    ]
    return _book(Payables=rows)


def _stock() -> Book:
    """Merged cells that hold for several rows, and blank rows between."""
    rows = [
        ("Stock take, week 14",),
        ("Warehouse", "SKU", "Description", "On hand", "Unit cost ($)", "Reorder level"),
        ("Dock A", "SKU-11", "Brass valve", 140, 7.5, 50),
        (None, "SKU-12", "Copper elbow", 35, 2.1, 60),
        (None, "SKU-13", "Gasket set", 410, 0.85, 200),
        ("Dock B", "SKU-21", "Pump housing", 9, 118.0, 4),
        (None, "SKU-22", "Rotor", 3, 245.0, 5),
        (),
        ("Yard", "SKU-31", "Steel pipe 6m", 75, 33.4, 40),
        (None, "SKU-32", "PVC pipe 3m", 220, 4.2, 150),
    ]
    book = _book(Stock=rows)
    book["Stock"].merge_cells("A3:A5")
    book["Stock"].merge_cells("A6:A7")
    book["Stock"].merge_cells("A9:A10")
    return book


def _two_tables() -> Book:
    """Two tables beside one another on a sheet."""
    rows = [
        ("Machines", None, None, None, "Operators", None, None),
        ("Machine", "Hall", "Output per day", None, "Operator", "Shift", "Years"),
        ("Lathe 1", "H1", 420, None, "Gustav", "early", 11),
        ("Lathe 2", "H1", 380, None, "Hanna", "late", 4),
        ("Mill 7", "H2", 510, None, "Igor", "night", 7),
        ("Press 3", "H3", 900, None, "Jana", "early", 2),
    ]
    return _book(Plant=rows)


def _survey() -> Book:
    rows = [
        ("Respondent", "How satisfied are you overall?", "Would recommend", "Age group", "NPS"),
        (1, 4, "yes", "25-34", 8),
        (2, 5, "yes", "35-44", 10),
        (3, 2, "no", "25-34", 3),
        (4, 3, "no", "45-54", 6),
        (5, 5, "yes", "35-44", 9),
        (6, 4, "yes", "25-34", 9),
    ]
    return _book(Responses=rows)


def _projects() -> Book:
    projects = [
        ("Project", "Lead", "Start", "End", "Budget k€", "Status"),
        ("Atlas", "Ines", "Jan 15, 2023", "Sep 30, 2023", 240, "done"),
        ("Boreal", "Karl", "March 1, 2023", "Feb 28, 2024", 510, "running"),
        ("Cirrus", "Ines", "June 12, 2023", "Dec 1, 2023", 95, "done"),
        ("Delta", "Marta", "Jan 8, 2024", "Aug 31, 2024", 330, "running"),
        ("Ember", "Karl", "April 2, 2024", "Jan 15, 2025", 150, "planned"),
    ]
    hours = [
        ("Project", "Person", "Month", "Hours"),
        ("Atlas", "Ines", "2023-03", 80),
        ("Atlas", "Otto", "2023-03", 120),
        ("Boreal", "Karl", "2023-05", 60),
        ("Boreal", "Otto", "2023-05", 40),
        ("Boreal", "Pia", "2023-06", 150),
        ("Cirrus", "Ines", "2023-07", 95),
        ("Delta", "Marta", "2024-02", 110),
        ("Delta", "Pia", "2024-03", 30),
    ]
    return _book(Projects=projects, Hours=hours)


def _quarters() -> Book:
    """The same columns on a sheet for each quarter."""
    head = ("Store", "Revenue", "Visitors")
    return _book(
        Q1_2024=[head, ("Bern", 41000, 1900), ("Basel", 38500, 2100), ("Chur", 12000, 640)],
        Q2_2024=[head, ("Bern", 43800, 2050), ("Basel", 36900, 1980), ("Chur", 15500, 700)],
        Q3_2024=[head, ("Bern", 40100, 1870), ("Basel", 39900, 2230), ("Chur", 14100, 690)],
    )


def _sections() -> Book:
    """Names of sections alone in a row, with a subtotal under each."""
    rows = [
        ("Expenses May",),
        ("Item", "Date", "Amount"),
        ("Travel",),
        ("Train to Lyon", date(2024, 5, 2), 96.4),
        ("Hotel Lyon", date(2024, 5, 3), 240.0),
        ("Subtotal Travel", None, 336.4),
        ("Office",),
        ("Paper", date(2024, 5, 6), 31.6),
        ("Headset", date(2024, 5, 17), 89.0),
        ("Subtotal Office", None, 120.6),
        ("Grand total", None, 457.0),
    ]
    book = _book(Expenses=rows)
    _formats(book, "Expenses", 3, '#,##0.00 "€"', 3)
    return book


def _rates() -> Book:
    rows = [
        ("Fund", "Manager", "Return", "Fee", "Assets ($m)", "Inception"),
        ("Alder Growth", "Vogt", 0.082, 0.0125, 410.5, 2009),
        ("Birch Income", "Sato", 0.031, 0.006, 1230, 1998),
        ("Cedar Small Cap", "Vogt", 0.114, 0.0175, 96.2, 2015),
        ("Dogwood Bond", "Ruiz", -0.012, 0.0045, 780, 2003),
        ("Elm Global", "Sato", 0.067, 0.011, 540.3, 2012),
    ]
    book = _book(Funds=rows)
    _formats(book, "Funds", 3, "0.0%")
    _formats(book, "Funds", 4, "0.00%")
    return book


def _fleet() -> Book:
    rows = [
        ("Plate", "Make", "Model", "Year", "Mileage (km)", "Driver", "Next service", "Electric"),
        ("HH-AB 12", "Volvo", "XC40", 2021, 45200, "Lena Krug", date(2024, 9, 1), True),
        ("HH-CD 34", "VW", "Transporter", 2017, 183400, "Paul Ems", date(2024, 6, 15), False),
        ("M-XY 77", "VW", "ID.4", 2022, 20150, "Lena Krug", date(2025, 1, 10), True),
        ("B-KL 90", "Ford", "Transit", 2019, 131000, "Omar Said", date(2024, 7, 20), False),
        ("B-MN 05", "Volvo", "V60", 2018, 98700, "Vera Lund", date(2024, 8, 5), False),
    ]
    return _book(Vehicles=rows)


def _school() -> Book:
    students = [
        ("Student No.", "First name", "Last name", "Class"),
        (501, "Aline", "Moreau", "7a"),
        (502, "Bashir", "Khan", "7b"),
        (503, "Chloe", "Dupont", "7a"),
        (504, "Dario", "Ricci", "7b"),
    ]
    marks = [
        ("Student No.", "Subject", "Mark"),
        (501, "Maths", 14),
        (501, "History", 17),
        (502, "Maths", 9),
        (502, "History", 12),
        (503, "Maths", 18),
        (503, "History", 15),
        (504, "Maths", 11),
        (504, "History", 8),
    ]
    return _book(Students=students, Marks=marks)


def _energy() -> Book:
    """Years as columns, units in a row of their own."""
    rows = [
        ("Energy balance",),
        ("Source", "2019", "2020", "2021", "2022"),
        (None, "(GWh)", "(GWh)", "(GWh)", "(GWh)"),
        ("Wind", 512.4, 601.2, 588.0, 690.7),
        ("Solar", 210.1, 245.9, 301.3, 377.8),
        ("Hydro", 890.0, 872.6, 910.4, 845.1),
        ("Biomass", 150.3, 149.8, 151.0, 148.2),
        ("Total", 1762.8, 1869.5, 1950.7, 2061.8),
        ("Source: grid operator, own estimates",),
    ]
    return _book(Balance=rows)


def _events() -> Book:
    rows = [
        ("Event", "Venue", "City", "Starts", "Tickets sold", "Capacity", "Ticket price", "Sold out"),
        ("Jazz Night", "Blue Hall", "Graz", "2024-06-01 19:30", 310, 400, "€35.00", "no"),
        ("Rock am Fluss", "Open Air", "Linz", "2024-07-12 16:00", 5000, 5000, "€59.90", "yes"),
        ("Poetry Slam", "Cafe Nord", "Graz", "2024-06-14 20:00", 80, 80, "€12.00", "yes"),
        ("Opera Gala", "State Opera", "Vienna", "2024-09-20 18:00", 1650, 1700, "€120.00", "no"),
        ("Kids Circus", "Open Air", "Linz", "2024-08-03 11:00", 1200, 3000, "€18.50", "no"),
    ]
    return _book(Events=rows)


def _european() -> Book:
    """Numbers with a comma before the decimals, as texts; German heads."""
    rows = [
        ("Artikel", "Menge", "Preis (EUR)", "Lieferant", "Lieferdatum"),
        ("Schraube M6", "1.200", "0,12", "Metall AG", "05.02.2024"),
        ("Blech 2mm", "85", "14,90", "Metall AG", "19.02.2024"),
        ("Farbe weiss", "40", "22,50", "Lack GmbH", "01.03.2024"),
        ("Lack klar", "12", "31,75", "Lack GmbH", "15.03.2024"),
    ]
    return _book(Einkauf=rows)


def _league() -> Book:
    rows = [
        ("Pos", "Team", "Pld", "W", "D", "L", "GF", "GA", "Pts"),
        (1, "Rovers", 10, 7, 2, 1, 22, 9, 23),
        (2, "United", 10, 6, 2, 2, 19, 12, 20),
        (3, "Wanderers", 10, 5, 3, 2, 15, 11, 18),
        (4, "Athletic", 10, 4, 1, 5, 14, 16, 13),
        (5, "City", 10, 2, 3, 5, 10, 17, 9),
        (6, "Harriers", 10, 0, 1, 9, 5, 20, 1),
    ]
    return _book(Table=rows)


def _repeated() -> Book:
    """The head comes again further down; a few cells are blank."""
    head = ("Shipment", "Carrier", "Weight (kg)", "Destination", "Delivered")
    rows = [
        head,
        ("S-900", "Norlog", 120.5, "Oslo", date(2024, 2, 1)),
        ("S-901", "Transfix", 80, "Turku", date(2024, 2, 3)),
        ("S-902", "Norlog", None, "Bergen", date(2024, 2, 4)),
        head,
        ("S-903", "Transfix", 230, "Oslo", None),
        ("S-904", "Baltica", 55.25, "Riga", date(2024, 2, 9)),
        ("S-905", "Norlog", 310, "Oslo", date(2024, 2, 12)),
    ]
    return _book(Shipments=rows)


def _rental() -> Book:
    """No head at all is odd enough; here it is far below, behind lines about the report."""
    rows = [
        ("Report:", "Apartment rentals"),
        ("Created:", "2024-04-30"),
        (),
        ("Flat", "Rooms", "Size m²", "Rent", "Tenant since", "Balcony"),
        ("A1", 2, 54, 890, date(2018, 7, 1), "yes"),
        ("A2", 3, 78, 1240, date(2020, 2, 1), "yes"),
        ("B1", 1, 33, 610, date(2023, 10, 15), "no"),
        ("B2", 4, 102, 1720, date(2015, 5, 1), "yes"),
        ("C1", 2, 61, 940, date(2021, 3, 1), "no"),
        (None, None, None, 5400, None, None),
    ]
    book = _book(Rentals=rows)
    _formats(book, "Rentals", 4, "[$€-407] #,##0", 5)
    return book


WORKBOOKS: dict[str, Callable[[], Book]] = {
    "orders": _orders,
    "budget": _budget,
    "staff": _staff,
    "months": _months,
    "tickets": _text_days,
    "payables": _currencies,
    "stock": _stock,
    "plant": _two_tables,
    "survey": _survey,
    "projects": _projects,
    "quarters": _quarters,
    "expenses": _sections,
    "funds": _rates,
    "fleet": _fleet,
    "school": _school,
    "energy": _energy,
    "events": _events,
    "einkauf": _european,
    "league": _league,
    "shipments": _repeated,
    "rentals": _rental,
}
