from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.load import load_settings
from core.domain.crawl.ledger import CrawlState, LedgerQuery, UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome
from core.domain.crawl.request import CrawlPace, CrawlRequest
from core.domain.ids import ContentHash, CrawlId
from core.domain.job import Job, JobState
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import JobError, NotFoundError, RefusedError
from core.ingest.crawl.process import CrawlerProcess
from core.store.store import Records
from core.workbench.services.crawls import CrawlService
from core.workbench.wiring import Parts
from core.workbench.work import handlers
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.roles import MAY_ASK
from tests.support.scripted_crawler import PROGRAM, Site

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

    assert crawls.get(crawl).summary.state is CrawlState.NOT_RUN
    with pytest.raises(JobError, match="has no run"):
        crawls.follow(crawl)


def test_who_is_no_admin_can_do_nothing_with_crawls(parts: Parts, crawls: CrawlService) -> None:
    crawl = crawls.start(REQUEST)
    ann = CrawlService(parts, Principal("ann", MAY_ASK))
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


def test_what_is_followed_runs_here_where_no_worker_does(
    parts: Parts, crawls: CrawlService, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = functools.partial(CrawlerProcess, program=PROGRAM)
    monkeypatch.setattr(handlers, "CrawlerProcess", program)
    Site({"": {"text": "The tenant pays the rent."}}).write(parts.settings.home)
    crawl = crawls.start(REQUEST, is_dry_run=True)
    seen: list[Job] = []

    view = crawls.follow(crawl, seen.append)

    assert (view.summary.state, view.summary.counts["kept"]) == ("done", 1)
    assert seen[-1].state is JobState.DONE


def test_the_ledger_is_written_as_it_is_filtered(parts: Parts, crawls: CrawlService, tmp_path: Path) -> None:
    crawl = crawls.start(REQUEST)
    fetch(parts.records, crawl)

    count = crawls.write_ledger(crawl, tmp_path / "failed.csv", LedgerQuery(states=(UrlState.FAILED,)))

    assert count == 1
    assert f"http://{HOST}/blog" in (tmp_path / "failed.csv").read_text(encoding="utf-8-sig")
