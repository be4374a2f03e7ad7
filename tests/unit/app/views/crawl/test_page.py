from __future__ import annotations

import pytest

from app import services
from core.domain.principal import Principal
from core.errors import RefusedError
from tests.support.crawl_page import CrawlPage
from tests.support.crawled import REQUEST, START, crawl_of
from tests.support.roles import MAY_ASK


def test_an_empty_home_says_what_to_do(page: CrawlPage) -> None:
    page.open()
    assert "No site was crawled yet" in page.text
    assert "Write at least one start address" in page.text
    assert all(page.app.button(key=key).disabled for key in ("dry-run", "start-crawl"))


def test_the_list_shows_each_crawl_with_its_counts_and_next_run(page: CrawlPage) -> None:
    crawl_of(page.records, is_dry_run=True)
    crawl_of(page.records, schedule="daily")
    page.open()
    first, second = page.cells("Crawls")
    assert (first["kept"], first["left"], first["failed"], first["again"]) == ("4", "2", "1", "Daily")
    assert first["state"] == "◆ Done, 1 failed"
    assert second["state"].endswith("(dry run)")


def test_a_crawl_that_was_removed_is_said_in_words(page: CrawlPage) -> None:
    page.open(crawl="c-none")
    assert "There is no crawl 'c-none'" in page.text
    page.click("All crawls")
    assert "crawl" not in page.app.query_params


def test_before_a_dry_run_it_is_the_first_button_and_after_it_the_second(page: CrawlPage) -> None:
    page.open()
    page.app.text_area(key="crawl-addresses").set_value(START).run()
    assert not page.app.button(key="dry-run").disabled
    assert page.app.button(key="dry-run").proto.type == "primary"
    crawl_of(page.records, REQUEST.model_copy(update={"depth": 2, "exclude": ()}), is_dry_run=True)
    page.open(new="1")
    assert page.app.button(key="start-crawl").proto.type == "primary"
    assert "A dry run was made with these settings" in page.text


def test_another_crawl_of_the_host_into_the_bucket_is_warned_of(page: CrawlPage) -> None:
    crawl_of(page.records, ends=None)
    page.open(new="1")
    page.app.text_area(key="crawl-addresses").set_value(START).run()
    assert "at work" not in page.text
    crawl_of(page.records, REQUEST.model_copy(update={"bucket": "default"}), ends=None)
    page.app.run()
    assert "of the same host into the same bucket is at work" in page.text


def test_the_page_is_for_admins(page: CrawlPage, monkeypatch: pytest.MonkeyPatch) -> None:
    crawl = crawl_of(page.records)
    monkeypatch.setattr(services, "current_principal", lambda: Principal("ann", MAY_ASK))
    page.open(crawl=crawl)
    assert "docs.example.org" not in page.text
    with pytest.raises(RefusedError):
        services.session().crawls.get(crawl)
