from __future__ import annotations

import logging

import pytest

from tests.support.crawl_page import CrawlPage
from tests.support.crawled import START, crawl_of


def test_wrong_addresses_are_named_before_anything_is_started(page: CrawlPage) -> None:
    page.open()
    page.app.text_area(key="crawl-addresses").set_value(f"{START}\njavascript:alert(1)").run()
    assert "has the scheme 'javascript'" in page.text
    assert page.app.button(key="dry-run").disabled


def test_an_address_is_tried_against_the_patterns(page: CrawlPage) -> None:
    page.open()
    page.app.text_area(key="crawl-addresses").set_value(START).run()
    page.app.text_area(key="crawl-exclude").set_value("*/old/*").run()
    page.app.text_input(key="crawl-try").set_value(f"{START}old/page.html").run()
    assert "It would be left out. **Excluded by a pattern.**" in page.text
    page.app.text_input(key="crawl-try").set_value(f"{START}page.html").run()
    assert "It would be fetched" in page.text


def test_robots_are_not_heeded_only_with_a_reason(page: CrawlPage) -> None:
    page.open()
    page.app.text_area(key="crawl-addresses").set_value(START).run()
    page.app.toggle(key="crawl-heeds_robots").set_value(False).run()
    assert "Say why" in page.text
    page.app.text_input(key="crawl-ignore_robots_because").set_value("The site is ours").run()
    assert "Say why" not in page.text
    assert not page.app.button(key="start-crawl").disabled


def test_what_was_typed_is_there_after_another_page(page: CrawlPage) -> None:
    page.open()
    page.app.text_area(key="crawl-addresses").set_value(START).run()
    page.open("jobs")
    page.open()
    assert page.app.text_area(key="crawl-addresses").value == START


def test_a_cron_that_cannot_be_read_says_so(page: CrawlPage) -> None:
    page.open()
    page.app.text_area(key="crawl-addresses").set_value(START).run()
    page.app.get("button_group")[-1].set_value("cron").run()
    page.app.text_input(key="crawl-cron").set_value("at noon").run()
    assert "cannot be understood" in page.text


def test_the_form_takes_the_settings_of_a_crawl(page: CrawlPage) -> None:
    page.open(crawl=crawl_of(page.records))
    page.click("New crawl like this")
    assert page.app.query_params["new"] == "1"
    assert page.app.text_area(key="crawl-addresses").value == START
    assert page.app.text_area(key="crawl-exclude").value == "*/old/*"
    assert page.app.selectbox(key="crawl-bucket").value == "manual"


def test_a_filled_form_gives_no_widget_two_first_values(
    page: CrawlPage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("streamlit.elements.lib.policies._shown_default_value_warning", False)
    monkeypatch.setattr(logging.getLogger("streamlit"), "propagate", True)
    crawl = crawl_of(page.records)
    page.open(crawl=crawl)
    page.click("New crawl like this")
    assert page.app.text_area(key="crawl-addresses").value
    assert "was created with a default value" not in caplog.text
