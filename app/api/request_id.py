"""The id of a request: in every response, in every problem document, and in the server's log."""

from __future__ import annotations

import re
import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Request-Id"
_KEY = "groundwork.request_id"
_FORM = re.compile(r"[A-Za-z0-9._-]{8,64}")


class RequestId:
    """ASGI middleware that gives each request an id: its client's own where it has the form of one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with its id."""
        if scope["type"] != "http" or _KEY in scope:
            await self._app(scope, receive, send)
            return
        sent = Headers(scope=scope).get(HEADER, "")
        id = scope[_KEY] = sent if _FORM.fullmatch(sent) else secrets.token_hex(8)

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = id
            await send(message)

        await self._app(scope, receive, send_named)


def request_id_of(scope: Scope) -> str:
    """The id of a request; one is made where it has none yet."""
    found = scope.setdefault(_KEY, secrets.token_hex(8))
    return str(found)
