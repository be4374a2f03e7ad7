"""Who calls, as far as this process found out: handed from the middleware to routes and pages."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, Token
from dataclasses import dataclass
from urllib.parse import urlsplit

from core.domain.principal import Principal

SESSION_HEADER = "x-groundwork-session"
"""The id of a signed-in browser's session: the middleware puts it on requests, and strips any sent one."""

COOKIE = "groundwork_session"
SIGN_IN = "/sign-in"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who made a request. session: of a signed-in browser, "" else. scopes: of a token, None without one."""

    principal: Principal
    session: str = ""
    scopes: frozenset[str] | None = None


_caller: ContextVar[Caller | None] = ContextVar("caller", default=None)
_session_of_page: Callable[[], str] = lambda: ""  # noqa: E731 - replaced by the pages' server


def caller() -> Caller | None:
    """Who made the request that is being answered; None in a page's script, or where nobody signed in."""
    return _caller.get()


def enter(found: Caller | None) -> Token[Caller | None]:
    """Answer on behalf of `found` until `leave`."""
    return _caller.set(found)


def leave(token: Token[Caller | None]) -> None:
    """Undo `enter`."""
    _caller.reset(token)


def pages_tell(session: Callable[[], str]) -> None:
    """Have the session's id of a page's script looked up so; "" outside of one."""
    global _session_of_page
    _session_of_page = session


def session_of_page() -> str:
    """The id of the session whose page is being drawn, "" for none."""
    return _session_of_page()


def own_path(address: str) -> str:
    """A path of this server to go on to after a sign-in; "/" for whatever leads elsewhere."""
    if any(char <= " " or char in "\\\x7f" for char in address) or not address.startswith("/"):
        return "/"
    try:
        parts = urlsplit(address)
    except ValueError:
        return "/"
    is_foreign = parts.scheme or parts.netloc or address.startswith("//") or len(address) > 2000
    return "/" if is_foreign or parts.path.startswith((SIGN_IN, "/sign-out")) else address
