"""Every way by which a public site can lead a crawl to a private host, over sockets on loopback.

Of two servers one is allowed, and the other stands for the private host: nothing may ask it for anything.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.domain.crawl.ledger import UrlReason, UrlState
from tests.support.crawling import CrawlHome
from tests.support.examples import IS_FULL
from tests.support.odd_site import OddHandler, OddServer, Page, page, words

Make = Callable[..., CrawlHome]


def to(url: str) -> Page:
    """A redirect."""
    return lambda handler: handler.give("", status=302, Location=url)


def text(body: str) -> Page:
    def give(handler: OddHandler) -> None:
        handler.give(body, "text/plain")

    return give


def crawl(make_home: Make, site: OddServer, **more: object) -> CrawlHome:
    home = make_home(site.url, allowed=f'["127.0.0.1:{site.server_port}"]', **more)
    assert home.run() == 0, home.last_errors
    return home


NAMES = ("127.0.0.1", "localhost", "0x7f.1")
"""Names of the private host: an address, a name, and an address in disguise."""


@pytest.fixture(params=NAMES if IS_FULL else NAMES[2:])
def private(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("private", NAMES)
def test_pages_lead_to_no_private_host(make_home: Make, private: str) -> None:
    with OddServer({"*": page(words("secret"))}) as secret:
        host = f"{private}:{secret.server_port}"
        refresh = f'<meta http-equiv="refresh" content="0; url=http://{host}/refresh">'
        canonical = f'<link rel="canonical" href="http://{host}/canonical">'
        links = (f"http://{host}/report.pdf", "/refresh", "/canonical", "/hop1", "/embedded")
        pages = {
            "/": page(words("home"), links=links),
            "/refresh": page("", head=refresh),
            "/canonical": page(words("own"), head=canonical),
            "/embedded": page(words("frame") + f'<iframe src="http://{host}/frame"></iframe>'),
            "/hop1": to("/hop2"),
            "/hop2": to("/hop3"),
            "/hop3": to(f"http://{host}/last"),
        }
        with OddServer(pages) as site:
            home = crawl(make_home, site, urls=[f"{site.url}/", f"http://{host}/start"])
        assert secret.requests == {}
    rows = home.rows()
    assert {path: rows[path].state for path in ("/refresh", "/hop1", "/hop2", "/hop3")} == dict.fromkeys(
        ("/refresh", "/hop1", "/hop2", "/hop3"), UrlState.REDIRECTED
    )
    beyond = {row.url: row for row in rows.values() if str(secret.server_port) in row.url}
    assert {url.rpartition("/")[2] for url in beyond} == {
        "report.pdf", "refresh", "canonical", "frame", "last", "start",
    }  # fmt: skip
    for row in beyond.values():
        assert (row.state, row.reason, row.requests) == (UrlState.FAILED, UrlReason.PRIVATE_ADDRESS, 0)
        assert "crawl.allowed_hosts" in row.detail
    assert rows["/canonical"].state is UrlState.KEPT  # whose canonical address gives no page


def test_a_robots_txt_that_redirects_there_is_not_followed_and_forbids(make_home: Make, private: str) -> None:
    with OddServer({"*": text("User-agent: *\nAllow: /")}) as secret:
        away = f"http://{private}:{secret.server_port}/robots.txt"
        with OddServer({"/robots.txt": to(away), "/": page(words("home"))}) as site:
            home = crawl(make_home, site)
            assert site.requests["/"] == 0
        assert secret.requests == {}
    (row,) = home.rows().values()
    assert (row.state, row.reason) == (UrlState.FAILED, UrlReason.PRIVATE_ADDRESS)
    assert f"robots.txt of 127.0.0.1:{site.server_port} redirects to " in row.detail
    assert "crawl.allowed_hosts" in row.detail


def test_a_sitemap_there_is_not_read_whoever_names_it(make_home: Make, private: str) -> None:
    with OddServer({"*": text("<urlset></urlset>")}) as secret:
        host = f"http://{private}:{secret.server_port}"
        index = (
            '<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
            f"<sitemap><loc>{host}/below.xml</loc></sitemap></sitemapindex>"
        )
        pages: dict[str, Page] = {"/": page(words("home"))}
        with OddServer(pages) as site:
            named = (
                f"Sitemap: {host}/named.xml\nSitemap: {site.url}/index.xml\nSitemap: {site.url}/moved.xml\n"
            )
            site.pages["/robots.txt"] = text(named)
            site.pages["/index.xml"] = lambda handler: handler.give(index, "application/xml")
            site.pages["/moved.xml"] = to(f"{host}/moved.xml")
            home = crawl(make_home, site, depth=1)
        assert secret.requests == {}
    rows = home.rows()
    assert rows["/"].state is UrlState.KEPT
    beyond = [row for row in rows.values() if str(secret.server_port) in row.url]
    assert {row.url.rpartition("/")[2] for row in beyond} >= {"named.xml", "below.xml", "moved.xml"}
    assert {row.state for row in beyond} <= {UrlState.FAILED, UrlState.SKIPPED}
    assert sum(row.requests for row in beyond) == 0
