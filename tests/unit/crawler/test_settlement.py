from __future__ import annotations

import gzip
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.domain.crawl.ledger import UrlReason, UrlRow, UrlState
from core.domain.crawl.outcome import UrlOutcome
from core.domain.crawl.request import CrawlRequest
from core.domain.crawl.scope import CrawlScope
from core.ingest.parse.base import ParseLimits
from crawler.failures import RequestFailure
from crawler.settlement import HttpAnswer, Settlement, file_name, retry_after_s

NOW = datetime(2026, 1, 1, tzinfo=UTC)
URL = "http://site.example/a"
ROW = UrlRow(URL, "site.example", 1, UrlState.FETCHING, requests=1)
LONG = " ".join(f"word{number}" for number in range(150))


def make(**request: object) -> Settlement:
    wanted = CrawlRequest.checked(**{"urls": ["http://site.example/"], **request})
    return Settlement(wanted, CrawlScope(wanted), ParseLimits(), max_body_bytes=1_000_000)


def answer(body: str | bytes = "", status: int = 200, **headers: str) -> HttpAnswer:
    given = {name.replace("_", "-"): [value] for name, value in headers.items()}
    given.setdefault("content-type", ["text/html"])
    return HttpAnswer(URL, status, given, body.encode() if isinstance(body, str) else body)


def settle(given: HttpAnswer, row: UrlRow = ROW, **request: object) -> UrlOutcome:
    return make(**request).settle(row, given, NOW).outcome


def test_a_page_is_kept_with_what_it_takes_to_ask_for_it_again() -> None:
    outcome = settle(answer(f"<title>T</title><p>{LONG}<a href=/b>b</a>", etag='"1"', last_modified="Mon"))

    assert (outcome.state, outcome.title, outcome.etag, outcome.last_modified) == (
        UrlState.KEPT,
        "T",
        '"1"',
        "Mon",
    )
    assert [(found.url, found.state) for found in outcome.found] == [
        ("http://site.example/b", UrlState.QUEUED)
    ]


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (400, "http_error"),
        (401, "http_error"),
        (404, "http_error"),
        (410, "http_error"),
        (204, "empty"),
        (206, "http_error"),
        (304, "http_error"),
        (300, "http_error"),
    ],
)
def test_statuses_without_a_page_fail(status: int, reason: str) -> None:
    outcome = settle(answer("<p>x", status))

    assert (outcome.state, outcome.reason, outcome.status) == (UrlState.FAILED, reason, status)


def test_a_redirect_is_a_row_that_leads_to_the_normal_form_of_its_target() -> None:
    outcome = settle(answer(status=301, location="/b?utm_source=x#y"), replace(ROW, hops=3))

    assert (outcome.state, outcome.leads_to) == (UrlState.REDIRECTED, "http://site.example/b")
    (found,) = outcome.found
    assert (found.is_same_depth, found.hops, found.is_base) == (True, 4, False)


@pytest.mark.parametrize(
    ("location", "hops", "reason"),
    [
        ("/a", 0, UrlReason.REDIRECT_LOOP),
        ("/a;jsessionid=1", 0, UrlReason.REDIRECT_LOOP),
        ("/b", 10, UrlReason.REDIRECT_LOOP),
        ("javascript:x", 0, UrlReason.HTTP_ERROR),
    ],
)
def test_redirects_that_lead_nowhere_fail(location: str, hops: int, reason: UrlReason) -> None:
    outcome = settle(answer(status=302, location=location), replace(ROW, hops=hops))

    assert (outcome.state, outcome.reason) == (UrlState.FAILED, reason)
    assert outcome.detail


