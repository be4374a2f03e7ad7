from __future__ import annotations

import inspect
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.load import load_settings
from core.domain.crawl.ledger import LedgerQuery, UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome
from core.domain.crawl.request import CrawlPace, CrawlRequest
from core.domain.ids import CrawlId, JobId
from core.domain.job import JobState
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import JobError, NotFoundError, RefusedError, UsageError
from core.jobs.base import LEASE_TTL_S, WORKER_LEASE, new_owner
from core.store.store import Records
from core.workbench.services import crawls as services_crawls
from core.workbench.services.crawls import CrawlService
from core.workbench.wiring import Parts
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder

REQUEST = CrawlRequest.checked(urls=["http://site.example/docs/", "http://other.example/"])


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    made = PartsWith(load_settings(tmp_path / "home"), HashedEncoder())
    yield made
    made.close()


@pytest.fixture
def crawls(parts: Parts) -> CrawlService:
    return CrawlService(parts, LOCAL_ADMIN)


@pytest.fixture
def records(parts: Parts) -> Records:
    return parts.records


def run(records: Records, crawl: CrawlId, *, fails: bool = False) -> None:
    """Play a run to its end, as the job would."""
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


def test_a_crawl_is_queued_paused_resumed_and_run_again(crawls: CrawlService, records: Records) -> None:
    crawl = crawls.start(REQUEST)
    (summary,) = crawls.list()
    assert (summary.title, summary.state) == ("site.example/docs and 1 more", "queued")
    crawls.pause(crawl)
    assert crawls.get(crawl).summary.state == "paused"
    crawls.resume(crawl)
    assert crawls.get(crawl).summary.state == "queued"
    with pytest.raises(JobError, match="at work"):
        crawls.run_again(crawl)
    run(records, crawl)
    view = crawls.get(crawl)
    assert (view.summary.state, view.summary.counts, view.summary.run) == ("done", {"kept": 1, "new": 1}, 1)
    assert crawls.run_again(crawl) != view.summary.job
    assert crawls.get(crawl).summary.run == 2


def test_failed_addresses_are_tried_again_in_the_same_run(crawls: CrawlService, records: Records) -> None:
    crawl = crawls.start(REQUEST)
    run(records, crawl, fails=True)
    assert crawls.retry_failed(crawl) == 1
    view = crawls.get(crawl)
    assert (view.summary.run, view.summary.state, view.progress.queued) == (1, "queued", 1)
    run(records, crawl)
    with pytest.raises(JobError, match="No address"):
        crawls.retry_failed(crawl)


def test_a_retry_that_was_cut_short_before_the_job_went_on_can_be_repeated(
    crawls: CrawlService, records: Records
) -> None:
    crawl = crawls.start(REQUEST)
    run(records, crawl, fails=True)
    assert records.crawls.retry_failed(crawl) == 1
    assert crawls.get(crawl).summary.state == "done"
    assert crawls.retry_failed(crawl) == 1
    view = crawls.get(crawl)
    assert (view.summary.state, view.progress.queued) == ("queued", 1)


def test_a_stopped_crawl_ends_in_order_also_after_a_pause(crawls: CrawlService, records: Records) -> None:
    crawl = crawls.start(REQUEST)
    crawls.pause(crawl)
    crawls.stop(crawl)
    assert crawls.get(crawl).summary.state == "queued"
    assert records.crawls.get(crawl).is_stopping


def test_a_schedule_and_a_pace_can_be_changed(crawls: CrawlService) -> None:
    crawl = crawls.start(REQUEST, title="Docs", schedule="day")
    assert crawls.list()[0].schedule == "daily"
    assert crawls.list()[0].next_at is not None
    crawls.set_schedule(crawl, "")
    assert crawls.list()[0].next_at is None
    with pytest.raises(UsageError):
        crawls.set_schedule(crawl, "now and then")
    crawls.set_pace(crawl, CrawlPace(delay_s=3))
    assert crawls.get(crawl).pace.delay_s == 3


