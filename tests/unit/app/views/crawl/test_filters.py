from __future__ import annotations

from tests.support.crawl_page import CrawlPage
from tests.support.crawled import crawl_of

NAME = "Addresses of the crawl"


def test_filters_stand_in_the_address_by_name(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records), view="Addresses")
    page.app.multiselect(key="ledger-state").set_value(["kept", "failed"]).run()
    page.app.selectbox(key="ledger-depth").set_value("1").run()
    assert page.app.query_params["state"] == "kept,failed"
    assert page.app.query_params["depth"] == "1"
    assert {row["state"] for row in page.cells(NAME)} == {"● Kept", "▲ Failed"}


def test_what_an_address_cannot_mean_is_left_out(page: CrawlPage) -> None:
    odd = {"state": "odd,failed", "depth": "x", "host": "nowhere.example", "change": "odd", "sort": "odd"}
    page.open(crawl=crawl_of(page.records), view="Addresses", **odd)
    assert [row["state"] for row in page.cells(NAME)] == ["▲ Failed"]


def test_going_back_to_an_address_sets_the_widgets(page: CrawlPage) -> None:
    crawl = crawl_of(page.records)
    page.open(crawl=crawl, view="Addresses", state="failed")
    page.open(crawl=crawl, view="Addresses", state="skipped", host="elsewhere.org")
    assert page.app.multiselect(key="ledger-state").value == ["skipped"]
    assert page.app.selectbox(key="ledger-host").value == "elsewhere.org"


def test_a_change_of_filter_begins_at_the_first_rows(page: CrawlPage) -> None:
    page.open(
        crawl=crawl_of(page.records), view="Addresses", part="2", url="https://docs.example.org/manual/"
    )
    page.app.text_input(key="ledger-address").set_value("manual").run()
    assert not {"part", "url"} & set(page.app.query_params)
