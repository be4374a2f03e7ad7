from __future__ import annotations

import asyncio

import pytest
from pydantic import SecretStr
from scrapy import Request
from scrapy.exceptions import CannotResolveHostError
from scrapy.http import Response

from core.domain.crawl.addresses import Address, address_of
from core.domain.crawl.ledger import UrlReason, UrlRow, UrlState
from core.domain.crawl.private_hosts import HostGuard
from crawler.failures import RequestFailure
from crawler.requests import RequestMaker, SideRequests
from crawler.resolver import ConnectionGuard
from crawler.settlement import HttpAnswer

MAKER = RequestMaker(
    "Bot/1",
    9.0,
    {"a.example": SecretStr("ann:pw"), "b.example:8080": SecretStr("bob:pw")},
)


def at(url: str) -> Address:
    address = address_of(url)
    assert address is not None
    return address


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("http://a.example/", b"Basic YW5uOnB3"),
        ("http://a.example:81/", b"Basic YW5uOnB3"),
        ("http://www.a.example/", None),
        ("http://b.example:8080/", b"Basic Ym9iOnB3"),
        ("http://b.example/", None),
    ],
)
def test_credentials_are_sent_to_their_host_alone(url: str, sent: bytes | None) -> None:
    assert MAKER.make(at(url)).headers.get("Authorization") == sent


def test_a_conditional_request_names_what_is_known() -> None:
    row = UrlRow("http://a.example/", "a.example", 0, UrlState.QUEUED, etag='"1"', last_modified="Mon")

    headers = MAKER.make(at(row.url), row, is_conditional=True).headers
    assert (headers["If-None-Match"], headers["If-Modified-Since"]) == (b'"1"', b"Mon")
    assert "If-None-Match" not in MAKER.make(at(row.url), row).headers


def test_a_request_has_a_slot_for_its_host_and_port_and_a_limit_of_time() -> None:
    request = MAKER.make(at("http://b.example:8080/x"), most_bytes=10)

    assert request.url == "http://b.example:8080/x"
    assert (request.meta["download_slot"], request.meta["download_timeout"]) == ("b.example:8080", 9.0)
    assert request.meta["download_maxsize"] == 10


def side(*answers: Response | Exception) -> tuple[SideRequests, list[str]]:
    urls: list[str] = []
    left = list(answers)

    async def download(request: Request) -> Response:
        urls.append(request.url)
        given = left.pop(0)
        if isinstance(given, Exception):
            raise given
        return given.replace(url=request.url, request=request)

    return SideRequests(MAKER, ConnectionGuard(HostGuard()), download), urls


def leads(target: str) -> Response:
    return Response("http://x/", 302, {"Location": target})


def fetch(requests: SideRequests) -> HttpAnswer | RequestFailure:
    return asyncio.run(requests.fetch("http://a.example/robots.txt", most_bytes=10))


def test_redirects_are_followed_to_an_answer() -> None:
    requests, urls = side(leads("/r"), leads("//c.example/"), Response("http://x/", 200, body=b"ok"))

    answer = fetch(requests)
    assert isinstance(answer, HttpAnswer)
    assert answer.body == b"ok"
    assert urls == ["http://a.example/robots.txt", "http://a.example/r", "http://c.example/"]


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([leads("http://127.1/")], UrlReason.PRIVATE_ADDRESS),
        ([leads("file:///etc/passwd")], UrlReason.HTTP_ERROR),
        (
            [leads("/a"), leads("/b"), leads("/a"), leads("/b"), leads("/a"), leads("/b")],
            UrlReason.REDIRECT_LOOP,
        ),
        ([CannotResolveHostError("x")], UrlReason.UNKNOWN_HOST),
    ],
)
def test_what_leads_nowhere_is_a_failure(answers: list[Response | Exception], reason: UrlReason) -> None:
    requests, _ = side(*answers)

    failure = fetch(requests)
    assert isinstance(failure, RequestFailure)
    assert failure.reason is reason
