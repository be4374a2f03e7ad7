"""Write the sample collection and its truth file: `python -m samples.source.build` (needs the dev extra)."""

from __future__ import annotations

import csv
import json
import shutil

from samples import COLLECTION, TRUTH
from samples.source.clauses import preamble, sections
from samples.source.contracts import CONTRACTS, Contract
from samples.source.papers import PAPERS
from samples.source.purchases import FUEL, MAIL, REGISTER
from samples.source.write import write, write_pdf, write_scan

POLICY_CAP = 500_000


def build() -> None:
    """Replace samples/collection and samples/truth.json."""
    shutil.rmtree(COLLECTION, ignore_errors=True)
    for contract in CONTRACTS:
        path = COLLECTION / "contracts" / f"{contract.name}.{contract.format}"
        write(path, contract.title, preamble(contract), sections(contract), is_numbered=True)
    for paper in PAPERS:
        path = COLLECTION / paper.bucket / f"{paper.name}.{paper.format}"
        write(path, paper.title, "", paper.sections, is_numbered=False)
    _write_tables_and_mail()
    _write_unreadable()
    TRUTH.write_text(json.dumps(truth(), indent=1) + "\n", encoding="utf-8")


def truth() -> dict[str, object]:
    """What is true of the collection: facts of each contract and the answers that follow from them."""

    def names(chosen: list[Contract]) -> list[str]:
        return [f"{c.name}.{c.format}" for c in chosen]

    ending = [c for c in CONTRACTS if c.expires and "2024-10-01" <= c.expires <= "2024-12-31"]
    acme = [c for c in CONTRACTS if c.supplier.startswith("ACME")]
    return {
        "contracts": {
            f"{c.name}.{c.format}": {
                "supplier": c.supplier, "customer": c.customer, "effective": c.effective, "expires": c.expires,
                "value": c.value, "currency": c.currency, "termination": c.has_termination,
                "force_majeure": c.has_force_majeure, "liability_cap": c.liability_cap, "governing_law": c.law,
            }
            for c in CONTRACTS
        },
        "unreadable": {
            "contracts/kappa-transport-agreement-scan.pdf": "scan",
            "invoices/tire-receipt-2023-12-04-scan.pdf": "scan",
            "contracts/sigma-settlement-agreement.pdf": "encrypted",
        },
        "questions": {
            "Find all ACME contracts with termination clauses and value > $100K": names(
                [c for c in acme if c.has_termination and (c.value or 0) > 100_000]
            ),
            "Which contracts are missing force majeure clauses?": names(
                [c for c in CONTRACTS if not c.has_force_majeure]
            ),
            "Total value of contracts expiring in Q4 2024": {
                "contracts": names(ending), "value": sum(c.value or 0 for c in ending), "currency": "USD",
            },
            "Compare liability caps between ACME and Beta Corp": {
                f"{c.name}.{c.format}": c.liability_cap
                for c in CONTRACTS
                if c.supplier.startswith(("ACME", "Beta")) and c.liability_cap
            },
            "Which ACME contracts have liability caps exceeding our policy?": names(
                [c for c in acme if (c.liability_cap or 0) > POLICY_CAP]
            ),
            "List every tire purchase receipt.": [
                "tire-receipt-2024-03-17.txt", "tire-receipt-2024-06-02.pdf", "tire-receipt-2024-10-28.html",
            ],
            "What is the minimum panel width for AlphaSolar models?": {
                "value": 992, "unit": "mm", "documents": ["alphasolar-product-family.md", "alphasolar-as-330.pdf"],
            },
            "Explain the maintenance steps for battery cabinet B-120.": {
                "documents": ["battery-cabinet-b-120-maintenance.pdf"], "steps": 9,
            },
        },
    }  # fmt: skip


def _write_tables_and_mail() -> None:
    import openpyxl

    folder = COLLECTION / "invoices"
    with (folder / "invoice-register-2024.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(REGISTER)
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Fuel September 2024"
    for row in FUEL:
        sheet.append(row)
    book.save(folder / "fuel-purchases-2024-09.xlsx")
    (folder / "order-confirmation-nu-7781.eml").write_text(MAIL, encoding="utf-8")


def _write_unreadable() -> None:
    """Two scans without text and one encrypted file, so that a newcomer meets those states."""
    write_scan(
        COLLECTION / "contracts" / "kappa-transport-agreement-scan.pdf",
        "Transport Agreement",
        "This Transport Agreement is made as of May 2, 2019 between Kappa Haulage Ltd and Prairie Foods Cooperative.",
        [("1. Services", "Kappa Haulage Ltd carries dry goods between the sites in Annex A.")],
    )
    write_scan(
        COLLECTION / "invoices" / "tire-receipt-2023-12-04-scan.pdf",
        "Roadrunner Tire Center",
        "Receipt RT-19220 of December 4, 2023.",
        [("Items", "2 winter tires 245/75R17, total paid $438.00")],
    )
    write_pdf(
        COLLECTION / "contracts" / "sigma-settlement-agreement.pdf", "Settlement Agreement",
        "The terms of this settlement are confidential.", [("1. Payment", "The parties settle all claims.")],
        password="sealed",
    )  # fmt: skip


if __name__ == "__main__":
    build()
