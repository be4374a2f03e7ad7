from __future__ import annotations

from core.domain.job import JobState
from tests.support.crawl_page import CrawlPage
from tests.support.crawled import crawl_of


def test_a_dry_run_shows_what_a_crawl_would_keep_and_leave_out(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records, is_dry_run=True, ends=JobState.DONE))
    assert "would keep **4 pages**" in page.text
    bars = page.mounted("Bar chart")["figure"]["data"]
    assert bars[0]["x"] == [1, 3]
    samples = {each.label: [line.value for line in each.markdown] for each in page.app.expander}
    found = next(lines for label, lines in samples.items() if "Excluded by a pattern" in label)
    assert any("docs.example.org/manual/old/x.html" in line and "found on" in line for line in found)


def test_a_dry_run_that_found_nothing_says_where_to_look(page: CrawlPage) -> None:
    crawl = crawl_of(page.records, is_dry_run=True, ends=None)
    job = page.records.crawls.get(crawl).job
    assert job is not None
    page.records.crawl_ledger.note_unreadable(
        crawl, {row.url: "empty" for row in page.records.crawl_ledger.rows(crawl)}
    )
    page.records.jobs.finish(job, JobState.FAILED, "No page was kept.")
    page.open(crawl=crawl)
    assert "would keep no page" in page.text
    assert "No page was kept" in page.text
