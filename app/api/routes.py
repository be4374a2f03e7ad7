"""All routes under `/api`."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Receive, Scope, Send

from app.api import answers, documents, drill_down, file_exports, matrix, uploads
from app.assets import asset

if TYPE_CHECKING:
    from fastapi import FastAPI

IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}


class FirstVersion:
    """ASGI application of `/api/v1`, made at the first request for it.

    FastAPI with all models takes a third of a second, which no page at start should wait for.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards: _app is made once
        self._app: FastAPI | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        app = self._app
        if app is None:
            app = await run_in_threadpool(self.open)
        await app(scope, receive, send)

    def open(self) -> FastAPI:
        """The application itself. Thread-safe."""
        with self._lock:
            if self._app is None:
                from app.api.v1.application import make_v1

                self._app = make_v1()
            return self._app


def component_asset(request: Request) -> Response:
    """A component's script or style; the fingerprint in the address makes it immutable."""
    found = asset(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return Response(found.text, media_type=found.media_type, headers=IMMUTABLE)


V1 = FirstVersion()
ROUTES: list[BaseRoute] = [
    Mount("/v1", app=V1),
    Route("/assets/{fingerprint}/{name}", component_asset),
    *documents.ROUTES,
    *answers.ROUTES,
    *drill_down.ROUTES,
    *matrix.ROUTES,
    *file_exports.ROUTES,
    *uploads.ROUTES,
]
