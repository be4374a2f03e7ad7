"""The other sample documents as (heading, text) sections; a text line that starts with '| ' is a table row."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """One document: its bucket, file stem, format, title and sections."""

    bucket: str
    name: str
    format: str
    title: str
    sections: tuple[tuple[str, str], ...]


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


def _panel(model: str, format: str, power: int, width: int, height: int, weight: str, cells: str) -> Paper:
    return Paper(
        "datasheets",
        f"alphasolar-{model.lower()}",
        format,
        f"AlphaSolar {model} Photovoltaic Module",
        (
            (
                "Overview",
                f"The AlphaSolar {model} is a monocrystalline photovoltaic module of {power} W for roofs "
                f"and ground-mounted plants. It has {cells} and a frame of anodised aluminium.",
            ),
            (
                "Electrical Data",
                f"| Quantity | Value\n| Nominal power | {power} W\n| Module efficiency | "
                f"{power / (width * height) * 1e5:.1f} %\n| Maximum system voltage | 1,500 V DC\n| Power tolerance | 0 to +5 W",
            ),
            (
                "Mechanical Data",
                f"The {model} has a panel width of {width:,} mm, a height of {height:,} mm and a depth "
                f"of 30 mm. It weighs {weight} kg and withstands a snow load of 5,400 Pa and a wind load of 2,400 Pa.",
            ),
            (
                "Warranty",
                "Twenty-five years on power output and fifteen years on the product. The yearly loss of "
                "power is at most 0.45 percent.",
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

DATASHEETS = (
    _panel("AS-330", "pdf", 330, 992, 1_665, "18.4", "60 half-cut cells"),
    _panel("AS-400", "pdf", 400, 1_134, 1_722, "21.3", "108 half-cut cells"),
    _panel("AS-450", "html", 450, 1_096, 1_900, "23.0", "120 half-cut cells"),
    _panel("AS-550", "txt", 550, 1_303, 2_172, "31.1", "132 half-cut cells"),
    Paper(
        "datasheets",
        "alphasolar-product-family",
        "md",
        "AlphaSolar Product Family Overview",
        (
            (
                "Models",
                "The AlphaSolar family has four models: AS-330, AS-400, AS-450 and AS-550. They share one frame "
                "profile and one connector, so that they can be mixed on the same mounting rails.",
            ),
            (
                "Sizes",
                "The minimum panel width for AlphaSolar models is 992 mm, which is the width of the AS-330. The "
                "widest model is the AS-550 with 1,303 mm. Clamps are placed on the long side, a quarter of the height "
                "away from the corners.",
            ),
            (
                "Choosing a Model",
                "Narrow roofs are best covered with the AS-330. For ground-mounted plants the AS-550 "
                "needs the fewest clamps for each kilowatt.",
            ),
        ),
    ),
    Paper(
        "datasheets",
        "battery-cabinet-b-120",
        "html",
        "Battery Cabinet B-120 Datasheet",
        (
            (
                "Overview",
                "The B-120 is an indoor battery cabinet with a usable capacity of 120 kWh. It holds sixteen "
                "lithium iron phosphate modules and its own battery management system.",
            ),
            (
                "Technical Data",
                "| Quantity | Value\n| Usable capacity | 120 kWh\n| Rated power | 60 kW\n| Voltage range | "
                "672 to 864 V DC\n| Weight | 1,480 kg\n| Degree of protection | IP54",
            ),
            (
                "Operating Conditions",
                "The cabinet works from 0 to 45 degrees Celsius. Above 40 degrees the power is "
                "reduced by 2 percent for each degree. The relative humidity must stay below 85 percent.",
            ),
        ),
    ),
    Paper(
        "datasheets",
        "inverter-iq-60",
        "docx",
        "Inverter IQ-60 Datasheet",
        (
            (
                "Overview",
                "The IQ-60 is a three-phase string inverter of 60 kW with four maximum power point trackers.",
            ),
            (
                "Technical Data",
                "| Quantity | Value\n| Rated power | 60 kW\n| European efficiency | 98.2 %\n| Input voltage | "
                "200 to 1,000 V DC\n| Noise | below 50 dB(A)\n| Weight | 74 kg",
            ),
            (
                "Protection",
                "The inverter has surge arresters of type 2 on both sides, residual current monitoring and "
                "detection of electric arcs.",
            ),
        ),
    ),
)

CERTIFICATES = (
    Paper(
        "certificates",
        "iso-9001-acme",
        "pdf",
        "ISO 9001 Certificate - ACME Corporation",
        (
            (
                "Certificate",
                "This is to certify that the quality management system of ACME Corporation, 12 Foundry Street, "
                "Toledo, Ohio, fulfils the requirements of ISO 9001:2015.",
            ),
            ("Scope", "Manufacture of rail hardware; field engineering and grid monitoring services."),
            (
                "Validity",
                "Certificate number: QM-48213. Valid from May 14, 2023 until May 13, 2026. A surveillance audit "
                "is held every year.",
            ),
        ),
    ),
    Paper(
        "certificates",
        "iso-14001-gamma",
        "txt",
        "ISO 14001 Certificate - Gamma Builders Inc.",
        (
            (
                "Certificate",
                "The environmental management system of Gamma Builders Inc. fulfils the requirements of ISO "
                "14001:2015.",
            ),
            ("Validity", "Certificate number: EM-10077. Valid from September 1, 2022 until August 31, 2025."),
        ),
    ),
    Paper(
        "certificates",
        "iec-61215-alphasolar",
        "pdf",
        "IEC 61215 Type Approval - AlphaSolar",
        (
            (
                "Approval",
                "The photovoltaic modules AlphaSolar AS-330, AS-400, AS-450 and AS-550 passed the design "
                "qualification and type approval of IEC 61215.",
            ),
            (
                "Tests",
                "Thermal cycling (200 cycles), damp heat (1,000 hours), hail (25 mm at 23 m/s) and mechanical load "
                "(5,400 Pa) were passed with a loss of power below 2 percent.",
            ),
            (
                "Validity",
                "Certificate number: PV-7730. Issued on February 9, 2024. It expires on February 8, 2029.",
            ),
        ),
    ),
    Paper(
        "certificates",
        "ul-9540-b-120",
        "docx",
        "UL 9540 Listing - Battery Cabinet B-120",
        (
            (
                "Listing",
                "The energy storage system B-120 is listed under UL 9540. Its cells were tested under UL 9540A "
                "without propagation of thermal runaway from module to module.",
            ),
            (
                "Conditions",
                "The listing holds for indoor installation with a clearance of at least 900 mm in front of the "
                "cabinet and 150 mm at its sides.",
            ),
        ),
    ),
    Paper(
        "certificates",
        "calibration-thermal-camera",
        "md",
        "Calibration Certificate - Thermal Camera TC-8",
        (
            ("Instrument", "Thermal camera TC-8, serial number 4471-09, owned by ACME Corporation."),
            (
                "Result",
                "The largest deviation from the black body reference was 0.7 kelvin at 100 degrees Celsius, within "
                "the allowed 2 kelvin. Calibrated on April 3, 2024; the next calibration is due in April 2025.",
            ),
        ),
    ),
)

MANUALS = (
    Paper(
        "manuals",
        "battery-cabinet-b-120-maintenance",
        "pdf",
        "Battery Cabinet B-120 Maintenance Manual",
        (
            (
                "Safety First",
                "Only trained electricians may open the battery cabinet B-120. The direct current terminals "
                "carry up to 864 V even when the main switch is off. Wear insulating gloves of class 0 and a face shield, "
                "and never work alone. Keep metal tools that are not insulated away from the open cabinet.",
            ),
            (
                "Maintenance Schedule",
                "The B-120 is inspected every month by looking at its display and filters, and "
                "serviced in full every twelve months. The cooling fans are replaced every five years, and the coolant "
                "hoses every eight years.",
            ),
            (
                "Maintenance Steps",
                "Carry out the yearly maintenance of battery cabinet B-120 in this order:\n"
                "1. Set the cabinet to service mode at the display and wait until the current reads 0 A.\n"
                "2. Switch off the main switch, lock it and attach a warning tag.\n"
                "3. Wait fifteen minutes, then check with a voltage tester that the inverter terminals are dead.\n"
                "4. Clean or replace the two air filters behind the lower door.\n"
                "5. Tighten the busbar bolts to 12 Nm and mark each bolt with paint.\n"
                "6. Measure the insulation resistance; it must be above 1 megohm.\n"
                "7. Check the coolant level and the hoses for leaks.\n"
                "8. Remove the lock, switch on the main switch and leave service mode.\n"
                "9. Enter the date and the measured values in the service log.",
            ),
            (
                "Fault Codes",
                "| Code | Meaning | Remedy\n| F01 | Module temperature too high | Check fans and filters\n| F07 | "
                "Insulation fault | Stop operation and call service\n| F12 | Communication lost | Check the network cable",
            ),
            (
                "Storage and Transport",
                "A cabinet that is out of use is stored at a state of charge of 30 to 50 percent and "
                "charged again every six months. Modules are lifted with the handling frame HF-2 only.",
            ),
        ),
    ),
    Paper(
        "manuals",
        "battery-cabinet-b-200-maintenance",
        "docx",
        "Battery Cabinet B-200 Maintenance Manual",
        (
            (
                "Safety First",
                "The battery cabinet B-200 stands outdoors and has a liquid cooling circuit under pressure. "
                "Release the pressure before you open it.",
            ),
            (
                "Maintenance Steps",
                "Carry out the maintenance of battery cabinet B-200 every six months:\n"
                "1. Stop the cabinet by remote command and confirm the stop on site.\n"
                "2. Release the pressure of the cooling circuit.\n"
                "3. Replace the desiccant cartridge.\n"
                "4. Inspect the door seals and the roof for corrosion.\n"
                "5. Refill the coolant to 1.4 bar and restart the cabinet.",
            ),
        ),
    ),
    Paper(
        "manuals",
        "alphasolar-installation-guide",
        "html",
        "AlphaSolar Installation Guide",
        (
            (
                "Before You Start",
                "Check the roof structure and the local wind and snow loads. Do not carry modules by their "
                "junction box or cables, and do not step on them.",
            ),
            (
                "Mounting",
                "Place the rails at right angles to the rafters. Leave a gap of at least 20 mm between modules. "
                "Tighten the clamps to 14 Nm. Each module needs four clamps; in snow regions six.",
            ),
            (
                "Grounding",
                "Connect the frames of each row with a copper conductor of at least 6 square millimetres. The "
                "resistance to earth must be below 10 ohms.",
            ),
        ),
    ),
    Paper(
        "manuals",
        "inverter-iq-60-quick-start",
        "md",
        "Inverter IQ-60 Quick Start",
        (
            (
                "Mounting",
                "Hang the inverter on its bracket at a height of 1.2 m, in the shade and with 500 mm of free space "
                "above it.",
            ),
            (
                "Commissioning",
                "1. Check the polarity of each string.\n2. Close the direct current switch.\n3. Choose the "
                "country code in the menu.\n4. Wait for the green light, which takes about two minutes.",
            ),
        ),
    ),
    Paper(
        "manuals",
        "fleet-tire-inspection",
        "txt",
        "Fleet Tire Inspection Guide",
        (
            (
                "Tread",
                "Measure the tread depth of every tire each month at three points. Replace a tire whose tread is "
                "below 4 mm on the steering axle or below 3 mm elsewhere.",
            ),
            (
                "Pressure",
                "Check the pressure when the tires are cold. Light trucks run at 55 psi in front and 65 psi in the "
                "rear, unless the door plate says otherwise.",
            ),
        ),
    ),
    Paper(
        "manuals",
        "site-safety-handbook",
        "pdf",
        "Site Safety Handbook",
        (
            (
                "Reporting",
                "Report every accident and every near miss to the site manager within one hour. Use form S-3; the "
                "manager sends it to the safety office on the same day.",
            ),
            (
                "Personal Protective Equipment",
                "Helmet, safety shoes and high-visibility vest are worn everywhere on site. "
                "Hearing protection is worn where the noise is above 85 dB(A).",
            ),
            (
                "Working at Heights",
                "Above 1.8 m use a guard rail or a harness. Ladders are for access and not for work that "
                "takes longer than thirty minutes.",
            ),
            (
                "Electrical Work",
                "Five rules: disconnect; secure against reconnection; prove dead; earth and short-circuit; "
                "cover neighbouring live parts.",
            ),
        ),
    ),
)

POLICY = Paper(
    "contracts",
    "contract-liability-policy",
    "pdf",
    "Contract Liability Policy",
    (
        (
            "Purpose",
            "This policy sets the limits within which contracts may be signed. It applies to all contracts of the "
            "group and of its subsidiaries as a customer.",
        ),
        (
            "Liability Caps",
            "The liability cap that is agreed with a supplier may be at most $500,000 per incident. A "
            "higher cap needs the written consent of the chief financial officer before signature.",
        ),
        (
            "Required Clauses",
            "Every contract with a value above $100,000 contains a termination clause and a force majeure "
            "clause. The legal department keeps a list of exceptions.",
        ),
        (
            "Review",
            "The legal department reviews this policy every year in January. The policy took effect on January 1, "
            "2022.",
        ),
    ),
)

AMENDMENT = Paper(
    "contracts",
    "acme-supply-agreement-amendment-1",
    "txt",
    "Amendment No. 1 to Supply Agreement",
    (
        (
            "Amendment",
            "This Amendment No. 1 to the Supply Agreement dated February 15, 2023 between ACME Corporation and "
            "Harbor Freight Rail Inc. is made as of January 10, 2024.",
        ),
        (
            "Changes",
            "The safety stock in section 2 is raised from six to eight weeks. Invoices are payable net 30 days "
            "instead of net 45 days. All other terms, including the contract value and the expiry date, stay as they are.",
        ),
    ),
)

PAPERS = (*RECEIPTS, *INVOICES, *DATASHEETS, *CERTIFICATES, *MANUALS, POLICY, AMENDMENT)

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
