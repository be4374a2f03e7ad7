"""The routes with their identity over a home with accounts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from app import services
from app.api import sign_in
from app.api.identity import Identity
from app.api.problems import problem
from app.api.routes import ROUTES
from core.errors import GroundworkError
from core.workbench.facade import Workbench

PASSWORD = "correct horse"


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    try:
        while True:
            await socket.send_text(await socket.receive_text())
    except WebSocketDisconnect:
        return


def seen(request: Request) -> JSONResponse:
    return JSONResponse({"headers": dict(request.headers), "user": services.current_principal().user})


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    opened = Workbench.open(home=tmp_path / "home", verify_encoder=False)
    services.use(opened)
    yield opened
    services.close()


@pytest.fixture
def home(bench: Workbench) -> Workbench:
    bench.local.accounts.add("root", password=PASSWORD, roles=["admin"])
    bench.local.accounts.add("ann", password=PASSWORD, roles=["analyst"])
    return bench


@pytest.fixture
def client(bench: Workbench) -> Iterator[TestClient]:
    api = Starlette(routes=ROUTES, exception_handlers={GroundworkError: problem})
    routes = [Mount("/api", api), *sign_in.ROUTES, Route("/seen", seen), WebSocketRoute("/echo", echo)]
    with TestClient(
        Starlette(routes=routes, middleware=[Middleware(Identity)]), follow_redirects=False
    ) as made:
        yield made
