"""Questions about rows of invented tables, and the plans that they become."""

from __future__ import annotations

from datetime import date

import pytest

from core.domain.fields import FieldType
from core.plan.catalogue import ColumnEntry, DocumentEntry, KnownCatalogue, SchemaEntry, TableEntry
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan, Select
from core.plan.ir.validate import validate
from core.plan.planner import RulePlanner
from tests.support.known_collection import in_a_line, known_collection

TODAY = date(2024, 11, 22)


def text(name: str, rows: int, *texts: str) -> ColumnEntry:
    return ColumnEntry(name, FieldType.TEXT, rows=rows, texts=texts)


def catalogue() -> KnownCatalogue:
    """The known collection with three tables: a log of trips, an expense ledger, a stock list."""
    trips = TableEntry(
        (
            ColumnEntry("Day", FieldType.DATE, rows=6),
            text("Driver", 6, "Ines Duarte", "Omar Haddad", "Omar Lund"),
            text("Destination", 6, "Porto", "Graz", "Northern Quay"),
            ColumnEntry("Kilometres", FieldType.NUMBER, rows=6),
            ColumnEntry("Toll (EUR)", FieldType.MONEY, "EUR", rows=6),
        ),
        ("t1",),
        "invoices",
        6,
    )
    ledger = TableEntry(
        (
            text("Voucher", 5, "V-3001", "V-3002", "V-3003", "V-3004", "V-3005"),
            ColumnEntry("posted", FieldType.DATE, rows=5),
            text("payee", 5, "Brightwater LLC", "Quill Press", "Halden Corporation"),
            text("cost_center", 5, "marketing", "research", "canteen"),
            ColumnEntry("net_eur", FieldType.MONEY, "EUR", rows=5),
            text("approved", 5, "yes", "no"),
        ),
        ("t2", "t3"),
        "invoices",
        5,
    )
    stock = TableEntry(
        (
            text("Part", 4, "Hex bolt M8", "Washer M8", "Spring clip", "Hex bolt M6"),
            text("Shelf", 4, "A1", "B2"),
            ColumnEntry("Quantity", FieldType.NUMBER, rows=4),
        ),
        ("t4",),
        "invoices",
        4,
    )
    documents = (
        DocumentEntry("t1", "trip-log-2024", "invoices/trip-log-2024.xlsx", "invoices", "invoices"),
        DocumentEntry(
            "t2", "expense-ledger-2023", "invoices/expense-ledger-2023.csv", "invoices", "invoices"
        ),
        DocumentEntry(
            "t3", "expense-ledger-2024", "invoices/expense-ledger-2024.csv", "invoices", "invoices"
        ),
        DocumentEntry("t4", "stock list", "invoices/stock-list.csv", "invoices", "invoices"),
    )
    known = known_collection()
    schemas: tuple[SchemaEntry, ...] = known.schemas
    return KnownCatalogue(
        "tables",
        schemas,
        known.parties,
        (*known.documents, *documents),
        known.values,
        tables=(trips, ledger, stock),
    )


def planned(question: str) -> Plan | Clarify:
    return RulePlanner(catalogue(), None, TODAY).plan(question)


