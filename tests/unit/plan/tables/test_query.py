"""Parts of a question over tables, before it is a plan."""

from __future__ import annotations

from core.plan.tables.query import COMPUTED, OF_SIDES, GroupBy, TableOperation, TableQuery, said_of_key
from tests.support.table_catalogue import vocabulary


def test_a_group_is_known_by_its_column_and_its_aspect() -> None:
    column = vocabulary(0).columns[2]
    assert GroupBy(column).key == "order date"
    assert GroupBy(column, "month").key == "order date.month"


def test_guesses_add_up_to_doubt_and_are_noted_where_they_read_something() -> None:
    query = TableQuery(vocabulary(0))
    query.guess(0.25, "", "ranked by Qty")
    query.guess(0.5, "May")
    assert query.doubt == 0.75
    assert [(note.phrase, note.reading) for note in query.notes] == [("", "ranked by Qty")]


def test_a_query_begins_with_all_rows_and_shares_nothing_with_another() -> None:
    one, other = TableQuery(vocabulary(0)), TableQuery(vocabulary(0))
    one.clauses.append(())
    one.uncovered.append("purple")
    assert (other.clauses, other.uncovered, other.operation) == ([], [], TableOperation.ROWS)


def test_no_operation_is_both_of_sides_and_computed_of_one_column() -> None:
    assert not COMPUTED & OF_SIDES


def test_a_key_of_a_group_is_said_for_a_person() -> None:
    assert said_of_key("order date.month") == "month of order date"
    assert said_of_key("amount (eur).unit") == "currency of amount (eur)"
    assert said_of_key("vers.no") == "vers.no"
