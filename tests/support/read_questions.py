"""Questions over the known collection as they are read, in a few words, and their plans."""

from __future__ import annotations

from core.domain.answer import Kind, Route
from core.plan.ir.nodes import Plan, Scope, Search
from core.plan.reading import Reading
from tests.support.compact_readings import COLLECTION, plan_of, read, step

CATALOGUE = COLLECTION
_C = {"kind": "contracts"}
_NO_MAJEURE = "not force_majeure is present"
_CAP = step("s1", "lookup", names=["document Liability Policy"], asked=["liability_cap_amount"])
_OVER = "liability_cap_amount > $s1"
_Q4 = "expiration_date between 2024-10-01 and 2024-12-31"


def _side(name: str) -> dict[str, object]:
    return {"kind": "contracts", "names": [f"party {name}"]}


_READINGS: dict[str, Reading] = {
    # lists
    "all contracts": read("list", **_C),
    "Which contracts are governed by Texas law?": read("list", **_C, where=["governing_law = Texas"]),
    "contracts governed by Texas law": read("list", **_C, where=["governing_law = Texas"]),
    "contracts with insurance under Ohio law": read(
        "list", **_C, where=["insurance is present", "governing_law = Ohio"]
    ),
    "Which contracts under Texas law have insurance?": read(
        "list", **_C, where=["governing_law = Texas", "insurance is present"]
    ),
    "Which contracts under Texas law have a force majeure clause and a value above $5,000?": read(
        "list",
        **_C,
        where=["governing_law = Texas", "force_majeure is present", "contract_value > 5000 USD"],
    ),
    "Which contracts lack force majeure?": read("list", **_C, where=[_NO_MAJEURE]),
    "Which contracts have force majeure?": read("list", **_C, where=["force_majeure is present"]),
    "Which contracts have audit rights?": read("list", **_C, where=["audit_rights is present"]),
    "contracts without insurance": read("list", **_C, where=["not insurance is present"]),
    "contracts with insurance": read("list", **_C, where=["insurance is present"]),
    "contracts with Halden as vendor": read("list", **_C, where=["vendor = Halden"]),
    "Which contracts don't have Halden as vendor?": read("list", **_C, where=["not vendor = Halden"]),
    "invoices other than those of Halden": read("list", kind="invoices", names=["party not Halden"]),
    "contracts other than those with Halden": read("list", **_C, names=["party not Halden"]),
    "List all Halden contracts": read("list", **_C, names=["party Halden"]),
    "Which contracts are with Halden?": read("list", **_C, names=["party Halden"]),
    "contracts other than leases": read("list", **_C, names=["kind contracts", "kind not leases"]),
    "contracts worth more than $100K": read("list", **_C, where=["contract_value > 100000 USD"]),
    "contracts over 100k EUR": read("list", **_C, where=["contract_value > 100000 EUR"]),
    "Which contracts have a liability cap above 100,000 USD?": read(
        "list", **_C, where=["liability_cap_amount > 100000 USD"]
    ),
    "Which contracts have payment terms of more than 30 days?": read(
        "list", **_C, where=["payment_period > 30 days"]
    ),
    "Which contracts are not governed by New York law?": read(
        "list", **_C, where=["not governing_law = New York"]
    ),
    "contracts valued in US dollars": read("list", **_C, where=["contract_value.unit = USD"]),
    "contracts expiring in 2025": read(
        "list", **_C, where=["expiration_date between 2025-01-01 and 2025-12-31"]
    ),
    "contracts expiring in Q4 2024": read("list", **_C, where=[_Q4]),
    "which contracts end in june/july 2025": read(
        "list",
        **_C,
        where=[
            "|1 expiration_date between 2025-06-01 and 2025-06-30",
            "|1 expiration_date between 2025-07-01 and 2025-07-31",
        ],
    ),
    "contracts signed before 2023 with an audit right": read(
        "list", **_C, where=["agreement_date < 2023-01-01", "audit_rights is present"]
    ),
    "recipts in 2024": read(
        "list",
        kind="invoices",
        names=["kind receipts"],
        where=["invoice_date between 2024-01-01 and 2024-12-31"],
    ),
    "contracts with a value above average": read(
        "list",
        step("s1", "compute", kind="contracts", asked=["contract_value"], function="avg"),
        **_C,
        where=["contract_value > $s1"],
    ),
    "Which contracts exceed our liability policy?": read("list", _CAP, **_C, where=[_OVER]),
    "Which Halden contracts exceed our liability policy?": read(
        "list", _CAP, **_C, names=["party Halden"], where=[_OVER]
    ),
    "Top 3 contracts by value": read("rank", **_C, order="-contract_value 3"),
    "List all contracts sorted by value": read("rank", **_C, order="-contract_value"),
    "the most valuable contract without force majeure": read(
        "rank", **_C, where=[_NO_MAJEURE], order="-contract_value 1"
    ),
    "receipts without tires": read(
        "list",
        step("s1", "list", kind="invoices", names=["kind receipts"]),
        step("s2", "list", kind="invoices", where=["items contains tire"]),
        sides=["s1", "s2"],
        outcome="without",
    ),
    # figures
    "How many documents do we have?": read("count"),
    "How many contracts are there?": read("count", **_C),
    "How many contracts are governed by Texas law?": read("count", **_C, where=["governing_law = Texas"]),
    "How many contracts governed by Texas law have no force majeure?": read(
        "count", **_C, where=["governing_law = Texas", _NO_MAJEURE]
    ),
    "How many contracts lack force majeure?": read("count", **_C, where=[_NO_MAJEURE]),
    "How many contracts have insurance?": read("count", **_C, where=["insurance is present"]),
    "How many contracts expire before March 2025 but have no force majeure?": read(
        "count", **_C, where=["expiration_date < 2025-03-01", _NO_MAJEURE]
    ),
    "What is the average contract value?": read("compute", **_C, asked=["contract_value"], function="avg"),
    "What is the latest expiration date?": read("compute", **_C, asked=["expiration_date"], function="max"),
    "What is the longest payment period?": read("compute", **_C, asked=["payment_period"], function="max"),
    "What is the total value of contracts expiring in Q4 2024?": read(
        "compute", **_C, where=[_Q4], asked=["contract_value"], function="sum"
    ),
    "Sum the values of all contracts with Halden or Brightwater as vendor": read(
        "compute",
        **_C,
        where=["vendor in Halden, Brightwater"],
        asked=["contract_value"],
        function="sum",
    ),
    "average contract value by governing law": read(
        "group", **_C, asked=["contract_value"], function="avg", by=["governing_law"]
    ),
    "Which vendor has the highest total contract value?": read(
        "group", **_C, asked=["contract_value"], function="sum", by=["vendor"], order="- 1"
    ),
    "contracts by year of expiration": read("group", **_C, by=["expiration_date.year"]),
    # yes or no, values
    "Are there any contracts without insurance?": read("exists", **_C, where=["not insurance is present"]),
    "Is there a liability cap in the construction contract?": read(
        "check", names=["document Construction Contract"], where=["cap_on_liability is present"]
    ),
    "Who are the parties to the supply agreement?": read(
        "lookup", names=["document Supply Agreement"], asked=["parties"]
    ),
    "When does the Supply Agreement expire?": read(
        "lookup", names=["document Supply Agreement"], asked=["expiration_date"]
    ),
    "What is the value of the Supply Agreement?": read(
        "lookup", names=["document Supply Agreement"], asked=["contract_value"]
    ),
    "What is the expiration date of the Consulting Agreement?": read(
        "lookup", names=["document Consulting Agreement"], asked=["expiration_date"]
    ),
    # sides
    "Which is wider, the S-300 or the S-500?": read(
        "compare",
        step("s1", "list", kind="datasheets", where=["model = S-300"]),
        step("s2", "list", kind="datasheets", where=["model = S-500"]),
        asked=["width"],
        sides=["s1", "s2"],
        labels=["S-300", "S-500"],
        outcome="greatest",
    ),
    "Is the S-500 wider than the S-300?": read(
        "compare",
        step("s1", "list", kind="datasheets", where=["model = S-500"]),
        step("s2", "list", kind="datasheets", where=["model = S-300"]),
        asked=["width"],
        sides=["s1", "s2"],
        labels=["S-500", "S-300"],
        outcome="more",
    ),
    "Compare the liability caps of Halden and Brightwater contracts": read(
        "compare",
        step("s1", "list", **_side("Halden")),
        step("s2", "list", **_side("Brightwater")),
        asked=["liability_cap_amount"],
        sides=["s1", "s2"],
        labels=["Halden Corporation", "Brightwater LLC"],
    ),
}  # fmt: skip


def reading_of(question: str) -> Reading:
    """The reading of a question that stands here."""
    return _READINGS[question].model_copy(update={"question": question})


def planned(question: str) -> Plan:
    """Its plan."""
    return plan_of(reading_of(question))


def searched(question: str, document: str) -> Plan:
    """The search of one document's text for a question."""
    search = Search(id="search-1", purpose="Find it", text=question, scope=Scope(documents=(document,)))
    return Plan(
        question=question, kind=Kind.LOOKUP, route=Route.HYBRID, nodes=(search,), answer_node=search.id
    )


def questions() -> tuple[str, ...]:
    """All questions that stand here."""
    return tuple(_READINGS)
