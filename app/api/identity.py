"""The identity of every request: by cookie or by token, and never by what a client says of itself.

Covers every path, Streamlit's own and its WebSocket too. An open WebSocket ends with its session.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import identity, services
from app.api.problems import problem
from app.api.scopes import may_call, scope_of
from app.identity import COOKIE, SESSION_HEADER, SIGN_IN, Caller, own_path
from core.errors import GroundworkError, RefusedError, SignInError
from core.workbench.trust.sign_in import SignedIn

FORGED = re.compile(
    r"(x-groundwork-.*|(x-)?(remote|forwarded|auth|authenticated|webauth)-?(user|email|groups?|roles?|name)"
    r"|x-(user|email|groups?|roles?)|x-auth-request-.*|x-ms-client-principal.*|x-goog-authenticated-user-.*"
    r"|x-amzn-oidc-.*|cf-access-.*|x-streamlit-user.*)"
)
"""Headers by which proxies tell an identity: here nobody believes them, so nothing behind shall see them."""

OPEN = re.compile(rf"{SIGN_IN}(/.*)?|/sign-out|/_stcore/health|/api/v1/healthz")
CHECK_EVERY_S = 2.0
LASTS_S = 7 * 24 * 3600


class Identity:
    """ASGI middleware: finds out who calls, and turns away who must sign in first."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its caller, or answer 303, 401 or 403 (a WebSocket: close 4401)."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        scope = {**scope, "headers": [pair for pair in scope["headers"] if not _is_forged(pair[0])]}
        try:
            is_needed = await run_in_threadpool(services.needs_sign_in)
            is_looked_up = is_needed or _has_token(scope)  # a token that is none is told so everywhere
            found = await run_in_threadpool(_caller, scope) if is_looked_up else (None, None)
        except GroundworkError as error:
            await _refuse(scope, receive, send, error)
            return
        caller, signed_in = found
        if is_looked_up and not OPEN.fullmatch(scope["path"]):
            reason = _refusal(scope, caller, signed_in)
            if reason is not None:
                await _refuse(scope, receive, send, reason)
                return
        if signed_in is not None:
            scope["headers"].append((SESSION_HEADER.encode(), signed_in.session.id.encode()))
            if scope["type"] == "websocket":
                receive, send = _ending(signed_in, receive, send)
            elif signed_in.cookie:
                send = _renewing(signed_in.cookie, is_secure(scope), send)
        token = identity.enter(caller)
        try:
            await self._app(scope, receive, send)
        finally:
            identity.leave(token)


def set_cookie(response: Response, value: str, *, secure: bool) -> None:
    """Have the browser keep its session's cookie; "" takes it away."""
    response.set_cookie(
        COOKIE, value, max_age=LASTS_S if value else 0, httponly=True, samesite="lax", secure=secure, path="/"
    )


def is_secure(scope: Mapping[str, Any]) -> bool:
    """True where the browser speaks TLS, to us or to a proxy before us."""
    if scope.get("scheme") in ("https", "wss"):
        return True
    return services.public_url().startswith("https://")


def address_of(scope: Mapping[str, Any]) -> str:
    """The network address that a request comes from, "" where the server does not know."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def cookies_of(headers: Headers) -> dict[str, str]:
    """The cookies of a request; {} where they cannot be read."""
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _is_forged(name: bytes) -> bool:
    return FORGED.fullmatch(name.decode("latin-1").lower().replace("_", "-")) is not None


def _caller(scope: Scope) -> tuple[Caller | None, SignedIn | None]:
    """Whoever calls, with their browser's session. Raises SignInError for a token that is not valid."""
    headers, sign_in = Headers(scope=scope), services.bench().sign_in
    kind, _, text = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and scope["path"].startswith("/api/"):
        bearer = sign_in.by_token(text.strip(), f"api {address_of(scope)}")
        return Caller(bearer.principal, scopes=bearer.scopes), None
    cookie = cookies_of(headers).get(COOKIE, "")
    signed_in = sign_in.by_cookie(cookie, f"page {address_of(scope)}") if cookie else None
    if signed_in is None:
        return None, None
    return Caller(signed_in.principal, signed_in.session.id), signed_in


