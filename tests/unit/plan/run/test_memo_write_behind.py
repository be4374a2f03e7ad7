"""A store of results that nobody waits for, and the memory before it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from core.domain.answer import Kind, Route
from core.domain.results import Documents
from core.plan.ir.nodes import Combine, Hop, Plan, Search, Select
from core.plan.run.memo import Memo, WrittenBehind, lasting
from core.store.conversations.node_results import NodeFigures
from tests.support.results_by_key import ResultsByKey

SET = Documents(present=frozenset({"a"}))


def never_started(work: Callable[[], None]) -> threading.Thread:
    """A writer that has not come round to writing yet."""
    return threading.Thread(target=work)


def test_what_is_put_is_written_and_can_be_had_again() -> None:
    table = ResultsByKey()
    store = WrittenBehind(table, "v1-")
    store.put("a", 1, SET)
    store.ran("select", 10, 5.0)
    store.ran("select", 20, 5.0)
    store.close()
    assert table.kept == {"v1-a": SET}
    assert table.figures == {"select": NodeFigures(2, 30, 10, 500, 150)}
    again = WrittenBehind(table, "v1-")
    assert again.get("a") == SET
    again.close()
    assert table.used == ["v1-a"]
    assert WrittenBehind(table, "v2-").get("a") is None


def test_a_store_that_cannot_be_reached_fails_nobody() -> None:
    store = WrittenBehind(ResultsByKey(fails=True))
    store.put("a", 1, SET)
    assert store.get("a") is None
    store.close()
    assert store.lost == 1


def test_a_writer_that_is_busy_is_not_waited_for() -> None:
    store = WrittenBehind(ResultsByKey(), start=never_started)
    for number in range(300):
        store.put(str(number), 1, SET)
    assert store.lost == 300 - 256
    store.close()


def test_closing_twice_is_safe_and_nothing_is_kept_after() -> None:
    table = ResultsByKey()
    store = WrittenBehind(table)
    store.close()
    store.put("a", 1, SET)
    store.close()
    assert table.kept == {}


def test_memory_is_asked_before_the_store() -> None:
    table = ResultsByKey()
    store = WrittenBehind(table)
    Memo(store).put("a", 1, SET)
    store.close()
    memo = Memo(WrittenBehind(table))
    assert memo.get("a", lasts=False) is None
    assert memo.get("a") == (SET, "store")
    assert memo.get("a") == (SET, "memory")


def test_only_what_rests_on_records_alone_lasts() -> None:
    plan = Plan(
        question="q",
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        nodes=(
            Search(id="found", purpose="", text="x"),
            Select(id="known", purpose=""),
            Select(id="within", purpose="", inputs=("found",)),
            Combine(id="both", purpose="", inputs=("known", "within"), how="intersect"),
            Hop(id="cell", purpose="", inputs=("known",), field="law"),
            Hop(id="text", purpose="", inputs=("known",), field="law", template="Which law?"),
            Combine(id="sure", purpose="", inputs=("known", "known"), how="union"),
        ),
        answer_node="sure",
    )
    assert lasting(plan) == {"known", "cell", "sure"}