CASES = (
    ("How many entries of the 2024 expense ledger are in the cost center marketing?",
     "all in t3[cost_center = marketing] -> count()"),
    ("number of 2023 expense ledger lines booked under research",
     "all in t2[cost_center = research] -> count()"),
    ("How many lines of the 2024 expense ledger are not yet approved?",
     "all in t3[approved = no] -> count()"),
    ("unapproved entries in the 2024 expense ledger: how many?", "all in t3[approved = no] -> count()"),
    ("How many 2024 expense ledger rows are approved?", "all in t3[approved = yes] -> count()"),
    ("What is the total of the canteen cost center in the 2024 expense ledger?",
     "all in t3[cost_center = canteen] -> sum(net_eur)"),
    ("Sum up the 2024 expense ledger entries above 500 euros",
     "all in t3[net_eur > 500.00 EUR] -> sum(net_eur)"),
    ("total per payee in the 2024 expense ledger", "all in t3[] -> sum(net_eur) per payee"),
    ("For each supplier in the 2023 expense ledger, how much was spent?",
     "all in t2[] -> sum(net_eur) per payee"),
    ("Summarise the 2024 expense ledger by cost center", "all in t3[] -> sum(net_eur) per cost_center"),
    ("Which two payees have the highest total in the 2024 expense ledger?",
     "all in t3[] -> sum(net_eur) per payee top 2"),
    ("top 3 vendors by amount, 2024 expense ledger", "all in t3[] -> sum(net_eur) per payee top 3"),
    ("Which payee has the lowest total in the 2024 expense ledger?",
     "all in t3[] -> sum(net_eur) per payee bottom 1"),
    ("average amount per line in the 2024 expense ledger", "all in t3[] -> avg(net_eur)"),
    ("median amount of the 2024 expense ledger", "all in t3[] -> median(net_eur)"),
    ("How many different payees are in the 2024 expense ledger?", "all in t3[] -> distinct(payee)"),
    ("2024 expense ledger entries per month: how many?", "all in t3[] -> count() per posted.month"),
    ("How many 2024 expense ledger entries are not in the cost center canteen?",
     "all in t3[cost_center != canteen] -> count()"),
    ("Which cost center is voucher V-3002 in the 2024 expense ledger?",
     "all in t3[voucher = V-3002] show cost_center"),
    ("List the 2024 expense ledger entries between 100 and 900 euros",
     "all in t3[net_eur between 100 EUR .. 900.00 EUR]"),
    ("How many trips did each driver make in March 2024?",
     "all in t1[day between 2024-03-01 .. 2024-03-31] -> count() per driver"),
    ("kilometres per driver", "all in t1[] -> sum(kilometres) per driver"),
    ("How many kilometres did Ines Duarte drive in 04/2024?",
     "all in t1[driver = Ines Duarte; day between 2024-04-01 .. 2024-04-30] -> sum(kilometres)"),
    ("What was the longest trip to Graz, in kilometres?", "all in t1[destination = Graz] -> max(kilometres)"),
    ("Which driver has the most trips in the trip log?", "all in t1[] -> count() per driver top 1"),
    ("How much toll was paid per destination?", "all in t1[] -> sum(toll (eur)) per destination"),
    ("Which destinations did Ines Duarte reach in 2024?",
     "all in t1[driver = Ines Duarte; day between 2024-01-01 .. 2024-12-31] -> count() per destination"),
    ("How many times did Omar Lund drive to Graz?",
     "all in t1[driver = Omar Lund; destination = Graz] -> count()"),
    ("Are there any entries over 900 euros in the 2024 expense ledger?", "all in t3[net_eur > 900.00 EUR]"),
    ("What is unapproved in the 2024 expense ledger?", "all in t3[approved = no]"),
    ("How much was paid to Quill Press according to the 2023 expense ledger?",
     "all in t2[payee = Quill Press] -> sum(net_eur)"),
    ("2024 expense ledger entries by amount", "all in t3[] by -net_eur"),
    ("average kilometres per trip", "all in t1[] -> avg(kilometres)"),
    ("trips to Northern Quay in June 2024: how many?",
     "all in t1[destination = Northern Quay; day between 2024-06-01 .. 2024-06-30] -> count()"),
    ("How many hex bolts M8 are in the stock list?", "all in t4[part = Hex bolt M8] -> sum(quantity)"),
    ("2024 expense ledger: number of entries posted July through September",
     "all in t3[posted between 2024-07-01 .. 2024-09-30] -> count()"),
    ("Add up everything in the 2024 expense ledger that is approved",
     "all in t3[approved = yes] -> sum(net_eur)"),
    ("Break the March 2024 trip kilometres down by driver",
     "all in t1[day between 2024-03-01 .. 2024-03-31] -> sum(kilometres) per driver"),
    ("Sort the drivers by kilometres driven in March 2024, busiest first",
     "all in t1[day between 2024-03-01 .. 2024-03-31] -> sum(kilometres) per driver top 1000"),
    ("split the kilometres up by driver in the trip log", "all in t1[] -> sum(kilometres) per driver"),
    ("rank drivers by kilometres in March 2024",
     "all in t1[day between 2024-03-01 .. 2024-03-31] -> sum(kilometres) per driver top 1000"),
    ("shortest trip in the March 2024 trip log, in kilometres",
     "all in t1[day between 2024-03-01 .. 2024-03-31] -> min(kilometres)"),
    ("total quantity per shelf in the stock list", "all in t4[] -> sum(quantity) per shelf"),
)  # fmt: skip


