"""The sample contracts: their facts once, from which both the documents and the truth file are written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contract:
    """Facts of one contract. Amounts in whole units of `currency`; dates in ISO form; None: not stated."""

    name: str
    format: str
    title: str
    supplier: str
    customer: str
    subject: str
    effective: str
    expires: str | None
    value: int | None
    law: str
    currency: str = "USD"
    has_termination: bool = True
    has_force_majeure: bool = True
    liability_cap: int | None = None
    payment_days: int = 30
    services: tuple[str, ...] = ()
    extra: tuple[tuple[str, str], ...] = ()


CONTRACTS = (
    Contract(
        "acme-master-services-agreement",
        "pdf",
        "Master Services Agreement",
        "ACME Corporation",
        "Northwind Utilities LLC",
        "field engineering and grid monitoring services",
        "2022-01-01",
        "2024-12-31",
        1_250_000,
        "the State of New York",
        liability_cap=750_000,
        services=(
            "continuous monitoring of the forty-two substations listed in Schedule A",
            "quarterly thermographic inspection of transformers and switchgear",
            "an on-call field crew that reaches any substation within four hours",
            "a monthly availability report in an agreed electronic form",
        ),
        extra=(
            (
                "Service Levels",
                "ACME Corporation shall keep the monitoring platform available for 99.5 percent of "
                "each calendar month. For every full tenth of a percent below that level the Customer receives a "
                "service credit of 2 percent of the monthly fee, up to 20 percent of that fee. Planned maintenance "
                "that was announced at least five working days ahead does not count as an interruption.",
            ),
            (
                "Insurance",
                "ACME Corporation shall hold commercial general liability insurance of at least "
                "$2,000,000 per occurrence and professional liability insurance of at least $1,000,000 per claim "
                "throughout the term and for two years after it.",
            ),
        ),
    ),
    Contract(
        "acme-supply-agreement",
        "docx",
        "Supply Agreement",
        "ACME Corporation",
        "Harbor Freight Rail Inc.",
        "rail fasteners, tie plates and related hardware",
        "2023-02-15",
        "2024-11-15",
        480_000,
        "the State of Delaware",
        has_force_majeure=False,
        liability_cap=400_000,
        payment_days=45,
        services=(
            "deliver tie plates and rail fasteners that meet the drawings in Annex 1",
            "keep a safety stock of six weeks at its warehouse in Toledo, Ohio",
            "replace defective lots within ten working days of a written complaint",
        ),
        extra=(
            (
                "Warranty",
                "ACME Corporation warrants for twenty-four months from delivery that the goods are free "
                "from defects in material and workmanship and conform to the drawings in Annex 1. The remedy is "
                "repair, replacement or refund of the price, at the choice of the Customer.",
            ),
        ),
    ),
    Contract(
        "acme-software-license",
        "txt",
        "Software License Agreement",
        "ACME Corporation",
        "Lakeside Hospital Trust",
        "the ACME RouteMaster scheduling software",
        "2023-07-01",
        "2025-06-30",
        96_000,
        "the Commonwealth of Massachusetts",
        liability_cap=96_000,
        services=(
            "grant a non-exclusive, non-transferable license for 250 named users",
            "provide telephone support on working days from 8 a.m. to 6 p.m. Eastern time",
            "supply all updates that it makes generally available",
        ),
        extra=(
            (
                "Audit",
                "ACME Corporation may verify the number of named users once a year on fifteen days' written "
                "notice, during business hours and without entering clinical areas.",
            ),
        ),
    ),
    Contract(
        "acme-maintenance-agreement",
        "md",
        "Elevator Maintenance Agreement",
        "ACME Corporation",
        "Summit Tower Holdings LP",
        "preventive maintenance of nine passenger elevators",
        "2023-04-01",
        "2026-03-31",
        140_000,
        "the State of Illinois",
        has_termination=False,
        liability_cap=500_000,
        services=(
            "inspect every elevator monthly and after each emergency stop",
            "answer entrapment calls within thirty minutes at any hour",
            "keep a log of every visit in the machine room",
        ),
    ),
    Contract(
        "acme-logistics-agreement",
        "html",
        "Logistics Services Agreement",
        "ACME Corporation",
        "Prairie Foods Cooperative",
        "refrigerated transport and cross-docking",
        "2022-11-01",
        "2024-10-31",
        215_000,
        "the State of Iowa",
        has_force_majeure=False,
        liability_cap=1_000_000,
        services=(
            "provide temperature-controlled trailers that record their temperature every ten minutes",
            "deliver to the eleven distribution points in Exhibit B before 6 a.m.",
            "hand over proof of delivery within one working day",
        ),
        extra=(
            (
                "Cargo Temperature",
                "Frozen goods shall be carried at or below minus 18 degrees Celsius. A load "
                "that stood above minus 15 degrees Celsius for more than thirty minutes may be rejected at the "
                "dock, at the cost of ACME Corporation.",
            ),
        ),
    ),
    Contract(
        "beta-services-agreement",
        "pdf",
        "Managed Services Agreement",
        "Beta Corp",
        "Northwind Utilities LLC",
        "managed network and help desk services",
        "2023-01-01",
        "2025-12-31",
        320_000,
        "the State of Texas",
        liability_cap=250_000,
        services=(
            "operate the help desk around the clock for up to 1,200 users",
            "patch network devices within fourteen days of a security bulletin",
            "test the restoration of backups twice a year",
        ),
        extra=(
            (
                "Security Incidents",
                "Beta Corp shall report a security incident that concerns Customer data within "
                "24 hours of finding it, and shall deliver a written root cause analysis within ten working days.",
            ),
        ),
    ),
    Contract(
        "beta-data-processing-agreement",
        "docx",
        "Data Processing Agreement",
        "Beta Corp",
        "Lakeside Hospital Trust",
        "hosting and processing of appointment data",
        "2023-12-16",
        "2024-12-15",
        75_000,
        "the Commonwealth of Massachusetts",
        has_force_majeure=False,
        liability_cap=300_000,
        services=(
            "process personal data only on documented instructions of the Customer",
            "encrypt personal data in transit and at rest",
            "delete or return all personal data within thirty days after the end of this Agreement",
        ),
    ),
    Contract(
        "gamma-construction-contract",
        "pdf",
        "Construction Contract",
        "Gamma Builders Inc.",
        "City of Fairhaven",
        "a water treatment pump house",
        "2024-03-01",
        "2026-09-30",
        2_400_000,
        "the State of Oregon",
        liability_cap=2_000_000,
        payment_days=60,
        services=(
            "build the pump house according to the drawings and specifications in Volume 2",
            "reach substantial completion no later than June 30, 2026",
            "pass the thirty-day performance test before the final payment falls due",
        ),
        extra=(
            (
                "Liquidated Damages",
                "For each day by which substantial completion is late Gamma Builders Inc. "
                "shall pay $3,500, up to 10 percent of the contract price.",
            ),
        ),
    ),
    Contract(
        "delta-warehouse-lease",
        "txt",
        "Warehouse Lease",
        "Delta Properties LLC",
        "Prairie Foods Cooperative",
        "38,000 square feet of warehouse space at 410 Mill Road",
        "2021-12-02",
        "2024-12-01",
        180_000,
        "the State of Iowa",
        has_force_majeure=False,
        liability_cap=None,
        services=(
            "hand over the premises with working dock levellers and sprinklers",
            "keep the roof, the outer walls and the car park in repair",
        ),
    ),
    Contract(
        "epsilon-nondisclosure-agreement",
        "txt",
        "Mutual Nondisclosure Agreement",
        "Epsilon Research GmbH",
        "ACME Corporation",
        "the exchange of confidential information on coating processes",
        "2024-02-01",
        "2027-01-31",
        None,
        "the laws of Germany",
        has_termination=False,
        has_force_majeure=False,
        liability_cap=None,
        services=(
            "use Confidential Information only to judge a possible cooperation",
            "keep it secret for five years after the end of this Agreement",
            "return or destroy it within fourteen days of a written request",
        ),
    ),
    Contract(
        "zeta-consulting-agreement",
        "md",
        "Consulting Agreement",
        "Zeta Advisory Partners",
        "Northwind Utilities LLC",
        "advice on rate cases",
        "2023-01-01",
        "2023-12-31",
        60_000,
        "the State of New York",
        liability_cap=60_000,
        services=("prepare testimony for two rate cases", "attend hearings on five days' notice"),
    ),
    Contract(
        "omega-insurance-services",
        "html",
        "Brokerage Services Agreement",
        "Omega Versicherungsmakler GmbH",
        "Epsilon Research GmbH",
        "placement of property and liability cover",
        "2023-06-01",
        "2025-05-31",
        90_000,
        "the laws of Germany",
        currency="EUR",
        liability_cap=1_500_000,
        services=("invite offers from at least three insurers each year", "support the handling of claims"),
    ),
    Contract(
        "theta-cleaning-contract",
        "docx",
        "Cleaning Contract",
        "Theta Facility Care Ltd",
        "Summit Tower Holdings LP",
        "daily cleaning of twenty-two office floors",
        "2023-10-01",
        "2024-12-31",
        132_000,
        "the State of Illinois",
        liability_cap=200_000,
        services=("clean all occupied floors on every working night", "wash the facade twice a year"),
    ),
)
