"""Security headers of every response: pages, assets, the API, errors, and the handshake of a WebSocket.

What a page may load is told to the browser once here (Content-Security-Policy), so that markup which slipped
in somewhere could neither run nor send anything away. A response that sets a header itself keeps its own.
Sources: W3C Content Security Policy Level 3; OWASP HTTP Headers cheat sheet; RFC 6797 for HSTS.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.identity import is_secure

DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
"""Of data: it shows nothing, loads nothing, and stands in no frame, whatever a browser takes it for."""

HSTS = "max-age=31536000"
_DENIED = (
    "accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "encrypted-media",
    "gamepad", "geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer",
    "microphone", "midi", "payment", "picture-in-picture", "publickey-credentials-get",
    "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
PLAIN = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # for browsers without frame-ancestors
    "Referrer-Policy": "same-origin",  # addresses hold ids of conversations, which are nobody else's matter
    "Permissions-Policy": ", ".join(f"{each}=()" for each in _DENIED),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",  # no page elsewhere shows an image of a page of ours
}
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?")
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def inline_scripts(html: str) -> list[str]:
    """Sources by which a policy allows the inline scripts of a page, in their order; [] where it has none."""
    texts = (re.sub(r"\r\n?", "\n", text) for text in _SCRIPT.findall(html))  # as browsers read a page
    return [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts]


def page_policy(scripts: Iterable[str] = (), *, host: str = "") -> str:
    """The policy of the pages. scripts: of their inline scripts. host: with its port, as it was asked for.

    Scripts: those of this server, and modules that Streamlit makes of a component's text (`blob:`); no inline
    script, handler or eval. Styles stand inline: Streamlit and its tables write them so. Images as `data:`
    come from its tables and from charts that are saved.
    """
    return "; ".join(
        (
            "default-src 'none'",
            " ".join(("script-src 'self' blob:", *scripts)),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            # Some browsers do not count a WebSocket as 'self'; before a proxy it may be either.
            " ".join(("connect-src 'self'", *([f"ws://{host}", f"wss://{host}"] if host else []))),
            "media-src 'self' blob:",
            "frame-src 'self'",
            "worker-src 'self' blob:",
            "manifest-src 'self'",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


class SecurityHeaders:
    """ASGI middleware around the whole application. scripts: gives those of its pages' inline scripts."""

    def __init__(self, app: ASGIApp, *, scripts: Callable[[], Iterable[str]] = tuple) -> None:
        self._app, self._scripts = app, scripts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and its response with the headers that it lacks."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        is_accepted = False

        async def send_guarded(message: Message) -> None:
            nonlocal is_accepted
            kind = message["type"]
            if kind in ("http.response.start", "websocket.accept", "websocket.http.response.start"):
                is_accepted = kind == "websocket.accept"
                message = {**message, "headers": list(message.get("headers", ()))}
                self._complete(scope, MutableHeaders(raw=message["headers"]))
            elif kind == "websocket.close" and not is_accepted and _can_answer(scope):
                refusal = PlainTextResponse(message.get("reason") or "Refused.", 403)
                await refusal(scope, receive, send_guarded)  # in place of the server's answer without headers
                return
            await send(message)

        await self._app(scope, receive, send_guarded)

    def _complete(self, scope: Scope, headers: MutableHeaders) -> None:
        for name, value in PLAIN.items():
            headers.setdefault(name, value)
        if "content-security-policy" not in headers:
            headers["Content-Security-Policy"] = self._policy(scope)
        if is_secure(scope):
            headers.setdefault("Strict-Transport-Security", HSTS)

    def _policy(self, scope: Scope) -> str:
        if scope["path"].startswith("/api/"):
            return DATA_POLICY
        host = Headers(scope=scope).get("host", "")
        return page_policy(self._scripts(), host=host if _HOST.fullmatch(host) else "")


def _can_answer(scope: Mapping[str, Any]) -> bool:
    """True where the server can refuse a handshake with a response of ours."""
    return "websocket.http.response" in (scope.get("extensions") or {})
