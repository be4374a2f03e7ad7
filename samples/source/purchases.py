"""What was bought: receipts, invoices, and what is written about them."""

from __future__ import annotations

from samples.source.paper import Paper


def _receipt(
    name: str,
    format: str,
    seller: str,
    number: str,
    day: str,
    lines: tuple[tuple[str, int, str], ...],
    total: str,
) -> Paper:
    rows = "\n".join(
        ["| Item | Quantity | Amount", *(f"| {item} | {count} | {cost}" for item, count, cost in lines)]
    )
    return Paper(
        "invoices",
        name,
        format,
        f"Receipt {number} - {seller}",
        (
            (
                "Receipt",
                f"{seller}\nReceipt number: {number}\nDate: {day}\nSold to: Northwind Utilities LLC, "
                "fleet department",
            ),
            ("Items", rows),
            (
                "Total",
                f"Total paid: {total}. Paid by company card. Goods may be returned within thirty days with "
                "this receipt.",
            ),
        ),
    )


RECEIPTS = (
    _receipt(
        "tire-receipt-2024-03-17",
        "txt",
        "Roadrunner Tire Center",
        "RT-20931",
        "March 17, 2024",
        (("All-season tire 265/70R17", 4, "$716.00"), ("Mounting and balancing", 4, "$80.00")),
        "$796.00",
    ),
    _receipt(
        "tire-receipt-2024-06-02",
        "pdf",
        "Roadrunner Tire Center",
        "RT-21877",
        "June 2, 2024",
        (("Commercial tire 225/75R16", 6, "$1,134.00"), ("Disposal of old tires", 6, "$30.00")),
        "$1,164.00",
    ),
    _receipt(
        "tire-receipt-2024-10-28",
        "html",
        "Big Sky Tire and Brake",
        "BS-5512",
        "October 28, 2024",
        (("Winter tire 245/75R17", 4, "$868.00"), ("Wheel alignment", 1, "$99.00")),
        "$967.00",
    ),
    _receipt(
        "brake-service-receipt-2024-07-11",
        "txt",
        "Big Sky Tire and Brake",
        "BS-5190",
        "July 11, 2024",
        (("Front brake pads", 2, "$138.00"), ("Labour", 1, "$210.00")),
        "$348.00",
    ),
    _receipt(
        "office-chairs-receipt-2024-05-06",
        "html",
        "Workplace Outfitters",
        "WO-88213",
        "May 6, 2024",
        (("Task chair, grey", 12, "$3,588.00"),),
        "$3,588.00",
    ),
)

INVOICES = (
    Paper(
        "invoices",
        "acme-invoice-10442",
        "pdf",
        "Invoice 10442 - ACME Corporation",
        (
            (
                "Invoice",
                "Invoice number: 10442\nInvoice date: September 30, 2024\nBill to: Northwind Utilities LLC\n"
                "Purchase order: NU-7781",
            ),
            (
                "Lines",
                "| Description | Amount\n| Substation monitoring, September 2024 | $34,722.00\n"
                "| Thermographic inspection, third quarter | $6,900.00",
            ),
            ("Total", "Amount due: $41,622.00. Payment is due within 30 days, on October 30, 2024."),
        ),
    ),
    Paper(
        "invoices",
        "beta-invoice-2024-118",
        "docx",
        "Invoice 2024-118 - Beta Corp",
        (
            (
                "Invoice",
                "Invoice number: 2024-118\nInvoice date: August 31, 2024\nBill to: Northwind Utilities LLC",
            ),
            (
                "Lines",
                "| Description | Amount\n| Managed network, August 2024 | $6,100.00\n| Help desk, August 2024 | "
                "$2,788.89",
            ),
            ("Total", "Amount due: $8,888.89. Payment is due on September 30, 2024."),
        ),
    ),
    Paper(
        "invoices",
        "gamma-invoice-07",
        "txt",
        "Invoice 07 - Gamma Builders Inc.",
        (
            (
                "Invoice",
                "Invoice number: 07\nInvoice date: November 15, 2024\nBill to: City of Fairhaven\n"
                "Project: water treatment pump house",
            ),
            (
                "Lines",
                "| Description | Amount\n| Concrete works, October 2024 | $186,400.00\n| Less 5 percent retainage | "
                "-$9,320.00",
            ),
            ("Total", "Amount due: $177,080.00. Payment is due on January 14, 2025."),
        ),
    ),
)

REGISTER = (
    ("invoice", "date", "supplier", "category", "amount_usd", "paid"),
    ("10398", "2024-07-31", "ACME Corporation", "services", "34722.00", "yes"),
    ("10421", "2024-08-31", "ACME Corporation", "services", "34722.00", "yes"),
    ("10442", "2024-09-30", "ACME Corporation", "services", "41622.00", "no"),
    ("2024-118", "2024-08-31", "Beta Corp", "services", "8888.89", "yes"),
    ("RT-20931", "2024-03-17", "Roadrunner Tire Center", "fleet", "796.00", "yes"),
    ("RT-21877", "2024-06-02", "Roadrunner Tire Center", "fleet", "1164.00", "yes"),
    ("BS-5190", "2024-07-11", "Big Sky Tire and Brake", "fleet", "348.00", "yes"),
    ("BS-5512", "2024-10-28", "Big Sky Tire and Brake", "fleet", "967.00", "yes"),
    ("WO-88213", "2024-05-06", "Workplace Outfitters", "office", "3588.00", "yes"),
)

FUEL = (
    ("date", "vehicle", "station", "gallons", "amount_usd"),
    ("2024-09-03", "Truck 14", "Plains Fuel", 31.2, 112.01),
    ("2024-09-10", "Truck 14", "Plains Fuel", 28.7, 101.89),
    ("2024-09-11", "Van 3", "Junction Gas", 15.1, 55.12),
    ("2024-09-24", "Truck 9", "Plains Fuel", 35.0, 123.9),
)

MAIL = """From: Ana Ortiz <ana.ortiz@northwind.example>
To: Sam Reed <sam.reed@acme.example>
Subject: Order confirmation NU-7781: thermographic inspection
Date: Mon, 09 Sep 2024 10:12:00 -0400
Message-ID: <nu-7781@northwind.example>
MIME-Version: 1.0
Content-Type: text/plain; charset="utf-8"

Dear Sam,

we confirm order NU-7781 for the thermographic inspection of the third quarter at $6,900.00. Please send the
crew to substation 17 first: its transformer T2 showed a hot spot of 94 degrees Celsius in June. The work must be
finished by September 27, 2024.

Kind regards
Ana Ortiz
"""
