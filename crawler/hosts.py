"""Knowledge of each host: its robots.txt, and how it answers to addresses that do not exist."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from urllib.parse import urlsplit

from core.domain.crawl.addresses import Address
from core.domain.crawl.ledger import UrlReason
from core.ingest.parse.base import ParseLimits
from crawler.failures import RequestFailure
from crawler.links import HeaderHints
from crawler.pages import FetchedBody, judge_page
from crawler.requests import SideRequests
from crawler.robots import LARGEST_BYTES, RobotsRules, rules_of
from crawler.settlement import HttpAnswer
from crawler.unpack import DamagedError, TooLargeError, unpack

_TRIES = 3
_PAUSE_S = 1.0
_FORGOTTEN_S = 300.0
_LARGEST_PAGE_BYTES = 1_000_000
_LARGEST_RULES_BYTES = 4 * LARGEST_BYTES


class HostRules:
    """robots.txt by scheme, host and port, each fetched once; one that failed is tried again later."""

    def __init__(
        self,
        requests: SideRequests,
        now: Callable[[], float] = time.monotonic,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._requests = requests
        self._now = now
        self._pause = pause
        self._known: dict[str, asyncio.Task[RobotsRules | RequestFailure]] = {}
        self._failed_at: dict[str, float] = {}

    async def of(self, address: Address) -> RobotsRules | RequestFailure:
        """The rules for an address, or why its host could not be asked for them."""
        origin = f"{address.scheme}://{address.host}"
        failed_at = self._failed_at.get(origin)
        if origin not in self._known or (failed_at is not None and self._now() - failed_at > _FORGOTTEN_S):
            self._failed_at.pop(origin, None)
            self._known[origin] = asyncio.ensure_future(self._fetch(origin))
        return await self._known[origin]

    async def _fetch(self, origin: str) -> RobotsRules | RequestFailure:
        host = urlsplit(origin).netloc
        result: RobotsRules | RequestFailure = RobotsRules()
        for number in range(_TRIES):
            if number:
                await self._pause(_PAUSE_S * number)
            answer = await self._requests.fetch(f"{origin}/robots.txt", most_bytes=_LARGEST_RULES_BYTES)
            if isinstance(answer, HttpAnswer):
                result = rules_of(answer.status, _body(answer, _LARGEST_RULES_BYTES), host)
                if not result.refusal:
                    return result
            elif answer.reason in (UrlReason.REDIRECT_LOOP, UrlReason.TOO_LARGE, UrlReason.HTTP_ERROR):
                return RobotsRules()  # unavailable, not unreachable (RFC 9309, section 2.3.1.2)
            else:
                result = answer
                if answer.url:
                    said = f"robots.txt of {host} redirects to {answer.url}: {answer.detail}"
                    result = replace(answer, detail=said)
                if not answer.is_passing:
                    break
        self._failed_at[origin] = self._now()
        return result


class MissingPages:
    """The words with which a host answers to an address that does not exist, by folder and kind of name.

    Asked once each, and only when a page looks as if it could be such an answer.
    """

    def __init__(self, requests: SideRequests, limits: ParseLimits) -> None:
        self._requests = requests
        self._limits = limits
        self._known: dict[str, asyncio.Task[tuple[str, ...]]] = {}

    def address_beside(self, address: Address) -> str:
        """An address in the same folder, with the same ending, that surely does not exist."""
        path = address.path.partition("?")[0]
        folder, _, name = path.rpartition("/")
        ending = f".{name.rpartition('.')[2]}" if "." in name else ""
        token = hashlib.sha256(f"{address.host}{folder}".encode()).hexdigest()[:12]
        return f"{address.scheme}://{address.host}{folder}/no-such-page-{token}{ending}"

    async def words(self, url: str) -> tuple[str, ...]:
        """The words of the answer to a missing address; () where the host says that it is missing."""
        if url not in self._known:
            self._known[url] = asyncio.ensure_future(self._fetch(url))
        return await self._known[url]

    async def _fetch(self, url: str) -> tuple[str, ...]:
        answer = await self._requests.fetch(url, most_bytes=_LARGEST_PAGE_BYTES, most_hops=0)
        if not isinstance(answer, HttpAnswer) or answer.status != 200:
            return ()
        body = FetchedBody(
            url, _body(answer, _LARGEST_PAGE_BYTES), answer.header("content-type"), HeaderHints()
        )
        judged = await asyncio.to_thread(judge_page, body, (), self._limits)
        return judged.words or ()


def _body(answer: HttpAnswer, most_bytes: int) -> bytes:
    try:
        return unpack(answer.body, answer.header("content-encoding"), most_bytes)
    except (TooLargeError, DamagedError):
        return b""
