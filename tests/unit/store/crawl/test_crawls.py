from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from core.domain.crawl.ledger import Sample, UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome
from core.domain.crawl.request import CrawlPace, CrawlRequest
from core.domain.ids import CrawlId, JobId
from core.errors import NotFoundError
from core.store.crawl.crawls import MOST_SAMPLES
from core.store.database.work_tables import crawls
from core.store.store import Records

NOW = datetime(2026, 1, 1, tzinfo=UTC)
REQUEST = CrawlRequest.checked(urls=["http://site.example/"], bucket="web", acl=["staff"])


def test_a_crawl_is_kept_as_it_was_asked_for(records: Records) -> None:
    crawl = records.crawls.create(REQUEST, "Site", user="ann", now=NOW)
    records.crawls.set_pace(crawl, CrawlPace(delay_s=2))
    record = records.crawls.get(crawl)
    assert (record.request, record.bucket, record.user, record.run) == (REQUEST, "web", "ann", 0)
    assert record.pace == CrawlPace(delay_s=2)
    assert [each.id for each in records.crawls.list()] == [crawl]
    records.crawls.remove(crawl)
    with pytest.raises(NotFoundError):
        records.crawls.get(crawl)


def test_a_job_begins_one_run_however_often_it_is_begun(records: Records) -> None:
    crawl = records.crawls.create(REQUEST, "Site")
    assert [records.crawls.begin_run(crawl, JobId("j1")) for _ in range(2)] == [1, 1]
    assert records.crawls.get(crawl).job == "j1"
    records.crawls.end_run(crawl, 1)
    assert records.crawls.begin_run(crawl, JobId("j2")) == 2
    with pytest.raises(NotFoundError):
        records.crawls.begin_run(CrawlId("none"), JobId("j3"))


def test_failed_addresses_are_queued_again_and_open_their_run_again(records: Records) -> None:
    crawl = records.crawls.create(REQUEST, "Site")
    records.crawls.begin_run(crawl, JobId("j1"))
    records.crawls.hand_over(crawl, "me")
    frontier = records.frontier(crawl, "me")
    frontier.add_starts([FoundUrl("http://site.example/", "site.example")])
    for row in frontier.claim(9, 9, 100).rows:
        frontier.settle(row.url, UrlOutcome(UrlState.FAILED, UrlReason.TIMEOUT))
    records.crawls.end_run(crawl, 1, NOW)
    assert records.crawls.retry_failed(crawl) == 1
    assert records.crawl_ledger.progress(crawl).queued == 1
    assert records.crawls.begin_run(crawl, JobId("j1")) == 1, "the run is open again"
    assert records.crawls.retry_failed(crawl) == 0
    records.crawls.end_run(crawl, 1, NOW)
    assert records.crawls.retry_failed(crawl) == 0
    assert records.crawls.runs(crawl)[0].ended_at == NOW, "without a failed address it stays closed"


def test_what_is_open_at_the_end_of_a_run_was_stopped(records: Records) -> None:
    crawl = records.crawls.create(REQUEST, "Site")
    records.crawls.begin_run(crawl, JobId("j1"))
    records.crawls.hand_over(crawl, "me")
    records.frontier(crawl, "me").add_starts([FoundUrl("http://site.example/", "site.example")])
    records.crawls.stop(crawl)
    assert records.crawls.get(crawl).is_stopping
    records.crawls.end_run(crawl, 1, NOW)
    (row,) = records.crawl_ledger.rows(crawl)
    assert (row.state, row.reason) == (UrlState.SKIPPED, UrlReason.STOPPED)
    (run,) = records.crawls.runs(crawl)
    assert (run.ended_at, run.counts) == (NOW, {"skipped": 1})
    assert not records.crawls.get(crawl).is_stopping


def test_points_of_a_chart_stay_few_and_keep_the_last(records: Records) -> None:
    crawl = records.crawls.create(REQUEST, "Site")
    records.crawls.begin_run(crawl, JobId("j1"))
    for second in range(MOST_SAMPLES + 10):
        records.crawls.add_sample(crawl, 1, Sample(NOW + timedelta(seconds=second), second, 0, 0, second))
    (run,) = records.crawls.runs(crawl)
    assert len(run.samples) <= MOST_SAMPLES
    assert run.samples[0].at == NOW
    assert run.samples[-1].fetched == MOST_SAMPLES + 9


def test_crawls_whose_time_has_come_are_due(records: Records) -> None:
    soon, never = (records.crawls.create(REQUEST, name) for name in ("soon", "never"))
    records.crawls.set_schedule(soon, "hourly", NOW)
    assert [each.id for each in records.crawls.due(NOW)] == [soon]
    assert records.crawls.due(NOW - timedelta(seconds=1)) == []
    records.crawls.set_schedule(soon, "", None)
    assert records.crawls.due(NOW) == []
    assert never


def test_a_request_with_keys_of_another_version_is_read_all_the_same(records: Records) -> None:
    crawl = records.crawls.create(REQUEST, "Site")
    stored = REQUEST.model_dump(mode="json") | {"of_another_version": True}
    with records.database.write_rows() as connection:
        connection.execute(sa.update(crawls).where(crawls.c.id == crawl).values(request=stored))
    assert records.crawls.get(crawl).request == REQUEST


def test_a_retry_counts_no_request_that_a_killed_crawler_sent(records: Records) -> None:
    crawl = records.crawls.create(REQUEST, "Docs")
    records.crawls.begin_run(crawl, JobId("j1"))
    records.crawls.hand_over(crawl, "me")
    frontier = records.frontier(crawl, "me")
    frontier.add_starts([FoundUrl("http://site.example/", "site.example")])
    frontier.claim(1, 9, 100)
    assert frontier.recover() == 1
    (row,) = frontier.claim(1, 9, 100).rows
    frontier.settle(row.url, UrlOutcome(UrlState.FAILED, UrlReason.TIMEOUT))

    records.crawls.retry_failed(crawl)

    (row,) = frontier.claim(1, 9, 100).rows
    assert (row.requests - row.repeats, row.repeats) == (1, 1)


def test_time_at_work_leaves_out_the_time_before_a_retry(records: Records) -> None:
    crawl, job = records.crawls.create(REQUEST, "Site"), JobId("j1")
    records.crawls.begin_run(crawl, job, NOW)
    records.crawls.begin_run(crawl, job, NOW + timedelta(seconds=5))
    records.crawls.hand_over(crawl, "me")
    frontier = records.frontier(crawl, "me")
    frontier.add_starts([FoundUrl("http://site.example/", "site.example")])
    for row in frontier.claim(9, 9, 100).rows:
        frontier.settle(row.url, UrlOutcome(UrlState.FAILED, UrlReason.TIMEOUT))
    records.crawls.end_run(crawl, 1, NOW + timedelta(seconds=15))
    assert records.crawls.retry_failed(crawl) == 1
    records.crawls.begin_run(crawl, job, NOW + timedelta(hours=2))
    records.crawls.add_sample(crawl, 1, Sample(NOW + timedelta(hours=2, seconds=3), 1, 0, 0, 0))
    records.crawls.end_run(crawl, 1, NOW + timedelta(hours=2, seconds=4))
    (run,) = records.crawls.runs(crawl)
    assert (run.seconds_at_work, run.was_retried, run.was_resumed) == (14, True, False)
    assert records.crawls.runs_of([job, JobId("other")]) == [(crawl, run)]
