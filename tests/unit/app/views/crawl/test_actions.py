from __future__ import annotations

from core.domain.crawl.ledger import LedgerQuery, UrlState
from core.domain.ids import CrawlId
from core.domain.job import JobState
from tests.support.crawl_page import CrawlPage
from tests.support.crawled import START, crawl_of


def opened(page: CrawlPage) -> CrawlId:
    return CrawlId(page.app.query_params["crawl"])


def state_of(page: CrawlPage, crawl: CrawlId) -> JobState:
    job = page.records.crawls.get(crawl).job
    assert job is not None
    return page.records.jobs.get(job).state


def test_a_dry_run_is_started_and_shown(page: CrawlPage) -> None:
    page.open()
    page.app.text_area(key="crawl-addresses").set_value(START).run()
    page.app.number_input(key="crawl-max_pages").set_value(7).run()
    page.click("Dry run")
    record = page.records.crawls.get(opened(page))
    assert (record.is_dry_run, record.request.urls, record.request.max_pages) == (True, (START,), 7)
    assert "Dry run of docs.example.org/manual" in page.text


def test_a_dry_run_becomes_a_crawl_with_the_same_settings(page: CrawlPage) -> None:
    dry = crawl_of(page.records, is_dry_run=True, ends=JobState.DONE)
    page.open(crawl=dry)
    page.click("Start this crawl")
    record = page.records.crawls.get(opened(page))
    assert not record.is_dry_run
    assert record.request == page.records.crawls.get(dry).request


def test_a_crawl_is_paused_and_goes_on(page: CrawlPage) -> None:
    crawl = crawl_of(page.records, ends=None)
    page.open(crawl=crawl)
    page.click("Pause")
    assert state_of(page, crawl) is JobState.CANCELLED  # no worker was there to be waited for
    assert "◆ Paused" in page.text
    page.click("Go on")
    assert state_of(page, crawl) is JobState.QUEUED
    assert "○ Waiting" in page.text


def test_a_run_is_stopped(page: CrawlPage) -> None:
    crawl = crawl_of(page.records, ends=None)
    page.open(crawl=crawl)
    page.click("Stop this run")
    assert page.records.crawls.get(crawl).is_stopping
    assert "○ Stopping" in page.text


def test_the_pace_is_changed_while_it_runs(page: CrawlPage) -> None:
    crawl = crawl_of(page.records, ends=None)
    page.open(crawl=crawl)
    page.app.number_input(key="pace-delay_s").set_value(2.5)
    page.app.number_input(key="pace-per_host").set_value(1).run()
    page.click("Change the pace")
    pace = page.records.crawls.get(crawl).pace
    assert (pace.delay_s, pace.per_host, pace.concurrency) == (2.5, 1, 8)


def test_failed_addresses_are_queued_again(page: CrawlPage) -> None:
    crawl = crawl_of(page.records)
    page.open(crawl=crawl)
    page.click("Try 1 failed address again")
    assert page.records.crawl_ledger.count(crawl, LedgerQuery(states=(UrlState.QUEUED,))) == 1
    assert state_of(page, crawl) is JobState.QUEUED


def test_a_crawl_runs_again(page: CrawlPage) -> None:
    crawl = crawl_of(page.records)
    page.open(crawl=crawl)
    page.click("Crawl again")
    assert page.records.crawls.get(crawl).run == 2


def test_what_cannot_be_done_is_said(page: CrawlPage) -> None:
    crawl = crawl_of(page.records)
    page.open(crawl=crawl)
    page.records.crawls.remove(crawl)
    page.app.button(key="again").click().run()
    assert not page.app.exception
    assert f"There is no crawl '{crawl}'" in page.text


def test_a_crawl_is_removed_after_it_was_asked(page: CrawlPage) -> None:
    crawl = crawl_of(page.records)
    page.open(crawl=crawl)
    assert "Its documents stay in the bucket manual" in page.text
    page.click("Remove it")
    assert page.records.crawls.list() == []
    assert "No site was crawled yet" in page.text
