"""Idempotency keys: a POST that is sent again with its key is done once and answered alike.

Source: IETF draft-ietf-httpapi-idempotency-key-header-07: the same key with another body is 422, while the
first request still runs 409. Only what was done is kept: a request that failed leaves its key free.
"""

from __future__ import annotations

import hashlib
import re

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import services
from app.api.problems import problem_document
from app.api.v1.limits import path_of
from core.errors import SignInError
from core.store.people.request_keys import StoredResponse
from core.workbench.trust.request_keys import KeyedRequest

HEADER = "Idempotency-Key"
READS = frozenset({"/search"})
"""POSTs that change nothing: they are simply done again."""
SHOWING = re.compile(r"/rag/.*|/plans(/.*)?|/audits/[^/]+/runs")
"""Addresses whose responses show documents: these are given again only while the caller sees the same."""
_FORM = re.compile(r"[\x21-\x7e]{1,200}")
_KEPT_HEADERS = ("content-type", "location", "cache-control")
_BOUNDARY = re.compile(r'boundary="?([^";,\s]{1,200})')


class Idempotency:
    """ASGI middleware that keeps the responses of requests with a key for a day."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Do the request, or give the response that its key got."""
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers({})
        key = headers.get(HEADER)
        if key is None or scope["method"] != "POST" or path_of(scope) in READS:
            await self._app(scope, receive, send)
            return
        if not _FORM.fullmatch(key):
            told = f"{HEADER} has 1 to 200 characters without spaces."
            await problem_document(scope, 400, told, next_step="Send a UUID.")(scope, receive, send)
            return
        address = scope["path"] + "?" + scope.get("query_string", b"").decode("latin-1")
        try:
            keys = services.session().request_keys
        except SignInError:
            await self._app(scope, receive, send)  # which says so
            return
        request = await run_in_threadpool(keys.claim, address, key)
        hashed = HashedBody(receive, headers.get("content-type", ""))
        if request.claim:
            await self._do(scope, hashed, send, request)
            return
        answer = await _again(scope, hashed, request)
        await answer(scope, receive, send)

    async def _do(self, scope: Scope, hashed: HashedBody, send: Send, request: KeyedRequest) -> None:
        keys, taken = services.session().request_keys, _Taken()
        try:
            await self._app(scope, hashed.receive, taken.sender(send))
        except BaseException:
            await run_in_threadpool(keys.release, request)
            raise
        if not 200 <= taken.status < 300:
            await run_in_threadpool(keys.release, request)
            return
        fingerprint = await hashed.whole()
        found = Headers(raw=taken.headers)
        kept = {name: found[name] for name in _KEPT_HEADERS if name in found}
        await run_in_threadpool(keys.keep, request, fingerprint, taken.status, kept, bytes(taken.body))


async def _again(scope: Scope, hashed: HashedBody, request: KeyedRequest) -> Response:
    """The response to a request whose key is known."""
    stored = request.response
    if stored is None:
        told = "The request with this key is still being done."
        retry = {"Retry-After": "1"}
        return problem_document(scope, 409, told, next_step="Send it again in a second.", headers=retry)
    if await hashed.whole() != stored.fingerprint:
        told = "This key was sent with another request."
        return problem_document(scope, 422, told, next_step=f"Send a new {HEADER}.")
    if SHOWING.fullmatch(path_of(scope)) and not request.is_current:
        return _changed(scope, stored)
    return Response(stored.body, stored.status, {**stored.headers, "Idempotency-Replayed": "true"})


def _changed(scope: Scope, stored: StoredResponse) -> Response:
    """The response was about a collection, or for an access, that has changed: it is not shown again."""
    place = stored.headers.get("location", "")
    return problem_document(
        scope,
        409,
        "The request was done, and the collection or your access has changed since.",
        next_step=f"Read {place} for what there is of it now." if place else "Send it with a new key.",
        headers={"Location": place} if place else None,
    )


class HashedBody:
    """A body whose SHA-256 is known once it was read; the marks between the parts of a form do not count."""

    def __init__(self, receive: Receive, content_type: str) -> None:
        self._receive = receive
        self._hash = hashlib.sha256()
        match = _BOUNDARY.search(content_type) if content_type.startswith("multipart/") else None
        self._boundary = match[1].encode("latin-1") if match else b""
        self._rest = b""
        self._is_over = False

    async def receive(self) -> Message:
        """The next piece, for who reads the body."""
        message = await self._receive()
        if message["type"] == "http.request":
            self._add(message.get("body", b""))
            self._is_over = not message.get("more_body", False)
        else:
            self._is_over = True
        return message

    async def whole(self) -> str:
        """The hash, after reading what is left."""
        while not self._is_over:
            await self.receive()
        self._hash.update(self._rest)
        self._rest = b""
        return self._hash.hexdigest()

    def _add(self, piece: bytes) -> None:
        if not self._boundary:
            self._hash.update(piece)
            return
        found = (self._rest + piece).replace(self._boundary, b"")
        cut = max(0, len(found) - len(self._boundary) + 1)
        self._hash.update(found[:cut])
        self._rest = found[cut:]


class _Taken:
    """A response, taken down while it is sent."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = bytearray()

    def sender(self, send: Send) -> Send:
        """Sends on and takes down."""

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.status, self.headers = message["status"], list(message["headers"])
            elif message["type"] == "http.response.body":
                self.body += message.get("body", b"")
            await send(message)

        return send_on
