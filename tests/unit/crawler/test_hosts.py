from __future__ import annotations

import asyncio
from collections.abc import Callable

from core.domain.crawl.addresses import Address, address_of
from core.domain.crawl.ledger import UrlReason
from core.ingest.parse.base import ParseLimits
from crawler.failures import RequestFailure
from crawler.hosts import HostRules, MissingPages
from crawler.robots import RobotsRules
from crawler.settlement import HttpAnswer

FORBIDDING = b"User-agent: *\nDisallow: /"
TIMEOUT = RequestFailure(UrlReason.TIMEOUT, "Late.", True)


class GivenRequests:
    """Answers each request with the next of what was given."""

    def __init__(self, *answers: HttpAnswer | RequestFailure) -> None:
        self._answers = list(answers)
        self.urls: list[str] = []

    async def fetch(self, url: str, *, most_bytes: int, most_hops: int = 5) -> HttpAnswer | RequestFailure:
        self.urls.append(url)
        await asyncio.sleep(0)
        return self._answers.pop(0)


async def no_pause(seconds: float) -> None:
    return None


def at(url: str) -> Address:
    address = address_of(url)
    assert address is not None
    return address


def rules_of(requests: GivenRequests, now: Callable[[], float] = lambda: 0.0) -> HostRules:
    return HostRules(requests, now, no_pause)  # type: ignore[arg-type]


def test_a_host_is_asked_once_for_its_rules_however_many_want_them() -> None:
    requests = GivenRequests(HttpAnswer("", 200, {}, FORBIDDING), HttpAnswer("", 404))
    rules = rules_of(requests)

    async def ask() -> list[RobotsRules | RequestFailure]:
        pages = [at(f"http://a.example/{number}") for number in range(4)]
        return await asyncio.gather(*(rules.of(page) for page in pages), rules.of(at("https://a.example/")))

    given = asyncio.run(ask())
    assert requests.urls == ["http://a.example/robots.txt", "https://a.example/robots.txt"]
    assert isinstance(given[0], RobotsRules)
    assert given[0].forbids("http://a.example/1", "Bot") != ""


def test_a_host_that_fails_is_asked_three_times_and_again_after_a_while() -> None:
    clock = [0.0]
    requests = GivenRequests(TIMEOUT, TIMEOUT, TIMEOUT, HttpAnswer("", 404))
    rules = rules_of(requests, lambda: clock[0])

    async def ask() -> list[RobotsRules | RequestFailure]:
        first = await rules.of(at("http://a.example/"))
        second = await rules.of(at("http://a.example/"))
        clock[0] = 1_000.0
        return [first, second, await rules.of(at("http://a.example/"))]

    given = asyncio.run(ask())
    assert given[:2] == [TIMEOUT, TIMEOUT]
    assert isinstance(given[2], RobotsRules)
    assert len(requests.urls) == 4


def test_a_failing_server_forbids_and_a_circle_of_redirects_allows() -> None:
    failing = GivenRequests(*(HttpAnswer("", 503) for _ in range(3)))
    circle = GivenRequests(RequestFailure(UrlReason.REDIRECT_LOOP, "Round.", False))

    refused = asyncio.run(_ask(rules_of(failing)))
    allowed = asyncio.run(_ask(rules_of(circle)))
    assert isinstance(refused, RobotsRules)
    assert isinstance(allowed, RobotsRules)
    assert (bool(refused.refusal), bool(allowed.refusal)) == (True, False)


def test_a_missing_page_is_asked_for_once_and_only_its_words_with_status_200_count() -> None:
    page = HttpAnswer("", 200, {"content-type": ["text/html"]}, b"<p>Nothing here, go away.")
    requests = GivenRequests(page, HttpAnswer("", 404, {}, b"<p>Nothing"))
    missing = MissingPages(requests, ParseLimits())  # type: ignore[arg-type]

    async def ask() -> list[tuple[str, ...]]:
        return [
            await missing.words("http://a/1"),
            await missing.words("http://a/1"),
            await missing.words("http://a/2"),
        ]

    assert asyncio.run(ask()) == [("nothing", "here", "go", "away")] * 2 + [()]
    assert requests.urls == ["http://a/1", "http://a/2"]


def test_a_missing_address_lies_beside_the_page_and_ends_like_it() -> None:
    missing = MissingPages(GivenRequests(), ParseLimits())  # type: ignore[arg-type]
    first, second, other = (
        missing.address_beside(at(f"http://a.example/{path}")) for path in ("d/x.html?q=1", "d/y.html", "d/z")
    )

    assert first == second
    assert first.startswith("http://a.example/d/no-such-page-")
    assert first.endswith(".html")
    assert other == first.removesuffix(".html")


async def _ask(rules: HostRules) -> RobotsRules | RequestFailure:
    return await rules.of(at("http://a.example/"))
