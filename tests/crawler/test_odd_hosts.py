"""Hosts that forbid, slow down, welcome everything or send elsewhere, crawled by the real process."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.crawl.ledger import UrlReason, UrlRow, UrlState
from core.domain.crawl.request import CrawlPace, CrawlRequest
from core.store.store import Records
from tests.support.declared_site.page import Link, Page, Validator
from tests.support.declared_site.server import DeclaredServer
from tests.support.real_crawler import WatchedCrawler, begin_crawl, open_records

MOST_S = 60.0


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with open_records(tmp_path) as opened:
        yield opened


def crawled(
    records: Records, home: Path, server: DeclaredServer, *urls: str, **more: object
) -> dict[str, UrlRow]:
    """The rows by address of a crawl of some addresses of the site."""
    given: dict[str, object] = {"urls": urls, "depth": 1, "timeout_s": 1.0, "use_sitemaps": False}
    request = CrawlRequest.checked(**({"pace": CrawlPace(adapt=False)} | given | more))
    crawl, runner = begin_crawl(records, request)
    with WatchedCrawler(home, crawl, runner, server.allowed_hosts) as crawler:
        code = crawler.wait(MOST_S)
        assert code == 0, crawler.log()[-4000:]
    return {row.url: row for row in records.crawl_ledger.rows(crawl)}


def test_a_site_that_forbids_all_is_not_asked_for_a_page(records: Records, tmp_path: Path) -> None:
    with DeclaredServer(robots="User-agent: *\nDisallow: /\n", has_sitemaps=False) as server:
        start = f"{server.site.hosts.main}/"

        rows = crawled(records, tmp_path, server, start)

        assert {url: (row.state, row.reason) for url, row in rows.items()} == {
            start: (UrlState.SKIPPED, UrlReason.ROBOTS)
        }
        assert set(server.count()) == {f"{server.site.hosts.main}/robots.txt"}


def test_what_robots_forbids_is_fetched_where_an_admin_says_why(records: Records, tmp_path: Path) -> None:
    with DeclaredServer(robots="User-agent: *\nDisallow: /\n", has_sitemaps=False) as server:
        start = f"{server.site.hosts.main}/"

        rows = crawled(records, tmp_path, server, start, depth=0, ignore_robots_because="It is our own site.")

    assert rows[start].state is UrlState.KEPT


def test_the_delay_that_a_site_asks_for_is_kept(records: Records, tmp_path: Path) -> None:
    with DeclaredServer(robots="User-agent: *\nCrawl-delay: 1\n", has_sitemaps=False) as server:
        hosts = server.site.hosts
        urls = [f"{hosts.main}/{section}/" for section in ("brewing", "casting", "drilling", "forging")]

        rows = crawled(records, tmp_path, server, *urls, depth=0)

        times = sorted(request.at for request in server.requests if not request.url.endswith("/robots.txt"))
    assert {rows[url].state for url in urls} == {UrlState.KEPT}
    assert min(later - earlier for earlier, later in itertools.pairwise(times)) > 0.9


def test_a_page_that_every_missing_address_gives_is_no_document(records: Records, tmp_path: Path) -> None:
    with DeclaredServer(never_misses=True, has_sitemaps=False) as server:
        main = server.site.hosts.main
        missing = [f"{main}/lost/{name}.html" for name in ("one", "two", "three")]
        there = f"{main}/brewing/brass/care.html"
        links = tuple(Link(url, url) for url in (*missing, there))
        server.site.put(Page(f"{main}/list.html", links=links, has_navigation=False))

        rows = crawled(records, tmp_path, server, f"{main}/list.html")

    assert {(rows[url].state, rows[url].reason) for url in missing} == {(UrlState.FAILED, UrlReason.SOFT_404)}
    assert rows[there].state is UrlState.KEPT


def test_a_start_that_sends_to_another_host_is_crawled_there(records: Records, tmp_path: Path) -> None:
    with DeclaredServer(has_sitemaps=False) as server:
        main, other = server.site.hosts.main, server.site.hosts.other
        new, below = f"{other}/new/", f"{other}/new/page.html"
        moved = Page(
            f"{main}/old/",
            status=301,
            headers=(("Location", new),),
            raw=b"",
            validator=Validator.NONE,
        )
        server.site.put(moved)
        server.site.put(Page(new, links=(Link(below, below),), has_navigation=False))
        server.site.put(Page(below, has_navigation=False))

        rows = crawled(records, tmp_path, server, moved.url)

    assert {url: (row.depth, row.state) for url, row in rows.items()} == {
        moved.url: (0, UrlState.REDIRECTED),
        new: (0, UrlState.KEPT),
        below: (1, UrlState.KEPT),
    }


def test_a_crawl_keeps_no_more_pages_than_it_may(records: Records, tmp_path: Path) -> None:
    with DeclaredServer(has_sitemaps=False) as server:
        start = f"{server.site.hosts.main}/brewing/"

        rows = crawled(records, tmp_path, server, start, depth=2, max_pages=7)

    states = [row.state for row in rows.values()]
    cut = [row for row in rows.values() if row.reason is UrlReason.PAGE_LIMIT]
    assert states.count(UrlState.KEPT) == 7
    assert cut
    assert {row.state for row in cut} == {UrlState.SKIPPED}


def test_only_addresses_that_patterns_let_in_are_fetched(records: Records, tmp_path: Path) -> None:
    with DeclaredServer(has_sitemaps=False) as server:
        main = server.site.hosts.main

        rows = crawled(
            records,
            tmp_path,
            server,
            f"{main}/brewing/",
            include=("/brewing/*",),
            exclude=("*/clay/*",),
        )

    reasons = {url.removeprefix(main): row.reason for url, row in rows.items()}
    assert reasons["/brewing/brass/"] is UrlReason.NONE
    assert reasons["/brewing/clay/"] is UrlReason.EXCLUDED
    assert reasons["/casting/"] is UrlReason.NOT_INCLUDED


def test_cookies_and_credentials_of_one_host_are_not_sent_to_another(
    records: Records, tmp_path: Path
) -> None:
    with DeclaredServer(has_sitemaps=False) as server:
        main, other = server.site.hosts.main, server.site.hosts.other
        setting = Page(f"{main}/cookie.html", headers=(("Set-Cookie", "secret=of-main; Path=/"),))
        server.site.put(replaced(setting, f"{main}/brewing/brass/care.html"))
        server.site.put(Page(f"{other}/start.html", has_navigation=False))

        crawled(records, tmp_path, server, setting.url, f"{other}/start.html")

        sent = [request.cookie for request in server.requests if request.url.startswith(other)]
    assert sent
    assert set(sent) == {""}


def replaced(page: Page, target: str) -> Page:
    """The page with one link."""
    return Page(page.url, links=(Link(target, target),), headers=page.headers, has_navigation=False)
