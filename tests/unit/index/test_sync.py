from __future__ import annotations

import pytest

from core.errors import IndexUnavailableError
from core.index.base import IndexBatch
from core.index.sync import catch_up, replay
from tests.support.feed import MemoryFeed
from tests.support.indexed import SIGNATURE, ask, indexed
from tests.support.memory_engine import Memory, MemoryEngine


def test_an_engine_that_missed_everything_catches_up() -> None:
    feed, engine = MemoryFeed(), MemoryEngine(Memory(SIGNATURE))
    feed.publish(*(indexed(i, f"d{i}", "alpha") for i in range(1, 251)))
    feed.remove("d7")
    assert catch_up(engine, feed) == 250
    assert (engine.status().sequence, engine.status().passages) == (251, 249)


def test_only_what_changed_since_is_applied() -> None:
    feed, engine = MemoryFeed(), MemoryEngine(Memory(SIGNATURE))
    feed.publish(indexed(1, "a", "alpha"), indexed(2, "b", "alpha"))
    catch_up(engine, feed)
    feed.publish(indexed(3, "a", "beta"))
    assert catch_up(engine, feed) == 1
    assert [hit.passage for hit in engine.search(ask("alpha"))] == [2]
    assert catch_up(engine, feed) == 0


def test_a_change_that_left_no_document_still_moves_the_engine() -> None:
    class Bare(MemoryFeed):
        def data_version(self) -> int:
            return 4

    feed, engine = Bare(), MemoryEngine(Memory(SIGNATURE))
    feed.publish(indexed(1, "a", "alpha"))
    catch_up(engine, feed)
    assert engine.status().sequence == 1


def test_the_sequence_rises_only_with_the_last_group() -> None:
    feed = MemoryFeed()
    feed.publish(*(indexed(i, f"d{i}", "alpha") for i in range(1, 301)))
    batches: list[IndexBatch] = []
    replay(batches.append, 0, feed)
    assert [one.sequence for one in batches] == [0] * (len(batches) - 1) + [300]
    assert len(batches) > 1


def test_changes_made_meanwhile_are_caught_up_with_too() -> None:
    feed, engine = MemoryFeed(), MemoryEngine(Memory(SIGNATURE))
    feed.publish(indexed(1, "a", "alpha"))

    def apply(batch: IndexBatch) -> None:
        engine.apply(batch)
        if feed.data_version() == 1:
            feed.publish(indexed(2, "b", "alpha"))

    assert replay(apply, 0, feed) == 2
    assert engine.status().sequence == 2


def test_an_engine_ahead_of_the_records_asks_for_a_rebuild() -> None:
    engine = MemoryEngine(Memory(SIGNATURE))
    engine.apply(IndexBatch(9, frozenset(), ()))
    with pytest.raises(IndexUnavailableError) as caught:
        catch_up(engine, MemoryFeed())
    assert "groundwork reindex" in caught.value.next_step
