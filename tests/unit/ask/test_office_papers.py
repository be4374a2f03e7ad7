"""Questions about the papers of an office are answered from their fields, by kind and by document."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.workbench import Workbench

PAPERS = {
    "minutes/board-may.md": """# Minutes of the Board

Date: 8 May 2024
Called to order at 7:45 pm by Karen Holt
Members present: Tayeb, Karen Holt, Tom
Quorum met? Yes

## Reports

The treasurer reported. Motion seconded by Tom.

Adjourned at 9:04 pm
""",
    "minutes/board-june.md": """# Minutes of the Board

Date: 12 June 2024
Called to order at 7:40 pm by Tom Reed
Members present: Tom Reed, Tayeb
Quorum met? No

Adjourned at 8:33 pm
""",
    "incidents/mail-down.md": """# 2024-03-03, Mail gateway down

## Summary

The mail gateway stopped to answer after an update of its certificates.

## Timeline

All times in CET

### 2024-03-03 10:00

Mail stops.

Service: mail gateway
Severity: high
Duration: 3 hours

## Root cause

An intermediate certificate was missing from the bundle that was rolled out.

## Action items

- Check bundles before a roll-out, on a machine of its own.
""",
    "policies/travel.txt": """POLICY ON TRAVEL
Policy Number: P-17
Policy Owner: Finance Office
Adopted: March 1, 2021
Last Revised: August 19, 2023
Next review: August 2025

1. Purpose
This policy says what employees may spend on journeys.
""",
    "filings/acme.txt": """UNITED STATES
SECURITIES AND EXCHANGE COMMISSION
FORM 10-K
ANNUAL REPORT PURSUANT TO SECTION 13
For the fiscal year ended December 31, 2022
Commission File Number: 0-15175
ACME CORP.
(Exact name of registrant as specified in its charter)
Delaware 77-0019522
(State or other jurisdiction of
incorporation or organization)
(I.R.S. Employer
Identification No.)
345 Park Avenue, San Jose, California 95110-2704
(Address of principal executive offices)
(408) 536-6000
""",
    "budgets/city.txt": """PROPOSED BUDGET
City of Elm
Budget ordinance
Fiscal year: 2025
Total revenues: $1,200,000
Total expenditures: $1,150,000
Adopted: June 3, 2024
""",
    "invoices/po.txt": """PURCHASE ORDER
PO Number: PO-778
Order date: 3 May 2024
Supplier: Nordwind GmbH
Customer: Beta Corp
Delivery date: 20 May 2024
Total: EUR 500.00
""",
}


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("office")
    for name, text in PAPERS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    with Workbench.open(home=folder / "home") as bench:
        bench.ingest([folder / name for name in PAPERS], bucket="office")
        yield bench


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many minutes are there?", "2 minutes"),
        ("Who chaired the meeting of 8 May 2024?", "Karen Holt"),
        ("How many incident reports do we have?", "1 incident report"),
        ("How long did the mail gateway incident last?", "3 hours"),
        ("How many policies are there?", "1 policy"),
        ("When was the travel policy last revised?", "19 Aug 2023"),
        ("How many filings do we have?", "1 filing"),
        ("What is the commission file number of Acme?", "0-15175"),
        ("How many budgets are there?", "1 budget"),
        ("What is the total revenue in the city budget?", "1,200,000"),
        ("How many purchase orders are there?", "**1**"),
        ("What is the delivery date of purchase order PO-778?", "20 May 2024"),
    ],
)
def test_papers_are_counted_and_looked_up(office: Workbench, question: str, said: str) -> None:
    answer = office.ask(question)

    assert answer.status.value == "answered"
    assert said in answer.text
