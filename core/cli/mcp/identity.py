"""Identity of whoever calls the MCP server: the user of the command line, or the bearer of a token."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.domain.principal import Principal
from core.errors import GroundworkError, RefusedError, SignInError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from core.workbench import Workbench

TOKEN = "GROUNDWORK_TOKEN"
"""Variable of the environment with the token of who runs the server over stdio."""

_CALLER = "groundwork_caller"
"""Where a request's state has its caller."""


@dataclass(frozen=True, slots=True)
class McpCaller:
    """A principal, and what their token is good for; None for everything."""

    principal: Principal
    scopes: frozenset[str] | None = None

    def require_scope(self, scope: str) -> None:
        """Raises RefusedError where the token is not good for a tool."""
        if self.scopes is None or scope in self.scopes or "admin" in self.scopes:
            return
        raise RefusedError(
            f"This token lacks the scope {scope!r}.", next_step="Make a token with that scope."
        )


def caller_of_process(bench: Workbench, user: str | None, token: str) -> Callable[[], McpCaller]:
    """Who a server over stdio acts for: the token's account, the user that is named, or the local admin.

    What it gives is called for each call, so that a token that is revoked, or a role that is taken away,
    counts at once. Raises SignInError where there are accounts and nobody is named, and where the token is
    not valid.
    """

    def by_token() -> McpCaller:
        bearer = bench.sign_in.by_token(token, "mcp stdio")
        return McpCaller(bearer.principal, bearer.scopes)

    def by_name() -> McpCaller:
        return McpCaller(bench.principal(user, origin="mcp stdio"))

    if token and user is None:
        by_token()
        return by_token
    if user is None and bench.sign_in.is_required:
        raise SignInError(
            "There are accounts here, so the MCP server has to know for whom it acts.",
            next_step=f"Set {TOKEN} to a token of an account (groundwork tokens add), or give --as USER.",
        )
    by_name()
    return by_name


def caller_of_request(request: Any) -> McpCaller:
    """Who a request was let in for by `BearerGate`. Raises SignInError where it was not."""
    found = getattr(request.state, _CALLER, None) if request is not None else None
    if not isinstance(found, McpCaller):
        raise SignInError("Nobody is signed in.", next_step="Send a bearer token.")
    return found


class BearerGate:
    """ASGI middleware that lets in who has a valid token; without accounts, everybody as the local admin.

    Served on loopback alone there: `SignIn.require_for` refuses any other address before.
    """

    def __init__(self, app: ASGIApp, bench: Workbench) -> None:
        self._app = app
        self._bench = bench

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its caller, or answer 401 with a problem document."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        from starlette.concurrency import run_in_threadpool

        try:
            caller = await run_in_threadpool(self._caller, scope)
        except GroundworkError as error:
            await _refuse(send, error)
            return
        scope.setdefault("state", {})[_CALLER] = caller
        await self._app(scope, receive, send)

    def _caller(self, scope: Scope) -> McpCaller:
        client = scope.get("client")
        origin = f"mcp {client[0]}" if client else "mcp"
        given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        kind, _, text = given.decode("latin-1").partition(" ")
        if given:
            if kind.lower() != "bearer":
                raise SignInError("This is no bearer token.", next_step="Send Authorization: Bearer TOKEN.")
            bearer = self._bench.sign_in.by_token(text.strip(), origin)
            return McpCaller(bearer.principal, bearer.scopes)
        if self._bench.sign_in.is_required:
            raise SignInError("Nobody is signed in.", next_step="Send Authorization: Bearer TOKEN.")
        return McpCaller(self._bench.principal(None, origin=origin))


async def _refuse(send: Send, error: GroundworkError) -> None:
    is_nobody = isinstance(error, SignInError)
    status = 401 if is_nobody else 503
    body = {"type": "about:blank", "title": "Not signed in" if is_nobody else "Not available"}
    text = json.dumps({**body, "status": status, "detail": error.message, "next_step": error.next_step})
    headers = [
        (b"content-type", b"application/problem+json"),
        (b"cache-control", b"no-store"),
        (b"content-length", str(len(text.encode())).encode()),
    ]
    if is_nobody:
        headers.append((b"www-authenticate", b'Bearer realm="groundwork"'))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
