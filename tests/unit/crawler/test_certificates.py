"""Hosts whose certificate does not prove who they are, over real TLS on loopback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain.crawl.ledger import UrlReason, UrlState
from tests.support.certificates import Authority
from tests.support.crawling import CrawlHome
from tests.support.odd_site import OddServer, page, words

Make = Callable[..., CrawlHome]


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


def test_each_bad_certificate_is_a_row_with_its_reason_and_the_crawl_goes_on(
    make_home: Make, authority: Authority
) -> None:
    pages = {"/": page(words("secure"))}
    good = OddServer({"/": page(words("good"))}, authority.context("127.0.0.1"))
    expired = OddServer(pages, authority.context("127.0.0.1", days=-3))
    other = OddServer(pages, authority.context("other.example"))
    own = OddServer(pages, authority.context("127.0.0.1", is_self_signed=True))
    with good, expired, other, own, OddServer({"/": page(words("plain"))}) as plain:
        starts = [f"{server.url}/" for server in (expired, other, own, good, plain)]
        environ = {"SSL_CERT_FILE": str(authority.file)}
        home = make_home(starts[0], urls=starts, timeout_s=5, environ=environ)
        assert home.run() == 0, home.last_errors
        assert sum((expired.requests + other.requests + own.requests).values()) == 0
        assert good.requests["/"] == plain.requests["/"] == 1
    rows = {row.url: row for row in home.rows().values()}
    said = {url: rows[url].detail for url in starts[:3]}
    assert {rows[url].reason for url in starts[:3]} == {UrlReason.CERTIFICATE}
    assert {rows[url].state for url in starts[3:]} == {UrlState.KEPT}
    assert said[starts[0]] == "Its certificate has expired."
    assert said[starts[1]] == "Its certificate is for another host."
    assert said[starts[2]] == "Its certificate is signed by nobody that is trusted, or by itself."
    assert {rows[url].requests for url in starts[:3]} <= {0, 1}
