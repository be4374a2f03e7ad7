from __future__ import annotations

from core.domain.job import JobState
from tests.support.crawl_page import CrawlPage
from tests.support.crawled import crawl_of


def metrics(page: CrawlPage) -> dict[str, str]:
    return {each.label: str(each.value) for each in page.app.metric}


def test_the_numbers_of_a_run_that_ended(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records))
    shown = metrics(page)
    assert (shown["Pages kept"], shown["Fetched"], shown["Left out"], shown["Failed"]) == ("4", "6", "2", "1")
    assert (shown["Data"], shown["Took"]) == ("3.6 KB", "20 s")
    assert "Time left" not in shown


def test_a_run_at_work_says_how_far_it_is(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records, ends=None))
    assert metrics(page)["Queued"] == "5"
    assert "Time left" in metrics(page)
    assert "Waiting for the first answer" in page.text


def test_reasons_are_told_with_what_to_do(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records))
    rows = {row["reason"]: row for row in page.cells("Addresses by state and reason")}
    assert rows["On another site"]["urls"] == "1"
    assert rows["Excluded by a pattern"]["state"] == "– Left out"
    assert "404 is a dead link" in rows["The server answered with an error"]["advice"]


def test_the_map_and_the_chart_have_the_numbers(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records))
    (field,) = page.mounted("Tree map")["figure"]["data"]
    assert dict(zip(field["ids"], field["values"], strict=True))["docs.example.org"] == 7
    lines = page.mounted("Line chart")["figure"]["data"]
    assert [line["y"][-1] for line in lines] == [6, 0, 1]
    assert "1 address of 1 other site" in page.text


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
