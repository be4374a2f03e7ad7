from __future__ import annotations

from typing import Any

from core.domain.ids import JobId
from tests.support.crawl_page import CrawlPage
from tests.support.crawled import crawl_of, doubtful_crawl_of


def state_width(page: CrawlPage) -> int:
    columns: list[dict[str, Any]] = page.mounted("Crawls")["columns"]
    return next(int(each["width"]) for each in columns if each["key"] == "state")


def test_documents_in_doubt_stand_in_the_list_and_only_where_there_are_any(page: CrawlPage) -> None:
    crawl_of(page.records)
    page.open()
    assert "doubt" not in [each["key"] for each in page.mounted("Crawls")["columns"]]

    doubtful_crawl_of(page.records)
    page.open()
    assert sorted(row["doubt"] for row in page.cells("Crawls")) == ["", "12"]


def test_a_job_whose_run_left_documents_in_doubt_says_so(page: CrawlPage) -> None:
    crawl = doubtful_crawl_of(page.records)
    last = page.records.crawls.get(crawl).job
    page.open("jobs", job=str(last or JobId("")))
    assert "left 12 documents in doubt" in page.text


def test_the_column_of_states_is_as_wide_as_the_longest_of_them(page: CrawlPage) -> None:
    crawl_of(page.records)
    page.open()
    narrow = state_width(page)
    crawl_of(page.records, is_dry_run=True)
    page.open()
    assert state_width(page) > narrow
