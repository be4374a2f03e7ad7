"""The application of `/api/v1`: its routes, and its faults as problem documents."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.middleware import Middleware

from app.api.problems import HANDLERS, failure
from app.api.v1 import (
    audits,
    crawls,
    description,
    documents,
    health,
    jobs,
    learning,
    matrix,
    metrics,
    plans,
    rag,
    search,
)
from app.api.v1.faults import fault
from app.api.v1.idempotency import Idempotency
from app.api.v1.limits import RequestLimits

ROUTERS = (
    rag.ROUTER,
    search.ROUTER,
    documents.ROUTER,
    plans.ROUTER,
    audits.ROUTER,
    matrix.ROUTER,
    learning.ROUTER,
    crawls.ROUTER,
    jobs.ROUTER,
    health.ROUTER,
    metrics.ROUTER,
)


def make_v1() -> FastAPI:
    """A new application with all routes, to be mounted under `/api/v1`."""
    app = FastAPI(
        title="Groundwork",
        version="1",
        description=description.TEXT,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        generate_unique_id_function=_operation_id,
        strict_content_type=False,
        redirect_slashes=False,
        middleware=[Middleware(RequestLimits), Middleware(Idempotency)],
    )
    for kind, handler in {**HANDLERS, RequestValidationError: fault, Exception: failure}.items():
        app.add_exception_handler(kind, handler)
    for router in ROUTERS:
        app.include_router(router)
    description.describe(app)
    return app


def _operation_id(route: APIRoute) -> str:
    return route.name
