"""The real process over a site on loopback that answers in every way that it should not."""

from __future__ import annotations

import gzip
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.domain.crawl.ledger import UrlReason, UrlRow, UrlState
from tests.support.crawling import CrawlHome
from tests.support.odd_site import HTML, OddHandler, OddServer, Page, page, words

PDF = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n"
LATIN = f"<html><body><main><p>Größe façade {words('latin')}</p></main></body></html>".encode("latin-1")


def _bomb(handler: OddHandler) -> None:
    packer = zlib.compressobj(9, wbits=31)
    body = b"".join(packer.compress(b"\0" * 1_000_000) for _ in range(60)) + packer.flush()
    handler.give(body, Content_Encoding="gzip")


def _slow(handler: OddHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n")
    for _ in range(100):
        handler.wfile.write(b"<")
        handler.wfile.flush()
        if handler.server.ending.wait(0.1):
            return


def _endless(handler: OddHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n")
    handler.close_connection = True
    while not handler.server.ending.is_set():
        handler.wfile.write(b"x" * 65_536)


def _gigabyte(handler: OddHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", HTML)
    handler.send_header("Content-Length", str(1 << 30))
    handler.end_headers()
    handler.close_connection = True
    handler.server.ending.wait(0.2)


def _cut(handler: OddHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n<p>Half")
    handler.close_connection = True


def _junk(handler: OddHandler) -> None:
    handler.wfile.write(b"This is no answer.\r\n\r\n")
    handler.close_connection = True


def _busy(handler: OddHandler) -> None:
    if handler.server.requests["/busy"] < 3:
        handler.give("Later.", status=429, Retry_After="1")
    else:
        page(words("busy"))(handler)


def _redirect(target: str, status: int = 302) -> Page:
    return lambda handler: handler.give("", status=status, Location=target)


ROBOTS = "User-agent: *\nDisallow: /private/\nSitemap: /sitemap.xml\n"
SITEMAP = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>{}/only-in-sitemap</loc></url></urlset>"""
LINKS = (
    *("/bomb", "/slow", "/endless", "/gigabyte", "/cut", "/busy", "/broken", "/loop", "/chain0", "/latin"),
    *("/pdf", "/missing", "/soft", "/login", "/consent", "/scripts", "/parked", "/empty", "/private/x"),
    *("/noindex", "/nofollow", "/canonical", "/refresh", "/based/", "/image", "/zip", "/gone-gzip", "/twin"),
    *(
        "/junk",
        "/always-busy",
        "/moved",
        "mailto:a@b.example",
        "ftp://a.example/x",
        "javascript:go()",
        "/half-gzip",
    ),
    *(
        "http://10.0.0.1/x",
        "http://other.example/",
        "/a?utm_source=x&b=1#part",
        "/deep",
        "/away",
        "/long?" + "x" * 2_100,
    ),
)


def _pages() -> dict[str, Page]:
    shell = '<script src="/app.js"></script>'
    pages: dict[str, Page] = {
        "/robots.txt": lambda handler: handler.give(ROBOTS, "text/plain"),
        "/sitemap.xml": lambda handler: handler.give(SITEMAP.format(handler.server.url), "application/xml"),
        "/only-in-sitemap": page(words("sitemap")),
        "/": page(words("home"), links=LINKS),
        "/bomb": _bomb,
        "/slow": _slow,
        "/endless": _endless,
        "/gigabyte": _gigabyte,
        "/cut": _cut,
        "/junk": _junk,
        "/busy": _busy,
        "/always-busy": lambda handler: handler.give("Later.", status=429, Retry_After="1"),
        "/broken": lambda handler: handler.give("Broken.", status=500),
        "/loop": _redirect("/loop2"),
        "/loop2": _redirect("/loop"),
        "/latin": lambda handler: handler.give(LATIN, "text/html; charset=utf-8"),
        "/pdf": lambda handler: handler.give(PDF, "text/html"),
        "/soft": page("Sorry, this page was not found.", "<title>Page not found</title>"),
        "/login": lambda handler: handler.give(
            "<title>Log in</title><form>Name <input> <input type=password><p>Please log in.</p></form>"
        ),
        "/consent": page("Before you continue: we use cookies. Accept all or reject all.", shell),
        "/scripts": lambda handler: handler.give(f"<html><body><div id=app></div>{shell}</body></html>"),
        "/parked": page("This domain is for sale. Buy this domain."),
        "/empty": lambda handler: handler.give("<html><body></body></html>"),
        "/private/x": page(words("private")),
        "/noindex": page(words("noindex"), '<meta name="robots" content="noindex">', ("/from-noindex",)),
        "/nofollow": page(words("nofollow"), '<meta name="robots" content="nofollow">', ("/from-nofollow",)),
        "/from-noindex": page(words("fromnoindex")),
        "/canonical": page(words("canon"), '<link rel="canonical" href="/original">'),
        "/original": page(words("original")),
        "/refresh": page("Go on.", '<meta http-equiv="refresh" content="2; url=/refreshed">'),
        "/refreshed": page(words("refreshed")),
        "/based/": page(words("based"), '<base href="/elsewhere/">', ("page",)),
        "/elsewhere/page": page(words("elsewhere")),
        "/image": lambda handler: handler.give(b"\x89PNG\r\n\x1a\n" + b"x" * 100, "image/png"),
        "/zip": lambda handler: handler.give(b"PK\x05\x06" + b"\0" * 18, "application/octet-stream"),
        "/gone-gzip": lambda handler: handler.give(b"\x1f\x8bnothing", Content_Encoding="gzip"),
        "/half-gzip": lambda handler: handler.give(
            gzip.compress(words("half").encode())[:-20], Content_Encoding="gzip"
        ),
        "/twin": page(words("home"), links=LINKS),
        "/moved": _redirect("/target?gclid=1", 301),
        "/target": page(words("target")),
        "/away": _redirect("http://169.254.169.254/latest/"),
        "/a?b=1": page(words("plain")),
        "/deep": page(words("deep"), links=("/deeper",)),
        "/deeper": page(words("deeper")),
    }
    pages |= {f"/chain{number}": _redirect(f"/chain{number + 1}") for number in range(15)}
    return pages


@dataclass
class Crawled:
    rows: dict[str, UrlRow]
    home: CrawlHome
    site: OddServer
    code: int
    seconds: float

    def state(self, path: str) -> tuple[UrlState, UrlReason]:
        return self.rows[path].state, self.rows[path].reason


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    with OddServer(_pages()) as site:
        home = CrawlHome.make(
            tmp_path_factory.mktemp("odd"),
            site.url,
            depth=2,
            timeout_s=2,
            environ={"GROUNDWORK_CRAWL__MAX_BODY_MB": "5"},
        )
        begun = time.monotonic()
        code = home.run()
        yield Crawled(home.rows(), home, site, code, time.monotonic() - begun)
        home.close()


def test_the_crawl_ends_and_nothing_stays_open(crawled: Crawled) -> None:
    assert crawled.code == 0, crawled.home.last_errors
    assert crawled.home.last_errors == ""
    assert [row.url for row in crawled.rows.values() if row.state.is_open] == []
    assert all(row.run == 1 for row in crawled.rows.values())


FAILED, SKIPPED, KEPT = UrlState.FAILED, UrlState.SKIPPED, UrlState.KEPT


@pytest.mark.parametrize(
    ("path", "state", "reason"),
    [
        ("/", KEPT, UrlReason.NONE),
        ("/bomb", FAILED, UrlReason.TOO_LARGE),
        ("/slow", FAILED, UrlReason.TIMEOUT),
        ("/endless", FAILED, UrlReason.TOO_LARGE),
        ("/gigabyte", FAILED, UrlReason.TOO_LARGE),
        ("/cut", FAILED, UrlReason.DAMAGED),
        ("/junk", FAILED, UrlReason.UNREACHABLE),
        ("/gone-gzip", FAILED, UrlReason.DAMAGED),
        ("/half-gzip", FAILED, UrlReason.DAMAGED),
        ("/busy", KEPT, UrlReason.NONE),
        ("/always-busy", FAILED, UrlReason.HTTP_ERROR),
        ("/broken", FAILED, UrlReason.HTTP_ERROR),
        ("/missing", FAILED, UrlReason.HTTP_ERROR),
        ("/loop", FAILED, UrlReason.REDIRECT_LOOP),
        ("/loop2", FAILED, UrlReason.REDIRECT_LOOP),
        ("/chain0", UrlState.REDIRECTED, UrlReason.NONE),
        ("/chain10", FAILED, UrlReason.REDIRECT_LOOP),
        ("/latin", KEPT, UrlReason.NONE),
        ("/pdf", KEPT, UrlReason.NONE),
        ("/soft", FAILED, UrlReason.SOFT_404),
        ("/login", FAILED, UrlReason.LOGIN_WALL),
        ("/consent", FAILED, UrlReason.CONSENT_WALL),
        ("/scripts", FAILED, UrlReason.NEEDS_SCRIPTS),
        ("/parked", FAILED, UrlReason.PARKED),
        ("/empty", FAILED, UrlReason.EMPTY),
        ("/private/x", SKIPPED, UrlReason.ROBOTS),
        ("/noindex", SKIPPED, UrlReason.NOINDEX),
        ("/from-noindex", KEPT, UrlReason.NONE),
        ("/nofollow", KEPT, UrlReason.NONE),
        ("/from-nofollow", SKIPPED, UrlReason.NOFOLLOW),
        ("/canonical", UrlState.DUPLICATE, UrlReason.CANONICAL),
        ("/original", KEPT, UrlReason.NONE),
        ("/refresh", UrlState.REDIRECTED, UrlReason.NONE),
        ("/refreshed", KEPT, UrlReason.NONE),
        ("/elsewhere/page", KEPT, UrlReason.NONE),
        ("/image", SKIPPED, UrlReason.MEDIA_TYPE),
        ("/zip", SKIPPED, UrlReason.MEDIA_TYPE),
        ("/twin", UrlState.DUPLICATE, UrlReason.SAME_CONTENT),
        ("/moved", UrlState.REDIRECTED, UrlReason.NONE),
        ("/target", KEPT, UrlReason.NONE),
        ("/away", UrlState.REDIRECTED, UrlReason.NONE),
        ("http://169.254.169.254/latest/", SKIPPED, UrlReason.OTHER_HOST),
        ("http://10.0.0.1/x", SKIPPED, UrlReason.OTHER_HOST),
        ("http://other.example/", SKIPPED, UrlReason.OTHER_HOST),
        ("mailto:a@b.example", SKIPPED, UrlReason.SCHEME),
        ("ftp://a.example/x", SKIPPED, UrlReason.SCHEME),
        ("/a?b=1", KEPT, UrlReason.NONE),
        ("/sitemap.xml", SKIPPED, UrlReason.SITEMAP),
        ("/only-in-sitemap", KEPT, UrlReason.NONE),
        ("/deeper", KEPT, UrlReason.NONE),
    ],
)
def test_each_oddity_ends_in_a_row_with_its_reason(
    crawled: Crawled, path: str, state: UrlState, reason: UrlReason
) -> None:
    assert crawled.state(path) == (state, reason), crawled.rows[path].detail


def test_an_address_that_is_too_long_is_cut_for_its_row(crawled: Crawled) -> None:
    (row,) = [row for row in crawled.rows.values() if row.reason is UrlReason.TOO_LONG]

    assert (len(row.url), row.state) == (2_000, SKIPPED)


def test_every_failure_says_what_happened(crawled: Crawled) -> None:
    assert [row.url for row in crawled.rows.values() if row.state is FAILED and not row.detail] == []


def test_a_slow_server_is_given_its_time_for_the_whole_answer_and_not_for_each_byte(crawled: Crawled) -> None:
    assert crawled.site.requests["/slow"] == 3
    assert crawled.seconds < 60


def test_a_site_that_asks_to_wait_is_asked_three_times_at_most(crawled: Crawled) -> None:
    assert crawled.site.requests["/always-busy"] == crawled.site.requests["/busy"] == 3
    assert crawled.rows["/busy"].requests == 3


def test_what_robots_txt_forbids_is_never_requested(crawled: Crawled) -> None:
    assert crawled.site.requests["/private/x"] == 0
    assert crawled.rows["/private/x"].requests == 0
    assert "robots.txt" in crawled.rows["/private/x"].detail


def test_a_page_of_another_charset_is_kept_as_utf8_with_a_mark(crawled: Crawled) -> None:
    row = crawled.rows["/latin"]
    data = crawled.home.records.blobs.path(row.content_hash).read_bytes()

    assert data.startswith(b"\xef\xbb\xbf")
    assert "Größe façade" in data.decode("utf-8-sig")


def test_a_pdf_that_is_served_as_a_page_is_kept_as_a_pdf(crawled: Crawled) -> None:
    row = crawled.rows["/pdf"]

    assert row.media_type == "application/pdf"
    assert crawled.home.records.blobs.path(row.content_hash).read_bytes() == PDF


def test_a_body_of_another_kind_is_not_loaded(crawled: Crawled) -> None:
    assert crawled.rows["/image"].media_type == "image/png"
    assert crawled.rows["/image"].size_bytes == 0


def test_the_chart_has_a_last_point_with_the_counts_of_the_end(crawled: Crawled) -> None:
    (run,) = crawled.home.records.crawls.runs(crawled.home.crawl)
    failed = sum(row.state is FAILED for row in crawled.rows.values())

    assert (run.samples[-1].queued, run.samples[-1].failed) == (0, failed)


def test_only_what_is_kept_is_asked_for_again_with_its_date(tmp_path: Path) -> None:
    def dated(handler: OddHandler) -> None:
        if handler.headers.get("If-None-Match") == '"v1"':
            handler.send_response(304)
            handler.send_header("ETag", '"v1"')
            handler.end_headers()
        else:
            handler.give(
                f"<html><body><main>{words('dated')}<a href='/b'>b</a></main></body></html>", ETag='"v1"'
            )

    with OddServer({"/": dated, "/b": page(words("b"))}) as site:
        home = CrawlHome.make(tmp_path, site.url)
        assert home.run() == 0, home.last_errors
        first = home.rows()
        assert home.run() == 0, home.last_errors
        rows = home.rows()
        asked = site.headers_of["/"]
        home.close()

    assert asked["If-None-Match"] == '"v1"'
    assert (rows["/"].status, rows["/"].change.value, rows["/"].state) == (304, "unchanged", KEPT)
    assert rows["/"].content_hash == first["/"].content_hash
    assert (rows["/"].media_type, rows["/"].size_bytes) == ("text/html", first["/"].size_bytes)
    assert (rows["/b"].run, rows["/b"].state, rows["/b"].change.value) == (2, KEPT, "unchanged")
