"""Health of the server."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse, PlainTextResponse, Response

from app import services
from core.domain.wire.records import Health
from core.errors import GroundworkError, SignInError
from core.telemetry.prometheus import MEDIA_TYPE, exposition

ROUTER = APIRouter(tags=["Server"])


@ROUTER.get("/healthz", response_model=Health, responses={503: {"model": Health}})
def healthz() -> Response:
    """Health of the server.

    200 with the engine that serves where questions can be answered, else 503 with the reason. Needs no token.
    """
    try:
        services.bench()
        status = services.session().settings.status()
    except SignInError:  # of whoever is not signed in, no more than that
        return JSONResponse({"schema": 1, "status": "ok"})
    except GroundworkError as error:
        return JSONResponse({"schema": 1, "status": "failed", "detail": error.message}, 503)
    body = {
        "schema": 1,
        "status": "ok",
        "engine": status.engine,
        "data_version": status.data_version,
        "documents": status.documents,
        "worker_alive": status.worker_alive,
    }
    return JSONResponse(body)


@ROUTER.get("/metrics", response_class=PlainTextResponse)
def metrics() -> Response:
    """Metrics for Prometheus.

    Of this process since it started, and of the home as it stands now; for admins. 404 where the extra
    `telemetry` is not installed.
    """
    body = exposition(services.session().settings.figures())
    return Response(body, media_type=MEDIA_TYPE, headers={"Cache-Control": "no-store"})
