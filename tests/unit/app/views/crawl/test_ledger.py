from __future__ import annotations

from app.views.crawl.ledger import PART
from core.domain.crawl.outcome import FoundUrl
from tests.support.crawl_page import CrawlPage
from tests.support.crawled import HOST, PAGES, START, crawl_of

NAME = "Addresses of the crawl"


def test_every_address_has_a_row_in_words(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records), view="Addresses")
    assert "**8** of **8** addresses" in page.text
    rows = {row["url"]: row for row in page.cells(NAME)}
    missing = rows[f"{HOST}/manual/missing.html"]
    assert (missing["state"], missing["status"]) == ("▲ Failed", "404")
    assert missing["found"] == f"{HOST}/manual/"
    assert rows[f"{HOST}/manual/moved.html"]["leads"] == PAGES[0].partition("://")[2]
    assert rows["elsewhere.org/"]["reason"] == "On another site"
    assert len(rows[f"{HOST}/manual/"]["hash"]) == 8


def test_filters_narrow_the_rows_and_all_come_back(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records), view="Addresses")
    page.app.text_input(key="ledger-address").set_value("ADMIN").run()
    assert "**2** of **8** addresses" in page.text
    page.app.multiselect(key="ledger-state").set_value(["skipped"]).run()
    assert "No address fits these filters" in page.text
    page.click("Show all")
    assert "**8** of **8** addresses" in page.text
    assert "address" not in page.app.query_params


def test_a_copied_link_opens_the_same_rows_in_the_same_order(page: CrawlPage) -> None:
    crawl = crawl_of(page.records)
    page.open(crawl=crawl, view="Addresses", address="manual", depth="1", sort="url", down="1")
    urls = [row["url"] for row in page.cells(NAME)]
    assert urls == sorted(urls, reverse=True)
    assert len(urls) == 6
    assert page.mounted(NAME)["sort"] == "url"
    assert f"/api/crawls/{crawl}/ledger.csv?depth=1&address=manual" in page.text


def test_an_address_that_was_opened_says_all_that_is_known(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records), view="Addresses", url=f"{START}moved.html")
    assert "**→ Redirected**" in page.text
    assert f"Leads to: `{PAGES[0]}`" in page.text
    page.click("Show where it leads")
    assert page.app.query_params["url"] == PAGES[0]
    assert "HTTP 200 · HTML · 900 B" in page.text


def test_a_long_ledger_is_shown_in_parts(page: CrawlPage) -> None:
    crawl = crawl_of(page.records, ends=None)
    more = [FoundUrl(f"{START}page-{n:04}.html", HOST) for n in range(2 * PART)]
    page.records.frontier(crawl, "test").add_starts(more)
    page.open(crawl=crawl, view="Addresses", part="3")
    data = page.mounted(NAME)
    assert (data["first"], len(data["rows"]), data["total"]) == (2 * PART + 1, 8, 2 * PART + 8)
    page.open(crawl=crawl, view="Addresses", part="99")
    assert page.mounted(NAME)["first"] == 2 * PART + 1
