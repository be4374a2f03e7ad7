"""All routes under `/api`."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from app import services
from app.api import answers, audits, crawls, documents, drill_down, matrix, metrics, plans, schemas, uploads
from app.assets import asset
from core.errors import GroundworkError, SignInError

IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}


def healthz(_request: Request) -> Response:
    """Health: 200 with the engine that serves where questions can be answered, else 503 with the reason."""
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


def component_asset(request: Request) -> Response:
    """A component's script or style; the fingerprint in the address makes it immutable."""
    found = asset(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return Response(found.text, media_type=found.media_type, headers=IMMUTABLE)


ROUTES: list[BaseRoute] = [
    Route("/v1/healthz", healthz),
    Route("/assets/{fingerprint}/{name}", component_asset),
    *documents.ROUTES,
    *answers.ROUTES,
    *drill_down.ROUTES,
    *matrix.ROUTES,
    *plans.ROUTES,
    *audits.ROUTES,
    *crawls.ROUTES,
    *schemas.ROUTES,
    *uploads.ROUTES,
    *metrics.ROUTES,
]
