"""Of several processes that feed one engine, the one with the lead writes and the others wait."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.errors import HomeBusyError
from core.index.base import IndexBatch
from core.index.sync import SharedEngine, catch_up
from tests.support.feed import MemoryFeed
from tests.support.indexed import SIGNATURE, indexed
from tests.support.memory_engine import Memory, MemoryEngine


class ToyLead:
    """A lead that is free or not."""

    def __init__(self, *, is_free: bool) -> None:
        self.is_free = is_free
        self.is_held = False

    def take(self) -> bool:
        self.is_held = self.is_held or self.is_free
        return self.is_held

    def let_go(self) -> None:
        self.is_held = False


class BusyEngine(MemoryEngine):
    """An engine whose files somebody else keeps locked."""

    def apply(self, batch: IndexBatch) -> None:
        raise HomeBusyError("Somebody else writes.")


class Timeline:
    """A clock that moves by sleeping, and calls `then` at each sleep."""

    def __init__(self, then: Callable[[], object] = lambda: None) -> None:
        self.now = 0.0
        self._then = then

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self._then()


def a_feed() -> MemoryFeed:
    feed = MemoryFeed()
    feed.publish(indexed(1, "d1", "the tenant pays"), indexed(2, "d2", "the landlord repairs"))
    return feed


def shared(engine: MemoryEngine, feed: MemoryFeed, lead: ToyLead, timeline: Timeline) -> SharedEngine:
    return SharedEngine(engine, feed, lead, clock=timeline.clock, sleep=timeline.sleep)


def test_who_has_the_lead_applies_changes() -> None:
    feed, engine, lead = a_feed(), MemoryEngine(Memory(SIGNATURE)), ToyLead(is_free=True)

    catch_up(shared(engine, feed, lead, Timeline()), feed)

    assert lead.is_held
    assert (engine.status().sequence, engine.status().passages) == (2, 2)


def test_who_has_not_the_lead_waits_until_another_has_applied_them() -> None:
    feed, memory = a_feed(), Memory(SIGNATURE)
    timeline = Timeline(lambda: catch_up(MemoryEngine(memory), feed))

    catch_up(shared(MemoryEngine(memory), feed, ToyLead(is_free=False), timeline), feed)

    assert timeline.now > 0
    assert MemoryEngine(memory).status().sequence == 2


def test_a_batch_read_before_the_lead_was_taken_is_read_again() -> None:
    feed, engine, lead = a_feed(), MemoryEngine(Memory(SIGNATURE)), ToyLead(is_free=True)
    stale = IndexBatch(1, frozenset(), ())

    shared(engine, feed, lead, Timeline()).apply(stale)

    assert engine.status().passages == 2


def test_a_leader_that_never_writes_is_not_waited_for_for_ever() -> None:
    feed, timeline = a_feed(), Timeline()
    engine = shared(MemoryEngine(Memory(SIGNATURE)), feed, ToyLead(is_free=False), timeline)

    with pytest.raises(HomeBusyError) as refused:
        catch_up(engine, feed)

    assert refused.value.next_step
    assert timeline.now < 700


def test_an_engine_that_somebody_keeps_locked_is_given_up_and_the_lead_with_it() -> None:
    feed, lead, timeline = a_feed(), ToyLead(is_free=True), Timeline()

    with pytest.raises(HomeBusyError, match="Somebody else"):
        catch_up(shared(BusyEngine(Memory(SIGNATURE)), feed, lead, timeline), feed)

    assert not lead.is_held
    assert timeline.now < 30