@pytest.mark.parametrize(("question", "expected"), CASES)
def test_a_question_about_rows_becomes_the_plan_beside_it(question: str, expected: str) -> None:
    assert in_a_line(planned(question)) == expected


@pytest.mark.parametrize("question", [question for question, _ in CASES])
def test_a_plan_over_rows_can_run_as_it_is(question: str) -> None:
    plan = planned(question)
    assert isinstance(plan, Clarify) or validate(plan, catalogue()) == ()


def test_a_part_that_several_texts_share_is_asked_about() -> None:
    found = planned("How many kilometres did Omar drive in 2024?")
    assert isinstance(found, Clarify)
    assert [option.label for option in found.options] == ["Omar Haddad", "Omar Lund"]


def test_a_word_that_no_column_or_cell_has_is_named_as_not_covered() -> None:
    found = planned("How many 2024 expense ledger entries are purple?")
    assert isinstance(found, Plan)
    assert found.uncovered == ("purple",)


def test_a_quotient_of_columns_is_named_as_not_covered() -> None:
    found = planned("average toll per kilometre in the 2024 trip log")
    assert isinstance(found, Plan)
    assert found.uncovered == ("per kilometre",)


def test_what_is_bought_is_no_part_of_a_sellers_name_without_a_word() -> None:
    found = planned("How much of the 2024 expense ledger was spent on quill?")
    assert isinstance(found, Plan)
    assert found.uncovered == ("quill",)
    assert ("quill", "read as a part of what stands in payee: Quill Press") in [
        (note.phrase, note.reading) for note in found.notes
    ]


def test_another_currency_than_that_of_the_rows_is_not_covered() -> None:
    found = planned("total of the 2024 expense ledger in US dollars")
    assert isinstance(found, Plan)
    assert found.uncovered == ("US dollars",)


def test_a_table_that_is_called_by_its_name_is_read_though_documents_would_answer() -> None:
    found = planned("What does the 2024 expense ledger show in total for Halden Corporation under Ohio law?")
    assert isinstance(found, Plan)
    assert {id for node in found.nodes if isinstance(node, Select) for id in node.scope.documents} == {"t3"}
    assert found.uncovered


def test_a_column_that_no_table_has_is_refused() -> None:
    plan = planned("kilometres per driver")
    assert isinstance(plan, Plan)
    wrong = plan.model_copy(
        update={"nodes": (plan.nodes[0], plan.nodes[1].model_copy(update={"group_by": ("pilot",)}))}
    )
    assert [problem.message for problem in validate(wrong, catalogue())] == ["No table has a column 'pilot'."]


def test_a_sum_of_texts_is_refused() -> None:
    plan = planned("kilometres per driver")
    assert isinstance(plan, Plan)
    wrong = plan.model_copy(
        update={"nodes": (plan.nodes[0], plan.nodes[1].model_copy(update={"field": "destination"}))}
    )
    assert "holds no amounts" in validate(wrong, catalogue())[0].message