def test_rows_of_any_number_are_read_in_portions(crawls: CrawlService, records: Records) -> None:
    crawl = crawls.start(REQUEST)
    run(records, crawl)
    assert list(crawls.every_row(crawl)) == crawls.rows(crawl)
    assert crawls.count(crawl, LedgerQuery(states=(UrlState.KEPT,))) == 1
    assert sum(each.urls for each in crawls.groups(crawl)) == 1
    crawls.remove(crawl)
    with pytest.raises(NotFoundError):
        crawls.get(crawl)


def test_every_call_is_refused_to_who_is_no_admin(parts: Parts, crawls: CrawlService, tmp_path: Path) -> None:
    crawl = crawls.start(REQUEST, schedule="day")
    job = parts.records.crawls.get(crawl).job
    ann = CrawlService(parts, Principal("ann", frozenset({"contract_read"}), frozenset({"legal"})))
    given = {
        "request": REQUEST, "crawl": crawl, "job": job, "pace": CrawlPace(), "schedule": "",
        "path": tmp_path / "ledger.csv", "query": LedgerQuery(), "jobs": (job,),
    }  # fmt: skip
    calls = {
        name: call for name, call in inspect.getmembers(ann, inspect.ismethod) if not name.startswith("_")
    }
    before = crawls.get(crawl)

    for call in calls.values():
        names = inspect.signature(call).parameters
        with pytest.raises(RefusedError, match="'ann' may not"):
            call(**{name: value for name, value in given.items() if name in names})

    assert len(calls) >= 22
    assert crawls.get(crawl) == before
    assert not (tmp_path / "ledger.csv").exists()


@pytest.mark.parametrize("deed", ["resume", "retry_failed", "run_again"])
def test_a_run_that_is_being_paused_is_waited_for(crawls: CrawlService, records: Records, deed: str) -> None:
    crawl = crawls.start(REQUEST)
    run(records, crawl, fails=True)
    assert crawls.retry_failed(crawl) == 1
    records.crawls.hand_over(crawl, "me")
    (row,) = records.frontier(crawl, "me").claim(9, 9, 100).rows
    records.frontier(crawl, "me").settle(row.url, UrlOutcome(UrlState.FAILED, UrlReason.TIMEOUT))
    owner = new_owner()
    order = records.jobs.claim(owner)
    assert order is not None
    records.leases.acquire(WORKER_LEASE, owner, LEASE_TTL_S)
    crawls.pause(crawl)
    ends = threading.Timer(0.4, records.jobs.finish, (order.id, JobState.CANCELLED))
    ends.start()

    getattr(crawls, deed)(crawl)

    ends.join()
    assert crawls.get(crawl).summary.state == "queued"


def test_one_whose_pause_takes_too_long_says_so_and_keeps_its_stop(
    crawls: CrawlService, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services_crawls, "_REST_WITHIN_S", 0.2)
    crawl = crawls.start(REQUEST)
    owner = new_owner()
    records.jobs.claim(owner)
    records.leases.acquire(WORKER_LEASE, owner, LEASE_TTL_S)
    crawls.stop(crawl)
    crawls.pause(crawl)

    with pytest.raises(JobError, match="still being paused"):
        crawls.resume(crawl)

    assert crawls.get(crawl).summary.is_stopping


def test_a_run_at_work_that_is_resumed_goes_on_stopping(crawls: CrawlService, records: Records) -> None:
    crawl = crawls.start(REQUEST)
    owner = new_owner()
    records.jobs.claim(owner)
    records.leases.acquire(WORKER_LEASE, owner, LEASE_TTL_S)
    crawls.stop(crawl)

    with pytest.raises(JobError, match="is running"):
        crawls.resume(crawl)

    assert crawls.get(crawl).summary.is_stopping


def test_the_runs_behind_jobs_are_told_apart_and_only_the_last_has_the_ledger(
    crawls: CrawlService, records: Records
) -> None:
    crawl = crawls.start(REQUEST)  # run 1
    records.crawls.end_run(crawl, 1)
    records.crawls.begin_run(crawl, JobId("first"))
    records.crawls.end_run(crawl, 2)
    records.crawls.begin_run(crawl, JobId("second"))

    found = crawls.runs_of([JobId("first"), JobId("second"), JobId("other")])

    assert {job: (each.crawl, each.run.run, each.is_last) for job, each in found.items()} == {
        "first": (crawl, 2, False),
        "second": (crawl, 3, True),
    }
    assert crawls.in_doubt() == {}
