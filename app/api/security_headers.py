"""Headers that tell a browser what the answers of this server may do: nothing that reaches elsewhere.

A policy for pages, one for data; an answer that names its own (a stored page, the sign-in form) keeps it.
Source of the directives: W3C Content Security Policy Level 3; OWASP Secure Headers Project.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import streamlit
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.identity import is_secure

_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)

ALWAYS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",  # for browsers that do not read frame-ancestors
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
HTTPS_ONLY = "max-age=31536000"


def inline_hashes(page: bytes) -> tuple[str, ...]:
    """CSP sources of the scripts that stand within a page of HTML."""
    digests = (hashlib.sha256(script).digest() for script in _INLINE.findall(page))
    return tuple(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


def page_policy(inline: tuple[str, ...]) -> str:
    """Policy of Streamlit's pages; inline: hashes of the scripts that stand in its page.

    Styles are inline (emotion), workers and the scripts of components come as blobs, pictures as data or
    blobs. Plotly needs no eval: that stays forbidden.
    """
    return "; ".join(
        (
            "default-src 'self'",
            " ".join(("script-src 'self' blob:", *inline)),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "frame-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'self'",
        )
    )


class SecurityHeaders:
    """ASGI middleware that puts them on every answer, on refusals of what stands behind it too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        index = Path(streamlit.__file__).parent / "static" / "index.html"
        self._page_policy = page_policy(inline_hashes(index.read_bytes()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; what its answer says of itself is kept."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        policy = DATA_POLICY if scope["path"].startswith("/api/") else self._page_policy
        wanted = {**ALWAYS, "Content-Security-Policy": policy}
        if is_secure(scope):
            wanted["Strict-Transport-Security"] = HTTPS_ONLY

        async def send_safe(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in wanted.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_safe)
