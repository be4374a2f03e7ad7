"""Gate of this process: only requests to its own pages, under its own name, pass.

A page elsewhere must not read or change a collection on loopback: a foreign Host header is DNS rebinding,
a foreign Origin on a write or a WebSocket is request forgery. Covers every path, Streamlit's own too.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.api.problems import problem_document

LOOPBACK = ("localhost", "127.0.0.1", "::1")
WILDCARDS = ("0.0.0.0", "::")
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def hosts_of(host: str, public_url: str = "") -> tuple[str, ...]:
    """The names under which a server bound to `host` may be asked for, with that of its public address."""
    own = [socket.gethostname().lower()] if host in WILDCARDS else [host.strip("[]").lower()]
    public = urlsplit(public_url).hostname
    return tuple(dict.fromkeys((*LOOPBACK, *own, *([public] if public else []))))


def name_of(host_header: str) -> str:
    """The host name of a Host header, lower case, without port; "" where it is none."""
    try:
        parts = urlsplit(f"//{host_header}")
        _ = parts.port
    except ValueError:
        return ""
    return "" if parts.path or parts.username else (parts.hostname or "").rstrip(".")


def _place_of(origin: str) -> str:
    """Host and port of an Origin header, lower case; "" where it is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Gate:
    """ASGI middleware that refuses foreign hosts and foreign origins.

    any_address: also accept bare IP addresses as host, for a server that listens on all of them;
    rebinding needs a name, so that stays safe.
    """

    def __init__(self, app: ASGIApp, *, hosts: Iterable[str], any_address: bool = False) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._any_address = any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 403 (a WebSocket: close 4403)."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        reason = self._refusal(scope)
        if not reason:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": reason})
        else:
            await problem_document(scope, 403, reason, title="Refused")(scope, receive, send)

    def _refusal(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        name = name_of(host)
        if name not in self._hosts and not (self._any_address and _is_address(name)):
            return "This server does not answer under that host name."
        if scope["type"] == "http" and scope["method"] in SAFE_METHODS:
            return ""
        origin = headers.get("origin")
        if origin is not None and _place_of(origin) != host.lower():
            return "Requests that change something are accepted from this server's own pages only."
        if origin is None and headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return "Requests that change something are accepted from this server's own pages only."
        return ""