def _has_token(scope: Scope) -> bool:
    kind = Headers(scope=scope).get("authorization", "").partition(" ")[0]
    return kind.lower() == "bearer" and scope["path"].startswith("/api/")


def _refusal(scope: Scope, caller: Caller | None, signed_in: SignedIn | None) -> GroundworkError | None:
    """Why the caller gets no further; None where they do."""
    if caller is None:
        return SignInError("Nobody is signed in.", next_step=f"Open {SIGN_IN}, or send a bearer token.")
    method = scope.get("method", "GET")
    if caller.scopes is not None and not may_call(caller.scopes, method, scope["path"]):
        wanted = scope_of(method, scope["path"])
        return RefusedError(
            f"This token lacks the scope {wanted!r}.", next_step="Make a token with that scope."
        )
    if signed_in is not None and signed_in.must_change:
        return RefusedError("The password must be changed first.", next_step=f"Open {SIGN_IN}/password.")
    return None


async def _refuse(scope: Scope, receive: Receive, send: Send, error: GroundworkError) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4401, "reason": error.message[:120]})
        return
    request = Request(scope)
    is_page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
    answer: Response
    if request.method == "GET" and is_page and isinstance(error, SignInError | RefusedError):
        wanted = own_path(request.url.path + (f"?{request.url.query}" if request.url.query else ""))
        place = SIGN_IN if isinstance(error, SignInError) else f"{SIGN_IN}/password"
        answer = RedirectResponse(f"{place}?next={quote(wanted, safe='')}", 303)
    else:
        answer = problem(request, error)
    answer.headers["Cache-Control"] = "no-store"
    await answer(scope, receive, send)


def _renewing(cookie: str, secure: bool, send: Send) -> Send:
    """Send a response with the cookie's new value."""

    async def renew(message: Message) -> None:
        if message["type"] == "http.response.start":
            carrier = Response()
            set_cookie(carrier, cookie, secure=secure)
            headers = MutableHeaders(scope=message)
            if not any(each.startswith(f"{COOKIE}=") for each in headers.getlist("set-cookie")):
                headers.append("set-cookie", carrier.headers["set-cookie"])
            if "immutable" in headers.get("cache-control", ""):
                headers["cache-control"] = "private, no-store"  # nobody shall keep a response with a cookie
        await send(message)

    return renew


def _ending(signed_in: SignedIn, receive: Receive, send: Send) -> tuple[Receive, Send]:
    """The channels of a WebSocket that close within seconds of the end of its session."""
    waiting: asyncio.Future[Message] | None = None
    checked_at, is_over = time.monotonic(), False

    async def is_live() -> bool:
        nonlocal checked_at
        if time.monotonic() - checked_at < CHECK_EVERY_S:
            return True
        checked_at = time.monotonic()
        return await run_in_threadpool(services.is_signed_in, signed_in.session.id)

    async def end() -> None:
        nonlocal is_over
        if not is_over:
            is_over = True
            await send({"type": "websocket.close", "code": 4401, "reason": "Signed out."})

    async def receive_while_live() -> Message:
        nonlocal waiting
        while not is_over:
            waiting = waiting or asyncio.ensure_future(receive())
            done, _ = await asyncio.wait({waiting}, timeout=CHECK_EVERY_S)
            if not await is_live():
                break
            if done:
                message, waiting = waiting.result(), None
                return message
        await end()
        if waiting is not None:
            waiting.cancel()
        return {"type": "websocket.disconnect", "code": 4401}

    async def send_while_live(message: Message) -> None:
        if is_over:
            return
        if message["type"] == "websocket.send" and not await is_live():
            await end()
            return
        await send(message)

    return receive_while_live, send_while_live
