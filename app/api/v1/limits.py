"""Limits of what a request may send: its type, its size, and how deep its JSON goes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import AsyncIterator, Iterator

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import services
from app.api.problems import problem_document
from core.plan.ir.serialization import LARGEST

MOST_JSON = LARGEST
DEEPEST = 100
LARGE = 100_000
"""Bytes from which on a body is looked through beside the event loop."""
FORM, JSON = "multipart/form-data", "application/json"
FORMS = frozenset({"/documents"})
"""Addresses that take a form with files; all others take JSON."""
FRAME_BYTES = 1_000_000
"""Beside its files, of a form."""
_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")  # only so can a half of a surrogate pair be written
_MARKS = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)  # a text that never ends ends here


class RequestLimits:
    """ASGI middleware before everything that reads a body. HEAD is answered as GET is, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 400, 413 or 415."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["method"] == "HEAD":
            await self._app({**scope, "method": "GET"}, receive, _without_body(send))
        elif scope["method"] not in _WRITES:
            await self._app(scope, receive, send)
        elif path_of(scope) in FORMS:
            await self._form(scope, receive, send)
        else:
            await self._json(scope, receive, send)

    async def _json(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if _media(headers) not in ("", JSON):
            await _refuse(scope, receive, send, 415, "The body is not JSON.", f"Send it as {JSON}.")
            return
        if _length(headers) > MOST_JSON:
            await _too_large(scope, receive, send, MOST_JSON)
            return
        data = bytearray()
        async for piece in _pieces(receive):
            if piece is None:  # the client went away
                return
            data += piece
            if len(data) > MOST_JSON:
                await _too_large(scope, receive, send, MOST_JSON)
                return
        body = bytes(data)
        fault = _fault(body) if len(body) < LARGE else await run_in_threadpool(_fault, body)
        if fault:
            await _refuse(scope, receive, send, 400, fault, "Send a JSON object that is not so deep.")
            return
        await self._app(scope, _given(body, receive), send)

    async def _form(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, most = Headers(scope=scope), most_form_bytes()
        if scope["method"] == "POST" and _media(headers) != FORM:
            await _refuse(scope, receive, send, 415, "The body is no form with files.", f"Send it as {FORM}.")
        elif _length(headers) > most:
            await _too_large(scope, receive, send, most)
        else:
            counted = _Counted(receive, most)
            try:
                await self._app(scope, counted.receive, counted.sender(send))
            except _TooLargeError:
                await _too_large(scope, receive, send, most)


class _TooLargeError(Exception):
    """A body turned out larger than its limit while it was read."""


class _Counted:
    """Channels of a request whose body is counted while it is read."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._left = most

    async def receive(self) -> Message:
        """The next piece. Raises _TooLargeError."""
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise _TooLargeError
        return message

    def sender(self, send: Send) -> Send:
        """Sends nothing of a request that was too large: its own answer says so."""

        async def send_on(message: Message) -> None:
            if self._left < 0:
                raise _TooLargeError
            await send(message)

        return send_on


def path_of(scope: Scope) -> str:
    """The address of a request below `/api/v1`."""
    return str(scope["path"]).removeprefix(scope.get("root_path", ""))


def most_form_bytes() -> int:
    """Bytes that a form may have: as an archive may, and its frame."""
    settings = services.bench().settings.ingest
    return max(settings.zip_max_mb, settings.max_file_mb) * 1_000_000 + FRAME_BYTES


def depth_of(text: bytes, enough: int) -> int:
    """Depth of the brackets of JSON outside of its strings; counts no further than `enough` + 1."""
    if text.count(b"[") + text.count(b"{") <= enough:
        return 0  # it cannot be deeper
    return max(_depths(text, enough), default=0)


def _fault(body: bytes) -> str:
    """The reason why a body is not read; "" where it is."""
    if depth_of(body, DEEPEST) > DEEPEST:
        return f"The JSON goes deeper than {DEEPEST} levels."
    return "" if not body.strip() or is_json(body) else "The request is no JSON."


def is_json(text: bytes) -> bool:
    """True where it is JSON that can be kept and sent again: no NaN, no infinity, no half of a character."""
    try:
        value = json.loads(text, parse_constant=_refused, parse_float=_finite)
        if _HALF.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except ValueError:
        return False
    return True


def _refused(name: str) -> float:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _depths(text: bytes, enough: int) -> Iterator[int]:
    depth = 0
    for match in _MARKS.finditer(text):
        mark = text[match.start()]
        if mark in b"[{":
            depth += 1
            yield depth
            if depth > enough:
                return
        elif mark in b"]}":
            depth -= 1


def _media(headers: Headers) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def _length(headers: Headers) -> int:
    text = headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


async def _pieces(receive: Receive) -> AsyncIterator[bytes | None]:
    """The pieces of a body; None where the client went away."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            yield None
            return
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


def _given(body: bytes, receive: Receive) -> Receive:
    """A channel that gives a body that was read already, once."""
    is_given = False

    async def give() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return give


def _without_body(send: Send) -> Send:
    async def send_head(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return send_head


async def _too_large(scope: Scope, receive: Receive, send: Send, most: int) -> None:
    told = f"The request is larger than {most / 1_000_000:,.0f} MB."
    await _refuse(scope, receive, send, 413, told, "Send less at once.")


async def _refuse(
    scope: Scope, receive: Receive, send: Send, status: int, detail: str, next_step: str
) -> None:
    answer = problem_document(scope, status, detail, next_step=next_step, headers={"Connection": "close"})
    await answer(scope, receive, send)
