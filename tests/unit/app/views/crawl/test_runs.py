from __future__ import annotations

from tests.support.crawl_page import CrawlPage
from tests.support.crawled import START, crawl_of

RUNS = "Runs and schedule"


def test_runs_report_what_is_different(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records), view=RUNS)
    (row,) = page.cells("Runs of this crawl")
    assert (row["kept"], row["new"], row["gone"], row["took"]) == ("4", "4", "0", "20 s")
    assert page.app.button(key="report-gone").disabled


def test_a_count_of_the_report_lists_its_addresses(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records), view=RUNS)
    page.app.button(key="report-new").click().run()
    assert "**4** of **8** addresses" in page.text


def test_a_schedule_is_changed_and_taken_back(page: CrawlPage) -> None:
    crawl = crawl_of(page.records)
    page.open(crawl=crawl, view=RUNS)
    assert "It does not run by itself" in page.text
    page.app.selectbox(key=f"again-{crawl}").set_value("weekly").run()
    page.click("Save the schedule")
    assert page.records.crawls.get(crawl).schedule == "weekly"
    assert "**Weekly**. Next run:" in page.text
    page.app.selectbox(key=f"again-{crawl}").set_value("cron").run()
    page.app.text_input(key=f"cron-{crawl}").set_value("99 * * * *").run()
    assert page.app.button(key="save-schedule").disabled
    assert "cannot be understood" in page.text


def test_the_settings_say_all_that_was_asked_for(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records), view="Settings")
    for part in (START, "1, 1,000 pages at most", "*/old/*", "HTML pages, PDF", "is heeded", "manual"):
        assert part in page.text