def test_only_a_start_address_takes_the_site_that_it_redirects_to_into_the_crawl() -> None:
    given = answer(status=302, location="https://other.example/home")
    settlement = make()
    start = settlement.settle(replace(ROW, depth=0), given, NOW).outcome.found[0]
    later = settle(given).found[0]

    assert (start.state, start.is_base) == (UrlState.QUEUED, True)
    assert (later.state, later.reason, later.is_base) == (UrlState.SKIPPED, UrlReason.OTHER_HOST, False)
    inside = settlement.settle(ROW, answer(f"<p>{LONG}<a href=https://other.example/x>x"), NOW).outcome.found[
        0
    ]
    assert inside.state is UrlState.QUEUED


@pytest.mark.parametrize(
    ("status", "retry_after", "wait_s"),
    [
        (429, "7", 7),
        (503, "7", 7),
        (429, "", 5),
        (429, "9999", 120),
        (500, "", 1),
        (502, "", 1),
        (503, "", 1),
    ],
)
def test_a_site_that_cannot_now_is_asked_again_later(status: int, retry_after: str, wait_s: int) -> None:
    outcome = settle(answer(status=status, retry_after=retry_after))

    assert (outcome.state, outcome.wait_until) == (UrlState.QUEUED, NOW + timedelta(seconds=wait_s))


def test_nobody_is_asked_more_than_three_times_or_waited_for_longer_than_two_minutes() -> None:
    settlement = make()
    busy = answer(status=429, retry_after="100")
    first, second, third = (settlement.settle(replace(ROW, requests=n), busy, NOW).outcome for n in (1, 2, 3))

    assert first.wait_until == NOW + timedelta(seconds=100)
    assert second.wait_until == NOW + timedelta(seconds=20)
    assert (third.state, third.reason, third.status) == (UrlState.FAILED, UrlReason.HTTP_ERROR, 429)
    assert settle(answer(status=500), replace(ROW, requests=3)).state is UrlState.FAILED
    assert settle(answer(status=500), replace(ROW, requests=4, repeats=2)).state is UrlState.QUEUED


def test_failures_that_may_pass_are_tried_again_twice() -> None:
    passing = RequestFailure(UrlReason.TIMEOUT, "Late.", True)
    lasting = RequestFailure(UrlReason.CERTIFICATE, "Old.", False)
    settlement = make()

    states = [settlement.fail(replace(ROW, requests=n), passing, NOW).state for n in (1, 2, 3)]
    assert states == [UrlState.QUEUED, UrlState.QUEUED, UrlState.FAILED]
    assert settlement.fail(ROW, lasting, NOW).reason is UrlReason.CERTIFICATE


def test_a_refused_host_was_never_requested() -> None:
    outcome = make().fail(ROW, RequestFailure(UrlReason.PRIVATE_ADDRESS, "No.", False), NOW)

    assert (outcome.state, outcome.was_requested) == (UrlState.FAILED, False)


def test_packed_bodies_are_opened_and_bombs_and_damage_fail() -> None:
    good = gzip.compress(f"<p>{LONG}".encode())
    bomb = gzip.compress(b"\0" * 2_000_000)

    assert settle(answer(good, content_encoding="gzip")).state is UrlState.KEPT
    assert settle(answer(bomb, content_encoding="gzip")).reason is UrlReason.TOO_LARGE
    assert settle(answer(good[:-9], content_encoding="gzip")).reason is UrlReason.DAMAGED
    assert settle(answer(b"x" * 1_000_001)).reason is UrlReason.TOO_LARGE


def test_what_is_not_modified_is_read_from_what_was_stored() -> None:
    stored = f"<title>T</title><p>{LONG}<a href=/b>b</a>".encode()
    outcome = make().settle(replace(ROW, media_type="text/html"), HttpAnswer(URL, 304), NOW, stored).outcome

    assert (outcome.state, outcome.is_not_modified) == (UrlState.KEPT, True)
    assert [found.url for found in outcome.found] == ["http://site.example/b"]
    moved = (
        make()
        .settle(ROW, HttpAnswer(URL, 304), NOW, b"<!doctype html><link rel=canonical href=/c><p>x")
        .outcome
    )
    assert (moved.state, moved.leads_to) == (UrlState.DUPLICATE, "http://site.example/c")


