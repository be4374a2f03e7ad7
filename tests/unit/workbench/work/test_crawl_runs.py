from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.config.models import Settings
from core.domain.crawl.request import CrawlRequest
from core.domain.ids import CrawlId
from core.domain.job import JobState
from core.jobs.kinds import CRAWL
from core.records.store import Records
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
