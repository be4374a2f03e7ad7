"""The ASGI application: pages and routes in one process, and the server that runs it."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send
from streamlit import file_util
from streamlit.runtime.scriptrunner import get_script_run_ctx

from app import identity, services
from app.api import sign_in
from app.api.downloads import Downloads
from app.api.gate import LOOPBACK, WILDCARDS, Gate, hosts_of
from app.api.identity import Identity
from app.api.metrics import Metered
from app.api.problems import HANDLERS
from app.api.rate_limit import RateLimit
from app.api.request_id import RequestId
from app.api.routes import ROUTES
from app.api.security_headers import SecurityHeaders, inline_scripts
from core.config.load import load_settings

SCRIPT = Path(__file__).parent / "main.py"
CONFIG = Path(__file__).parents[1] / ".streamlit" / "config.toml"
OPEN_AFTER_S = 5.0


@contextlib.asynccontextmanager
async def _lifespan(_app: st.App) -> AsyncIterator[None]:
    """Open the workbench in a while: the first page does so once it stands, but routes may be asked first."""
    services.open_soon(OPEN_AFTER_S)
    yield
    services.close()


class GuardedApp(st.App):
    """Streamlit's application counted, and with security headers on whatever it answers."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        guarded = SecurityHeaders(super().__call__, scripts=_inline_scripts)
        await Metered(guarded)(scope, receive, send)


@functools.cache
def _inline_scripts() -> tuple[str, ...]:
    """Those of Streamlit's page: another version of it has others."""
    return tuple(inline_scripts((Path(file_util.get_static_dir()) / "index.html").read_text("utf-8")))


def make_app(host: str = "127.0.0.1", public_url: str = "") -> GuardedApp:
    """The application for a server that listens on `host`. public_url: its address for people."""
    keeping = [Middleware(Downloads)]
    api = Starlette(routes=ROUTES, middleware=keeping, exception_handlers=HANDLERS)
    gate = Middleware(Gate, hosts=hosts_of(host, public_url), any_address=host in WILDCARDS)
    identity.pages_tell(_session_of_page)
    routes = [Mount("/api", app=api), Route("/ask", _first_page), *sign_in.ROUTES]
    middleware = [Middleware(RequestId), gate, Middleware(RateLimit), Middleware(Identity)]
    return GuardedApp(SCRIPT, routes=routes, middleware=middleware, lifespan=_lifespan)


def _first_page(request: Request) -> RedirectResponse:
    """The page Ask has no name in its address, but people guess that it has."""
    return RedirectResponse("/" + f"?{request.url.query}" * bool(request.url.query))


def _session_of_page() -> str:
    """Session by which the browser of the page that is being drawn is signed in; "" outside of pages."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return ""
    return st.context.headers.get(identity.SESSION_HEADER, "")


def serve(*, home: Path | None = None, host: str = "127.0.0.1", port: int = 8501) -> None:
    """Serve until SIGINT or SIGTERM. Raises UsageError for another address than loopback without accounts."""
    if home is not None:
        os.environ[services.HOME] = str(home)
    if host not in LOOPBACK and not services.needs_sign_in():
        services.bench().sign_in.require_for(host)
    # Pages and their files are served while the workbench is imported in a thread beside: with the default of
    # 5 ms each of them would wait for that thread many times over.
    sys.setswitchinterval(0.0005)
    public_url = load_settings(home).app.public_url
    names = list(hosts_of(host, public_url))
    config: dict[str, Any] = {
        **_options(),
        "server.address": host,
        "server.port": port,
        "server.allowedHosts": ["*"] if host in WILDCARDS else names,
    }
    make_app(host, public_url).run(config=config)


def _options() -> dict[str, Any]:
    """Our options as dotted names: Streamlit looks for its file where the command started."""
    if not CONFIG.is_file():
        return {"server.headless": True, "browser.gatherUsageStats": False, "server.fileWatcherType": "none"}
    return dict(_flatten(tomllib.loads(CONFIG.read_text("utf-8"))))


def _flatten(section: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in section.items():
        found += _flatten(value, f"{prefix}{name}.") if isinstance(value, dict) else [(prefix + name, value)]
    return found
