from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from core.domain.answer import Citation
from core.domain.results import Documents, FoundValue, Group, Groups, Result, Unknown
from core.store.conversations.node_results import NodeFigures, NodeResult, NodeResults
from core.store.database.work_tables import node_results
from core.store.store import Records
from tests.support.versions import new_version

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SET = Documents(
    present=frozenset({"a", "b"}),
    uncertain=frozenset({"c"}),
    order=("b", "a"),
    unknown={"c": Unknown(field="fee", reason="It is uncertain.")},
)
PLACE = Citation(n=1, document="a", title="T", source="s", version=1, page=1, start=0, end=2, quote="é\0")
SUMS = Groups(
    function="sum", field="fee", groups=(Group(key=("x",), value="1.10", unit="USD", rows=2),), documents=SET
)


def put(records: Records, key: str, result: Result, version: int | None = None, minute: int = 0) -> None:
    now = records.changes.data_version() if version is None else version
    records.node_results.put([NodeResult(key, now, result)], now=NOW + timedelta(minutes=minute))


def test_a_kept_result_is_equal_to_what_was_computed(records: Records) -> None:
    value = FoundValue(kind="money", text="5", unit="USD", citations=(PLACE,), options=("5", "6"))
    for key, result in (("set", SET), ("sums", SUMS), ("value", value)):
        put(records, key, result)
        assert records.node_results.get(key) == result
    assert records.node_results.get("other") is None


def test_a_change_of_the_collection_takes_kept_results_away(records: Records) -> None:
    put(records, "old", SET)
    records.documents.publish(new_version())
    put(records, "late", SET, version=0)
    assert records.node_results.get("late") is None
    assert records.node_results.size() == (0, 0)
    put(records, "new", SUMS)
    assert records.node_results.get("new") == SUMS


def test_the_least_used_result_goes_where_there_is_no_room(records: Records) -> None:
    put(records, "a", SET)
    size = records.node_results.size()[1]
    small = NodeResults(records.database, most_bytes=2 * size + 1)
    small.put([NodeResult("b", 0, SET)], now=NOW + timedelta(minutes=1))
    small.put([], used=["a"], now=NOW + timedelta(minutes=2))
    small.put([NodeResult("c", 0, SET)], now=NOW + timedelta(minutes=3))
    assert [small.get(key) is not None for key in "abc"] == [True, False, True]


def test_a_result_that_is_too_large_is_not_kept(records: Records) -> None:
    NodeResults(records.database, largest_bytes=10).put([NodeResult("a", 0, SET)])
    assert records.node_results.get("a") is None


def test_a_result_that_cannot_be_read_is_computed_again(records: Records) -> None:
    put(records, "a", SET)
    with records.database.write() as connection:
        connection.execute(sa.update(node_results).values(result=b"damaged"))
    assert records.node_results.get("a") is None


def test_many_may_keep_the_same_result_at_once(records: Records) -> None:
    threads = [threading.Thread(target=put, args=(records, "a", SET)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert records.node_results.get("a") == SET
    assert records.node_results.size()[0] == 1


def test_figures_add_up_and_old_ones_fade(records: Records) -> None:
    one = NodeFigures(runs=1, rows=10, ms=5, rows_rows=100, rows_ms=50)
    records.node_results.add_figures({"select": one})
    assert records.node_results.figures() == {"select": one}
    records.node_results.add_figures({"select": one, "hop": one}, keep=0.5)
    assert records.node_results.figures()["select"] == NodeFigures(1.5, 15, 7.5, 150, 75)
