"""Plans of queries over invented tables: rows, what is computed of them, and what is calculated of that."""

from __future__ import annotations

from datetime import date

import pytest

from core.plan.catalogue import DocumentEntry, KnownCatalogue, TableEntry, TablePart
from core.plan.ir.nodes import Aggregate, Join, Plan, Select
from core.plan.ir.validate import validate
from core.plan.tables.plans import PlanBuilder
from core.plan.tables.query import TableQuery
from core.plan.tables.vocabulary import vocabulary_of
from tests.support.known_collection import in_a_line
from tests.support.table_catalogue import catalogue, joined, numbers, query

TODAY = date(2024, 11, 22)


def plan(found: TableQuery | None, question: str = "x", buckets: tuple[str, ...] = ()) -> Plan:
    assert found is not None
    return PlanBuilder(question, found, buckets, TODAY).plan()


def line(question: str, at: int = 0) -> str:
    return in_a_line(plan(query(question, at), question)).replace(f"all in d{1 if at < 2 else at}", "rows")


QUESTIONS = (
    ("How many orders are shipped?", "rows[status = shipped] -> count()"),
    ("amount per product", "rows[] -> sum(amount (eur)) per product"),
    ("top 5 orders by amount", "rows[] by -amount (eur) first 5"),
    ("the average of the five highest amounts", "rows[] by -amount (eur) first 5 -> avg(amount (eur))"),
    ("Which product has the highest amount?", "rows[] -> sum(amount (eur)) per product top 1"),
    ("How many products have at least two orders?", "rows[] -> count() per product -> groups"),
    ("average number of orders per customer", "rows[] -> count() per customer -> average"),
    (
        "orders above the average amount",
        "rows[] -> avg(amount (eur)) -> rows[amount (eur) > @aggregate-1]",
    ),
    (
        "Are all orders shipped?",
        "rows[status = shipped] -> count() -> rows[] -> count() -> all of those that do / all",
    ),
    ("Which order came after 1003?", "rows[order no = 1003] -> rows[] -> +1 rows show order no"),
    (
        "share of Oak panel in the amount",
        "rows[product = Oak panel] -> sum(amount (eur)) -> rows[] -> sum(amount (eur))"
        " -> share of Oak panel / all",
    ),
    ("orders not in May", "rows[order date < 2024-05-01 | order date > 2024-05-31]"),
)


@pytest.mark.parametrize(("question", "expected"), QUESTIONS)
def test_a_query_becomes_the_plan_beside_it(question: str, expected: str) -> None:
    assert line(question) == expected


@pytest.mark.parametrize("question", [question for question, _ in QUESTIONS])
def test_a_plan_of_a_query_can_run_as_it_is(question: str) -> None:
    assert validate(plan(query(question), question), catalogue()) == ()


def test_yes_or_no_is_decided_by_any_row() -> None:
    assert plan(query("Did any order exceed 500 euros?")).decides == "any"
    assert plan(query("How many orders are shipped?")).decides == ""


def test_amounts_in_several_currencies_are_never_added() -> None:
    assert line("total net amount", 4) == "rows[] -> sum(net amount) per net amount.unit"
    assert line("total net amount per vendor", 4) == "rows[] -> sum(net amount) per vendor, net amount.unit"


def test_amounts_of_one_currency_are_added() -> None:
    assert line("net amount in USD", 4) == "rows[net amount.unit = USD] -> sum(net amount)"


def test_a_condition_on_groups_is_on_their_value() -> None:
    node = plan(query("products with more than 2 orders")).nodes[-1]
    assert isinstance(node, Aggregate)
    assert node.having is not None
    assert (node.having.field, node.having.op.value, node.having.value) == ("rows", ">", "2")


def test_how_many_come_before_is_kept() -> None:
    (node,) = plan(query("the second highest amount")).nodes
    assert isinstance(node, Select)
    assert (node.limit, node.skip) == (1, 1)


def test_rows_of_another_table_are_matched_by_the_key() -> None:
    found = plan(joined("amount per city", 0, 1))
    assert in_a_line(found) == (
        "all in d1[] -> all in d1[] -> with customer = customer id -> sum(amount (eur)) per city"
    )
    assert isinstance(found.nodes[2], Join)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("the latest order from Hamburg", "matching customer = customer id by -order date first 1"),
        ("the three largest orders from Munich", "matching customer = customer id by -amount (eur) first 3"),
        ("orders from Munich sorted by amount", "matching customer = customer id by -amount (eur)"),
    ],
)
def test_rows_that_are_matched_are_ordered_and_cut_behind_that(question: str, first: str) -> None:
    found = plan(joined(question, 0, 1))
    assert in_a_line(found).endswith(first)
    assert not any(node.order_by for node in found.nodes if isinstance(node, Select))
    assert validate(found, catalogue()) == ()


def test_conditions_stand_on_the_table_that_has_their_column() -> None:
    found = plan(joined("shipped orders from Hamburg", 0, 1))
    left, right = (node for node in found.nodes if isinstance(node, Select))
    assert ("status" in left.purpose, "city" in right.purpose) == (True, True)
    assert [len(left.conditions), len(right.conditions)] == [1, 1]


def test_rows_without_any_of_the_other_table_are_left() -> None:
    assert in_a_line(plan(joined("customers without orders", 1, 0))).endswith(
        "without customer id = customer"
    )


def test_rows_are_of_the_tables_and_the_buckets_that_are_asked() -> None:
    node = plan(query("How many orders are shipped?"), buckets=("default",)).nodes[0]
    assert isinstance(node, Select)
    assert node.tables == ("d1|0",)
    assert (node.scope.documents, node.scope.buckets) == (("d1",), ("default",))
    assert node.purpose == "Find rows of Orders in orders: status shipped"


def test_a_table_of_which_only_the_document_is_known_has_no_number() -> None:
    entry = TableEntry((numbers("Visits", 4, "3"),), ("a", "b"), rows=4)
    documents = tuple(DocumentEntry(id, id, f"{id}.csv", "default") for id in ("a", "b"))
    node = plan(TableQuery(vocabulary_of(entry, KnownCatalogue(documents=documents)))).nodes[0]
    assert isinstance(node, Select)
    assert node.tables == ()
    assert node.purpose == "Find rows of 2 documents"


def test_sheets_that_are_named_are_the_only_ones() -> None:
    parts = (TablePart("a", 0, "Spring"), TablePart("a", 1, "Autumn"))
    entry = TableEntry((numbers("Visits", 4, "3"),), ("a",), rows=4, parts=parts)
    known = KnownCatalogue(documents=(DocumentEntry("a", "visits", "a.xlsx", "default"),))
    node = plan(TableQuery(vocabulary_of(entry, known), parts=parts[1:])).nodes[0]
    assert isinstance(node, Select)
    assert node.tables == ("a|1",)
    assert node.purpose == "Find rows of Autumn in visits"


def test_the_rows_that_are_counted_are_said_and_nothing_twice() -> None:
    found = query("How many orders are purple?")
    found.uncovered += ["purple"]
    made = plan(found)
    assert made.uncovered == ("purple",)
    assert "counted over the rows of Orders in orders alone" in made.notes[-1].reading
    assert made.notes[-1].node == made.nodes[0].id
