from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.domain.crawl.ledger import CrawlRun, WorkSpell
from core.domain.ids import JobId

BEGUN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


def at(minutes: int) -> datetime:
    return BEGUN + timedelta(minutes=minutes)


def run(*spells: WorkSpell, ended_at: datetime | None = None) -> CrawlRun:
    return CrawlRun(run=1, job=JobId("j"), started_at=BEGUN, ended_at=ended_at, spells=spells)


def test_idle_time_between_spells_is_not_counted() -> None:
    found = run(WorkSpell(at(0), at(2), is_end=True), WorkSpell(at(60), at(61), is_end=True))

    assert found.seconds_at_work == 180
    assert (found.was_retried, found.was_resumed) == (True, False)


def test_a_spell_that_ended_nothing_was_resumed() -> None:
    found = run(WorkSpell(at(0), at(2), is_end=False), WorkSpell(at(9), at(11), is_end=True))

    assert (found.was_retried, found.was_resumed) == (False, True)


def test_a_run_of_before_took_from_its_start_to_its_end() -> None:
    assert run(ended_at=at(3)).seconds_at_work == 180
    assert run().seconds_at_work is None
