"""Questions over one invented table, or two that go together, as queries."""

from __future__ import annotations

import pytest

from core.plan.tables.query import TableOperation, TableQuery, UsedKey
from tests.support.table_catalogue import joined, query, read, vocabulary

ORDERS, CUSTOMERS = 0, 1


def used(question: str, at: int, other: int) -> list[tuple[str, bool]]:
    """How the other table comes in, and whether the one that is asked holds the values."""
    found = joined(question, at, other)
    return [] if found is None else [(each.how, each.is_left) for each in found.used]


def columns(found: TableQuery | None) -> list[str]:
    assert found is not None
    return [column.entry.name for column in found.shown] + [group.key for group in found.groups]


@pytest.mark.parametrize("question", ["hello world", "purple orders", "", "orders in dollars"])
def test_a_question_of_which_a_table_has_nothing_is_no_query(question: str) -> None:
    assert read(question) is None


def test_all_rows_are_given_only_where_they_are_asked_for_by_name() -> None:
    found = query("List all orders")
    assert (found.operation, found.clauses, found.shown) == (TableOperation.ROWS, [], [])
    assert read("orders") is None


def test_words_that_nothing_was_made_of_are_not_covered() -> None:
    assert query("How many orders are purple?").uncovered == ["purple"]
    assert query("How many orders are shipped?").uncovered == []


def test_an_order_of_rows_of_the_other_table_is_in_doubt() -> None:
    of_orders, of_customers = (joined("the latest order from Hamburg", at, 1 - at) for at in (0, 1))
    assert of_orders is not None
    assert of_customers is not None
    assert of_customers.doubt > of_orders.doubt


def test_a_verb_between_what_it_joins_is_covered_in_doubt() -> None:
    found = query("How much did Oak panel generate?")
    assert found.uncovered == []
    assert ("generate", "says what is done") in [(note.phrase, note.reading) for note in found.notes]
    assert found.doubt > 0


@pytest.mark.parametrize("question", ["orders not closed yet", "orders without a closed date", "open orders"])
def test_a_day_that_is_not_there_is_a_condition(question: str) -> None:
    (clause,) = query(question).clauses
    assert [(each.column.entry.name, each.op.value) for each in clause] == [("Closed", "is-missing")]


def test_a_column_without_gaps_is_never_missing() -> None:
    conditions = [each for clause in query("orders without a product").clauses for each in clause]
    assert all(each.column.entry.name != "Product" for each in conditions)


def test_a_note_says_what_each_word_was_read_as() -> None:
    said = [(note.phrase, note.reading) for note in query("How many cancelled Oak panel orders?").notes]
    assert ("cancelled", "Status is cancelled") in said
    assert ("Oak panel", "Product is Oak panel") in said


def test_another_table_comes_in_where_a_filter_or_a_group_is_its_own() -> None:
    assert used("orders from Hamburg", ORDERS, CUSTOMERS) == [("matching", True)]
    assert used("amount per city", ORDERS, CUSTOMERS) == [("with", True)]
    found = joined("amount per city", ORDERS, CUSTOMERS)
    assert columns(found) == ["city"]


def test_another_table_that_the_question_does_not_need_is_no_query() -> None:
    assert joined("How many orders are shipped?", ORDERS, CUSTOMERS) is None
    assert joined("customers in Hamburg", CUSTOMERS, ORDERS) is None


def test_rows_that_the_other_table_has_something_for_match_it() -> None:
    assert used("How many customers have orders?", CUSTOMERS, ORDERS) == [("matching", False)]
    assert used("Which customers ordered Oak panel?", CUSTOMERS, ORDERS) == [("matching", False)]


def test_rows_that_the_other_table_has_nothing_for_are_those_without() -> None:
    assert used("customers without orders", CUSTOMERS, ORDERS) == [("without", False)]


def test_values_of_the_many_are_not_computed_from_the_side_of_the_one() -> None:
    assert joined("amount per city", CUSTOMERS, ORDERS) is None


def test_codes_come_with_the_names_of_the_other_table() -> None:
    found = joined("Who placed order 1004?", ORDERS, CUSTOMERS)
    assert columns(found) == ["Name", "Customer"]
    assert found is not None
    assert found.names_codes
    assert columns(joined("amount per customer", ORDERS, CUSTOMERS)) == ["customer", "name"]


def test_a_used_key_leads_to_the_other_table() -> None:
    found = joined("orders from Hamburg", ORDERS, CUSTOMERS)
    assert found is not None
    (key,) = found.used
    assert isinstance(key, UsedKey)
    assert (key.key.left.entry.name, key.other) == ("Customer", vocabulary(CUSTOMERS))
