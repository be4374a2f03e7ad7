"""Requests counted and timed by the part of the server that they are for."""

from __future__ import annotations

import re
import time

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.telemetry import tracing
from core.telemetry.measures import REQUEST_TIMES, REQUESTS, SOCKETS, TALLY, Tally, known

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
AREAS = frozenset(
    [
        "answers",
        "assets",
        "audits",
        "conversations",
        "crawls",
        "docs",
        "documents",
        "healthz",
        "jobs",
        "lessons",
        "matrix",
        "metrics",
        "openapi",
        "phrases",
        "plan-runs",
        "plans",
        "plotly",
        "rag",
        "reviews",
        "schemas",
        "search",
        "traces",
        "turns",
        "uncovered",
        "uploads",
    ]
)
"""First names of addresses under `/api` and `/api/v1`: whatever is called, an area is one of these."""

_NAME = re.compile(r"/api/(v1/)?([a-z-]+)")


def area_of(path: str) -> str:
    """The part of the server that an address belongs to; one of a few, without an id or a name."""
    match = _NAME.match(path)
    if match is not None:
        return f"{match[1] or ''}{known(match[2], AREAS)}"
    if path.startswith(("/sign-in", "/sign-out")):
        return "sign-in"
    if path.startswith(("/static/", "/media/", "/component")) or path == "/favicon.png":
        return "static"
    return "streamlit" if path.startswith("/_stcore/") else "page"


class Metered:
    """ASGI middleware that counts what passes through it; what it cannot tell is `other`."""

    def __init__(self, app: ASGIApp, tally: Tally = TALLY) -> None:
        self._app, self._tally = app, tally

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; of a WebSocket only that it is open counts."""
        if scope["type"] == "websocket":
            self._tally.count(SOCKETS, by=1)
            try:
                await self._app(scope, receive, send)
            finally:
                self._tally.count(SOCKETS, by=-1)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), 500
        area, method = area_of(scope["path"]), known(scope["method"], METHODS)

        async def send_timed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":  # a stream goes on for long
                status = message["status"]
                self._tally.time(REQUEST_TIMES, time.perf_counter() - began, area)
            await send(message)

        with tracing.within("request", Headers(scope=scope), area=area, method=method) as span:
            try:
                await self._app(scope, receive, send_timed)
            finally:
                self._tally.count(REQUESTS, area, method, str(status))
                span.end(status=str(status))
