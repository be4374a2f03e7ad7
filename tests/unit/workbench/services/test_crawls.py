from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.load import load_settings
from core.domain.crawl.ledger import LedgerQuery, UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome
from core.domain.crawl.request import CrawlPace, CrawlRequest
from core.domain.ids import ContentHash, CrawlId
from core.domain.job import JobState
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import JobError, NotFoundError, RefusedError
from core.records.store import Records
from core.workbench.services.crawls import NOT_RUN, PAUSED, CrawlService
from core.workbench.wiring import Parts
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder

HOST = "site.example"
REQUEST = CrawlRequest.checked(urls=[f"http://{HOST}/docs/", f"http://{HOST}/blog"])


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Parts]:
    made = PartsWith(load_settings(tmp_path / "home"), HashedEncoder())
    yield made
    made.close()


@pytest.fixture
def crawls(parts: Parts) -> CrawlService:
    return CrawlService(parts, LOCAL_ADMIN)


def fetch(records: Records, crawl: CrawlId) -> None:
    """Settle both start addresses: one is kept, one fails."""
    records.crawls.hand_over(crawl, "me")
    frontier = records.frontier(crawl, "me")
    frontier.add_starts([FoundUrl(each, HOST) for each in REQUEST.urls])
    for row in frontier.claim(9, 100, 100).rows:
        is_docs = row.url.endswith("docs/")
        outcome = UrlOutcome(UrlState.FAILED, UrlReason.TIMEOUT)
        if is_docs:
            outcome = UrlOutcome(UrlState.KEPT, content_hash=ContentHash("a"))
        frontier.settle(row.url, outcome)


def end(parts: Parts, crawls: CrawlService, crawl: CrawlId) -> None:
    """As the job ends a run."""
    view = crawls.get(crawl)
    assert view.job is not None
    parts.records.crawls.end_run(crawl, view.summary.run)
    parts.records.jobs.finish(view.job.id, JobState.DONE)


def test_a_crawl_is_queued_under_a_title_and_shown_with_what_it_has(
    parts: Parts, crawls: CrawlService
) -> None:
    crawl = crawls.start(REQUEST, schedule="day")
    fetch(parts.records, crawl)

    view = crawls.get(crawl)

    assert (view.summary.title, view.summary.state) == (f"{HOST}/docs and 1 more", "queued")
    assert (view.summary.schedule, view.summary.next_at is not None) == ("daily", True)
    assert view.summary.counts == {"kept": 1, "failed": 1}
    assert [each.id for each in crawls.list()] == [crawl]
    assert [row.url for row in crawls.every_row(crawl, LedgerQuery(states=(UrlState.FAILED,)))] == [
        f"http://{HOST}/blog"
    ]
    assert crawls.count(crawl) == 2


def test_a_pause_is_shown_as_one_and_a_resume_goes_on(crawls: CrawlService) -> None:
    crawl = crawls.start(REQUEST)
    crawls.pause(crawl)
    assert crawls.get(crawl).summary.state == PAUSED
    with pytest.raises(JobError, match="not at work"):
        crawls.pause(crawl)

    crawls.resume(crawl)

    assert crawls.get(crawl).summary.state == "queued"


def test_a_paused_run_that_is_stopped_is_queued_to_end_in_order(parts: Parts, crawls: CrawlService) -> None:
    crawl = crawls.start(REQUEST)
    crawls.pause(crawl)

    crawls.stop(crawl)

    assert crawls.get(crawl).summary.state == "queued"
    assert parts.records.crawls.get(crawl).is_stopping


def test_it_runs_again_only_once_it_is_at_rest(parts: Parts, crawls: CrawlService) -> None:
    crawl = crawls.start(REQUEST)
    with pytest.raises(JobError, match="at work"):
        crawls.run_again(crawl)
    fetch(parts.records, crawl)
    end(parts, crawls, crawl)

    crawls.run_again(crawl)

    assert (crawls.get(crawl).summary.run, crawls.get(crawl).summary.state) == (2, "queued")


def test_failed_addresses_are_fetched_again_in_the_same_run(parts: Parts, crawls: CrawlService) -> None:
    crawl = crawls.start(REQUEST)
    fetch(parts.records, crawl)
    end(parts, crawls, crawl)

    assert crawls.retry_failed(crawl) == 1

    view = crawls.get(crawl)
    assert (view.summary.run, view.summary.state, view.progress.queued) == (1, "queued", 1)


def test_pace_and_schedule_change_while_it_is_there(crawls: CrawlService) -> None:
    crawl = crawls.start(REQUEST)

    crawls.set_pace(crawl, CrawlPace(delay_s=2))
    crawls.set_schedule(crawl, "30 6 * * 1-5")

    view = crawls.get(crawl)
    assert (view.pace.delay_s, view.summary.schedule) == (2, "30 6 * * 1-5")
    crawls.set_schedule(crawl, "")
    assert crawls.get(crawl).summary.next_at is None


def test_a_crawl_is_removed_once_it_is_at_rest(crawls: CrawlService) -> None:
    crawl = crawls.start(REQUEST)
    with pytest.raises(JobError, match="at work"):
        crawls.remove(crawl)
    crawls.pause(crawl)

    crawls.remove(crawl)

    with pytest.raises(NotFoundError):
        crawls.get(crawl)


def test_one_that_never_ran_has_no_run_to_follow(parts: Parts, crawls: CrawlService) -> None:
    crawl = parts.records.crawls.create(REQUEST, "Site")

    assert crawls.get(crawl).summary.state == NOT_RUN
    with pytest.raises(JobError, match="has no run"):
        crawls.follow(crawl)


def test_who_is_no_admin_can_do_nothing_with_crawls(parts: Parts, crawls: CrawlService) -> None:
    crawl = crawls.start(REQUEST)
    ann = CrawlService(parts, Principal("ann", frozenset(), frozenset()))
    for deed in (
        lambda: ann.start(REQUEST),
        ann.list,
        lambda: ann.get(crawl),
        lambda: ann.rows(crawl),
        lambda: ann.count(crawl),
        lambda: list(ann.every_row(crawl)),
        lambda: ann.groups(crawl),
        lambda: ann.pause(crawl),
        lambda: ann.resume(crawl),
        lambda: ann.stop(crawl),
        lambda: ann.set_pace(crawl, CrawlPace()),
        lambda: ann.retry_failed(crawl),
        lambda: ann.run_again(crawl),
        lambda: ann.set_schedule(crawl, ""),
        lambda: ann.remove(crawl),
        lambda: ann.follow(crawl),
        lambda: ann.write_ledger(crawl, Path("ledger.csv")),
    ):
        with pytest.raises(RefusedError):
            deed()
