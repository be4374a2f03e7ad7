from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.crawl.ledger import LedgerQuery, UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome
from core.domain.crawl.request import CrawlPace, CrawlRequest
from core.domain.ids import CrawlId
from core.domain.job import JobState
from core.domain.principal import Principal
from core.errors import JobError, NotFoundError, RefusedError, UsageError
from core.records.store import Records
from core.workbench.facade import Workbench

REQUEST = CrawlRequest.checked(urls=["http://site.example/docs/", "http://other.example/"])


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path) as workbench:
        yield workbench


def records_of(workbench: Workbench) -> Records:
    return workbench.local.crawls._parts.records


def run(workbench: Workbench, crawl: CrawlId, *, fails: bool = False) -> None:
    """Play a run to its end, as the job would."""
    records = records_of(workbench)
    record = records.crawls.get(crawl)
    records.crawls.hand_over(crawl, "me")
    frontier = records.frontier(crawl, "me")
    frontier.add_starts([FoundUrl("http://site.example/docs/", "site.example")])
    for row in frontier.claim(9, 9, 100).rows:
        failure = UrlOutcome(UrlState.FAILED, UrlReason.TIMEOUT)
        frontier.settle(row.url, failure if fails else UrlOutcome(UrlState.KEPT))
    records.crawls.end_run(crawl, record.run)
    assert record.job is not None
    records.jobs.finish(record.job, JobState.DONE)


def test_a_crawl_is_queued_paused_resumed_and_run_again(workbench: Workbench) -> None:
    crawls = workbench.local.crawls
    crawl = crawls.start(REQUEST)
    (summary,) = crawls.list()
    assert (summary.title, summary.state) == ("site.example/docs and 1 more", "queued")
    crawls.pause(crawl)
    assert crawls.get(crawl).summary.state == "paused"
    crawls.resume(crawl)
    assert crawls.get(crawl).summary.state == "queued"
    with pytest.raises(JobError, match="at work"):
        crawls.run_again(crawl)
    run(workbench, crawl)
    view = crawls.get(crawl)
    assert (view.summary.state, view.summary.counts, view.summary.run) == ("done", {"kept": 1, "new": 1}, 1)
    assert crawls.run_again(crawl) != view.summary.job
    assert crawls.get(crawl).summary.run == 2


def test_failed_addresses_are_tried_again_in_the_same_run(workbench: Workbench) -> None:
    crawls = workbench.local.crawls
    crawl = crawls.start(REQUEST)
    run(workbench, crawl, fails=True)
    assert crawls.retry_failed(crawl) == 1
    view = crawls.get(crawl)
    assert (view.summary.run, view.summary.state, view.progress.queued) == (1, "queued", 1)
    run(workbench, crawl)
    with pytest.raises(JobError, match="No address"):
        crawls.retry_failed(crawl)


def test_a_retry_that_was_cut_short_before_the_job_went_on_can_be_repeated(workbench: Workbench) -> None:
    crawls = workbench.local.crawls
    crawl = crawls.start(REQUEST)
    run(workbench, crawl, fails=True)
    assert records_of(workbench).crawls.retry_failed(crawl) == 1
    assert crawls.get(crawl).summary.state == "done"
    assert crawls.retry_failed(crawl) == 1
    view = crawls.get(crawl)
    assert (view.summary.state, view.progress.queued) == ("queued", 1)


def test_a_stopped_crawl_ends_in_order_also_after_a_pause(workbench: Workbench) -> None:
    crawls = workbench.local.crawls
    crawl = crawls.start(REQUEST)
    crawls.pause(crawl)
    crawls.stop(crawl)
    assert crawls.get(crawl).summary.state == "queued"
    assert records_of(workbench).crawls.get(crawl).is_stopping


def test_a_schedule_and_a_pace_can_be_changed(workbench: Workbench) -> None:
    crawls = workbench.local.crawls
    crawl = crawls.start(REQUEST, title="Docs", schedule="day")
    assert crawls.list()[0].schedule == "daily"
    assert crawls.list()[0].next_at is not None
    crawls.set_schedule(crawl, "")
    assert crawls.list()[0].next_at is None
    with pytest.raises(UsageError):
        crawls.set_schedule(crawl, "now and then")
    crawls.set_pace(crawl, CrawlPace(delay_s=3))
    assert crawls.get(crawl).pace.delay_s == 3


def test_rows_of_any_number_are_read_in_portions(workbench: Workbench) -> None:
    crawls = workbench.local.crawls
    crawl = crawls.start(REQUEST)
    run(workbench, crawl)
    assert list(crawls.every_row(crawl)) == crawls.rows(crawl)
    assert crawls.count(crawl, LedgerQuery(states=(UrlState.KEPT,))) == 1
    assert sum(each.urls for each in crawls.groups(crawl)) == 1
    crawls.remove(crawl)
    with pytest.raises(NotFoundError):
        crawls.get(crawl)


def test_only_admins_crawl(workbench: Workbench) -> None:
    crawl = workbench.local.crawls.start(REQUEST)
    crawls = workbench.for_principal(Principal("ann", frozenset({"contract_read"}), frozenset())).crawls
    for deed in (
        lambda: crawls.start(REQUEST),
        lambda: crawls.list(),
        lambda: crawls.get(crawl),
        lambda: crawls.rows(crawl),
        lambda: crawls.count(crawl),
        lambda: crawls.groups(crawl),
        lambda: crawls.pause(crawl),
        lambda: crawls.resume(crawl),
        lambda: crawls.stop(crawl),
        lambda: crawls.set_pace(crawl, CrawlPace()),
        lambda: crawls.retry_failed(crawl),
        lambda: crawls.run_again(crawl),
        lambda: crawls.set_schedule(crawl, ""),
        lambda: crawls.remove(crawl),
    ):
        with pytest.raises(RefusedError):
            deed()
