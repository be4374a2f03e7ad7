"""The other sample documents: all but the contracts."""

from __future__ import annotations

from samples.source.paper import Paper
from samples.source.products import DATASHEETS, MANUALS
from samples.source.purchases import INVOICES, RECEIPTS

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
