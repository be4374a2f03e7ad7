from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.config.models import Settings
from core.domain.crawl.request import CrawlRequest
from core.domain.ids import CrawlId, JobId
from core.domain.job import JobState
from core.jobs.kinds import CRAWL
from core.store.crawl.crawls import CrawlRecord
from core.store.store import Records
from core.workbench.work.crawl_runs import CrawlSchedules, queue_run

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with Records.open(Settings(home=tmp_path / "home")) as opened:
        yield opened


class Time:
    """A clock of looks and of days that is set by hand."""

    def __init__(self) -> None:
        self.passed_s = 0.0
        self.now = NOON

    def later(self, **more: float) -> None:
        self.passed_s += 60.0
        self.now += timedelta(**more)


def scheduled(records: Records, schedule: str = "daily") -> CrawlId:
    request = CrawlRequest.checked(urls=["http://site.example/"])
    return records.crawls.create(request, "Site", user="ann", schedule=schedule, next_at=NOON)


def schedules_of(records: Records, time: Time) -> CrawlSchedules:
    return CrawlSchedules(records, clock=lambda: time.passed_s, now=lambda: time.now)


def test_a_crawl_that_is_due_runs_once_in_the_name_of_its_user_and_its_next_time_is_set(
    records: Records,
) -> None:
    crawl, time = scheduled(records), Time()
    schedules = schedules_of(records, time)

    (job,) = schedules.look()
    time.later(minutes=5)
    again = schedules.look()

    shown = records.jobs.get(job)
    assert (shown.kind, shown.title, records.jobs.order(job).user) == (CRAWL, "Crawl of Site", "ann")
    record = records.crawls.get(crawl)
    assert (record.job, record.run, record.next_at) == (job, 1, datetime(2026, 3, 3, 3, 0, tzinfo=UTC))
    assert again == []


def test_one_that_is_overdue_for_long_runs_once(records: Records) -> None:
    crawl, time = scheduled(records, "hourly"), Time()
    time.later(days=9)
    schedules = schedules_of(records, time)

    jobs = schedules.look()
    time.later(minutes=1)

    assert (len(jobs), schedules.look()) == (1, [])
    assert records.crawls.get(crawl).next_at == NOON + timedelta(days=9, hours=1)


def test_two_that_look_side_by_side_queue_one_run(records: Records) -> None:
    crawl, time = scheduled(records), Time()

    first, second = schedules_of(records, time).look(), schedules_of(records, time).look()

    assert (len(first), second) == (1, [])
    assert records.crawls.get(crawl).run == 1


def test_one_that_is_at_work_is_passed_over_until_its_next_time(records: Records) -> None:
    crawl, time = scheduled(records), Time()
    queue_run(records, records.crawls.get(crawl), "ann")

    assert schedules_of(records, time).look() == []

    record = records.crawls.get(crawl)
    assert (record.run, record.next_at) == (1, datetime(2026, 3, 3, 3, 0, tzinfo=UTC))


def test_one_that_somebody_paused_stays_paused_and_one_that_ended_runs(records: Records) -> None:
    crawl, time = scheduled(records), Time()
    job = queue_run(records, records.crawls.get(crawl), "ann")
    records.jobs.finish(job, JobState.CANCELLED)
    schedules = schedules_of(records, time)
    assert schedules.look() == []

    records.crawls.end_run(crawl, 1)
    time.later(days=1)

    assert len(schedules.look()) == 1
    assert records.crawls.get(crawl).run == 2


def test_it_looks_only_now_and_then(records: Records) -> None:
    time = Time()
    schedules = schedules_of(records, time)
    schedules.look()
    scheduled(records)

    assert schedules.look() == []
    time.later()
    assert len(schedules.look()) == 1


def test_a_schedule_that_cannot_be_read_any_more_ends(records: Records) -> None:
    crawl, time = scheduled(records, "at the weekend"), Time()

    assert len(schedules_of(records, time).look()) == 1
    assert records.crawls.get(crawl).next_at is None


def test_of_two_that_read_what_is_due_at_once_one_queues(records: Records) -> None:
    crawl, time = scheduled(records), Time()
    first, second = schedules_of(records, time), schedules_of(records, time)
    due = records.crawls.due
    found: list[list[JobId]] = []

    def late(now: datetime | None = None) -> list[CrawlRecord]:
        """What was due before the other one looked, as a slow reader has it."""
        before = due(now)
        records.crawls.due = due  # type: ignore[method-assign]
        found.append(second.look())
        return before

    records.crawls.due = late  # type: ignore[method-assign]

    found.append(first.look())

    assert sorted(map(len, found)) == [0, 1]
    assert records.crawls.get(crawl).run == 1


def test_one_that_was_removed_as_it_came_due_leaves_no_job_and_holds_up_no_other(records: Records) -> None:
    removed, other, time = scheduled(records), scheduled(records), Time()
    due = records.crawls.due
    stale = due(NOON)
    records.crawls.remove(removed)
    records.crawls.due = lambda now=None: stale  # type: ignore[method-assign,misc]

    jobs = schedules_of(records, time).look()

    assert [records.crawls.get(other).job] == jobs
    left = [job for job in records.jobs.list() if job.id not in jobs]
    assert {job.state for job in left} <= {JobState.CANCELLED}


def test_after_a_clock_that_was_ahead_for_long_a_crawl_runs_at_its_next_time(records: Records) -> None:
    crawl, time = scheduled(records), Time()
    time.later(days=400)
    schedules = schedules_of(records, time)
    (job,) = schedules.look()
    records.crawls.end_run(crawl, 1)
    records.jobs.finish(job, JobState.DONE)

    time.later(days=-399)

    assert schedules.look() == []
    assert records.crawls.get(crawl).next_at == datetime(2026, 3, 4, 3, 0, tzinfo=UTC)
    time.later(days=1)
    assert len(schedules.look()) == 1


def test_a_clock_that_steps_back_by_a_minute_makes_no_second_run(records: Records) -> None:
    crawl, time = scheduled(records, "hourly"), Time()
    schedules = schedules_of(records, time)
    (job,) = schedules.look()
    records.crawls.end_run(crawl, 1)
    records.jobs.finish(job, JobState.DONE)

    time.later(minutes=-1)
    before = schedules.look()
    time.later(minutes=1)

    assert (before, schedules.look()) == ([], [])
    assert records.crawls.get(crawl).next_at == NOON + timedelta(hours=1)
