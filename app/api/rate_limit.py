"""Requests a second of one caller of the interface, by token bucket: steady, with a burst ahead.

Counted in this process. Before anything is looked up, so that a flood costs next to nothing.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app import services
from app.api.problems import problem_document
from core.config.models import ApiSettings

MOST_CALLERS = 10_000
PREFIX = "/api/v1/"
FREE = frozenset({"/api/v1/healthz"})
"""Asked by what watches the server."""


class TokenBucket:
    """Bucket that holds up to `burst` tokens and gets `rate` a second; begins full."""

    __slots__ = ("_at", "_left")

    def __init__(self, burst: float, now: float) -> None:
        self._left = burst
        self._at = now

    def take(self, rate: float, burst: float, now: float) -> float:
        """Take a token: 0.0, or the seconds until there is one."""
        passed = max(0.0, now - self._at)
        self._left = min(burst, self._left + passed * rate)
        self._at = now
        if self._left >= 1.0:
            self._left -= 1.0
            return 0.0
        return (1.0 - self._left) / rate


class RateLimit:
    """ASGI middleware for `/api/v1`, and for every call of the API with a token.

    A caller is a token, or, without one, a network address. Used on one event loop, so without a lock.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        limits: Callable[[], ApiSettings] = services.api_limits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._limits = limits
        self._clock = clock
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 429 with the seconds to wait."""
        caller = _caller_of(scope)
        wait_s = self._wait_s(caller) if caller else 0.0
        if not wait_s:
            await self._app(scope, receive, send)
            return
        seconds = max(1, math.ceil(wait_s))
        answer = problem_document(
            scope,
            429,
            f"More than {self._limits().requests_per_s:g} requests a second.",
            next_step=f"Try again in {seconds} second{'' if seconds == 1 else 's'}.",
            headers={"Retry-After": str(seconds), "Cache-Control": "no-store"},
        )
        await answer(scope, receive, send)

    def _wait_s(self, caller: str) -> float:
        limits, now = self._limits(), self._clock()
        bucket = self._buckets.get(caller)
        if bucket is None:
            bucket = self._buckets[caller] = TokenBucket(limits.burst, now)
            if len(self._buckets) > MOST_CALLERS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(caller)
        return bucket.take(limits.requests_per_s, limits.burst, now)


def _caller_of(scope: Scope) -> str:
    """Whom a request counts for; "" for one that is not limited."""
    if scope["type"] != "http" or not scope["path"].startswith("/api/") or scope["path"] in FREE:
        return ""
    kind, _, text = Headers(scope=scope).get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return hashlib.sha256(text.strip().encode("utf-8", "surrogateescape")).hexdigest()
    client = scope.get("client")
    return f"address {client[0] if client else ''}" if scope["path"].startswith(PREFIX) else ""