def test_a_canonical_address_outside_of_the_crawl_does_not_make_a_duplicate() -> None:
    outcome = settle(answer(f'<link rel="canonical" href="http://other.example/x"><p>{LONG}'))

    assert (outcome.state, outcome.leads_to) == (UrlState.KEPT, "")
    assert outcome.found[-1].reason is UrlReason.OTHER_HOST


@pytest.mark.parametrize(
    ("request_", "reason"),
    [({}, UrlReason.NOFOLLOW), ({"ignore_robots_because": "It is our own site."}, UrlReason.NONE)],
)
def test_nofollow_holds_while_robots_are_heeded(request_: dict[str, object], reason: UrlReason) -> None:
    page = answer(f"<p>{LONG}<a href=/b>b</a>", x_robots_tag="nofollow")

    assert settle(page, **request_).found[0].reason is reason


@pytest.mark.parametrize(
    ("markup", "followed"),
    [
        ("<frameset><frame src=/b></frameset>", 1),
        ("<script>x</script><a href=/b></a>", 1),
        ("<title>404 Not found</title><p>x <a href=/b>b</a>", 0),
        ("<p>Buy this domain <a href=/b>b</a>", 0),
    ],
)
def test_addresses_on_walls_are_followed_and_on_error_pages_not(markup: str, followed: int) -> None:
    outcome = settle(answer(markup))

    assert (outcome.state, len(outcome.found)) == (UrlState.FAILED, followed)


def test_a_sitemap_is_read_for_its_addresses() -> None:
    body = (
        "<urlset><url><loc>http://site.example/b</loc></url><url><loc>http://x.example/</loc></url></urlset>"
    )
    outcome = settle(answer(body, content_type="text/xml"))

    assert (outcome.state, outcome.reason) == (UrlState.SKIPPED, UrlReason.SITEMAP)
    assert [found.reason for found in outcome.found] == [UrlReason.NONE, UrlReason.OTHER_HOST]
    assert settle(answer(body, content_type="text/xml"), use_sitemaps=False).found == ()
    index = "<sitemapindex><sitemap><loc>http://site.example/c.xml</loc></sitemap></sitemapindex>"
    assert settle(answer(index, content_type="text/xml")).found[0].is_same_depth


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        ("Thu, 01 Jan 2026 00:01:00 GMT", 60.0),
        ("Wed, 31 Dec 2025 00:00:00 GMT", 0.0),
        ("soon", None),
        ("", None),
        ("-1", None),
    ],
)
def test_a_time_to_wait_is_a_number_or_a_date(value: str, seconds: float | None) -> None:
    assert retry_after_s(value, NOW) == seconds


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ('attachment; filename="Price list.pdf"', "Price list.pdf"),
        ("attachment; filename=x.pdf; filename*=UTF-8''Preisliste%20%C3%84.pdf", "Preisliste Ä.pdf"),
        ("attachment; filename*=iso-8859-1'de'M%E4rz.pdf", "März.pdf"),
        ('attachment; filename="../../etc/pass wd.pdf"', "pass wd.pdf"),
        ('attachment; filename="März.pdf"'.encode().decode("latin-1"), "März.pdf"),
        ("attachment; filename*=no-such''%FF.pdf", None),
        ("inline", ""),
        ("", ""),
    ],
)
def test_a_download_is_called_as_its_server_calls_it(header: str, name: str | None) -> None:
    assert name is None or file_name(header) == name
    assert isinstance(file_name(header), str)


def test_the_name_of_a_download_is_its_title() -> None:
    given = answer(
        b"%PDF-1.4\nrest", content_type="application/pdf", content_disposition="attachment; filename=a.pdf"
    )
    outcome = settle(given, kinds=["pdf"])
    assert (outcome.state, outcome.title) == (UrlState.KEPT, "a.pdf")
