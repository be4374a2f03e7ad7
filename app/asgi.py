"""The ASGI application: pages and routes in one process, and the server that runs it."""

from __future__ import annotations

import contextlib
import os
import sys
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount
from streamlit.runtime.scriptrunner import get_script_run_ctx

from app import identity, services
from app.api import sign_in
from app.api.downloads import Downloads
from app.api.gate import LOOPBACK, WILDCARDS, Gate, hosts_of
from app.api.identity import Identity
from app.api.problems import problem
from app.api.routes import ROUTES
from app.api.security_headers import SecurityHeaders
from core.config.load import load_settings
from core.errors import GroundworkError

SCRIPT = Path(__file__).parent / "main.py"
CONFIG = Path(__file__).parents[1] / ".streamlit" / "config.toml"
OPEN_AFTER_S = 5.0


@contextlib.asynccontextmanager
async def _lifespan(_app: st.App) -> AsyncIterator[None]:
    """Open the workbench in a while: the first page does so once it stands, but routes may be asked first."""
    services.open_soon(OPEN_AFTER_S)
    yield
    services.close()


def make_app(host: str = "127.0.0.1", public_url: str = "") -> st.App:
    """The application for a server that listens on `host`. public_url: its address for people."""
    keeping = [Middleware(Downloads)]
    api = Starlette(routes=ROUTES, middleware=keeping, exception_handlers={GroundworkError: problem})
    gate = Middleware(Gate, hosts=hosts_of(host, public_url), any_address=host in WILDCARDS)
    identity.pages_tell(_session_of_page)
    routes = [Mount("/api", app=api), *sign_in.ROUTES]
    return st.App(
        SCRIPT,
        routes=routes,
        middleware=[Middleware(SecurityHeaders), gate, Middleware(Identity)],
        lifespan=_lifespan,
    )


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
