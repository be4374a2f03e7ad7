from __future__ import annotations

from core.domain.job import JobState
from tests.support.crawl_page import CrawlPage
from tests.support.crawled import crawl_of, doubtful_crawl_of


def test_a_crawl_at_work_can_be_paused_stopped_and_slowed(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records, ends=None))
    assert {"Pause", "Stop this run", "Change the pace"} <= page.buttons
    assert "Remove it" not in page.buttons
    assert "No worker is running" in page.text


def test_a_crawl_at_rest_leads_to_its_pages(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records))
    (link,) = [each for each in page.app.get("page_link") if "Ask about" in each.proto.label]
    assert link.proto.label == "Ask about these 4 pages"
    assert "in=manual" in link.proto.query_string
    assert {"Crawl again", "Try 1 failed address again"} <= page.buttons


def test_a_dry_run_offers_the_real_one_and_no_schedule(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records, is_dry_run=True, ends=JobState.DONE))
    assert {"Start this crawl", "Change the settings"} <= page.buttons
    assert not {"Crawl again", "Pause"} & page.buttons
    assert "Runs and schedule" not in [tab.label for tab in page.app.tabs]


def test_jobs_lead_to_the_crawl(page: CrawlPage) -> None:
    crawl = crawl_of(page.records)
    job = page.records.crawls.get(crawl).job
    assert job is not None
    page.open("jobs", job=job)
    (link,) = [each for each in page.app.get("page_link") if "crawl" in each.proto.label]
    assert f"crawl={crawl}" in link.proto.query_string


def test_documents_in_doubt_are_named_and_withdrawn_by_a_button(page: CrawlPage) -> None:
    crawl = doubtful_crawl_of(page.records)
    page.open(crawl=crawl)
    assert "12 of 13 documents stay for now" in page.text
    assert "answer with status 404" in page.text

    page.click("Withdraw them")

    assert "stay for now" not in page.text
    assert "Withdraw them" not in page.buttons
    assert page.records.crawl_ledger.to_withdraw(crawl, 2) == []


def test_a_run_that_ended_is_not_offered_to_go_on(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records, ends=JobState.FAILED))
    assert "Crawl again" in page.buttons
    assert "Go on" not in page.buttons
