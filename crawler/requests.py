"""Requests of a crawl: their headers, and those beside the frontier (robots.txt, a missing address)."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import SecretStr
from scrapy import Request
from scrapy.http import Response

from core.domain.crawl.addresses import Address, address_of
from core.domain.crawl.ledger import UrlReason, UrlRow
from crawler.failures import RequestFailure, explained, failure_of
from crawler.resolver import ConnectionGuard
from crawler.settlement import HttpAnswer
from crawler.unpack import ACCEPTED

_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,application/pdf;q=0.9,*/*;q=0.8"
STOPPED = "groundwork_stopped"


class RequestMaker:
    """Makes requests. credentials: `user:password` by host, with or without port; sent to that host alone."""

    def __init__(self, agent: str, timeout_s: float, credentials: Mapping[str, SecretStr]) -> None:
        self._agent = agent
        self._timeout_s = timeout_s
        self._credentials = credentials

    def make(
        self,
        address: Address,
        row: UrlRow | None = None,
        *,
        callback: Callable[[Response], Any] | None = None,
        errback: Callable[[Any], Any] | None = None,
        is_conditional: bool = False,
        most_bytes: int | None = None,
    ) -> Request:
        """A GET of an address. is_conditional: only if it changed since the row was fetched."""
        headers = {
            "User-Agent": self._agent,
            "Accept": _ACCEPT,
            "Accept-Language": "en,*;q=0.5",
            "Accept-Encoding": ACCEPTED,
        }
        secret = self._credentials.get(address.host) or self._credentials.get(address.name)
        if secret is not None:
            pair = base64.b64encode(secret.get_secret_value().encode("utf-8")).decode("ascii")
            headers["Authorization"] = f"Basic {pair}"
        if is_conditional and row is not None:
            if row.etag:
                headers["If-None-Match"] = row.etag
            if row.last_modified:
                headers["If-Modified-Since"] = row.last_modified
        meta: dict[str, Any] = {
            "row": row,
            "path": address.path,
            "download_slot": address.host,
            "download_timeout": self._timeout_s,
        }
        if most_bytes is not None:
            meta["download_maxsize"] = most_bytes
        return Request(
            address.url, headers=headers, meta=meta, callback=callback, errback=errback, dont_filter=True
        )


def _text(value: bytes) -> str:
    """A header's value: by the standard Latin-1, in fact UTF-8 wherever a server writes more than ASCII."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def answer_of(response: Response) -> HttpAnswer:
    """The answer that Scrapy fetched, as the rules take it."""
    headers = {
        name.decode("latin-1").lower(): [_text(value) for value in values]
        for name, values in response.headers.items()
    }
    stopped = response.meta.get(STOPPED, UrlReason.NONE) if response.request is not None else UrlReason.NONE
    return HttpAnswer(response.url, response.status, headers, response.body, stopped)


class SideRequests:
    """Fetches what is no address of the frontier. Redirects are followed; each target is checked."""

    def __init__(
        self, maker: RequestMaker, guard: ConnectionGuard, download: Callable[[Request], Awaitable[Response]]
    ) -> None:
        self._maker = maker
        self._guard = guard
        self._download = download

    async def fetch(self, url: str, *, most_bytes: int, most_hops: int = 5) -> HttpAnswer | RequestFailure:
        """The answer, or why there is none."""
        first = url
        for _ in range(most_hops + 1):
            address = address_of(url)
            if address is None or not address.is_web:
                return RequestFailure(
                    UrlReason.HTTP_ERROR, "It redirects to something that is no address.", False
                )
            away = "" if url == first else url
            if said := self._guard.hosts.refusal_of_literal(address.name, address.port):
                return RequestFailure(UrlReason.PRIVATE_ADDRESS, said, False, url=away)
            try:
                response = await self._download(self._maker.make(address, most_bytes=most_bytes))
            except Exception as error:  # whatever a network does; told apart in one place
                failure = explained(failure_of(error), self._guard, address.name, address.port)
                return replace(failure, url=away)
            answer = answer_of(response)
            if not (300 <= answer.status < 400 and answer.header("location")):
                return answer
            target = address_of(answer.headers["location"][0], url)
            url = target.url if target is not None else ""
        return RequestFailure(UrlReason.REDIRECT_LOOP, "It redirects too often.", False)
