"""The application of `/api/v1`: its routes, and its faults as problem documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from app.api.problems import HANDLERS, failure, http_problem, problem_document
from app.api.v1 import (
    accounting,
    audits,
    description,
    documents,
    health,
    jobs,
    learning,
    matrix,
    plans,
    rag,
    reviews,
    search,
    summaries,
)
from app.api.v1.experiments import routes as experiments
from app.api.v1.idempotency import Idempotency
from app.api.v1.limits import RequestLimits, path_of
from app.api.v1.rows import datasets


class MethodNotAllowed:
    """Handler of 405. Several routes may share an address; `Allow` names the methods of all of them."""

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        self._routes = [each for each in routes if isinstance(each, APIRoute)]

    def __call__(self, request: Request, _error: Exception) -> Response:
        """The problem document."""
        allowed = ", ".join(self.methods(path_of(request.scope)))
        return http_problem(request, HTTPException(405, headers={"Allow": allowed}))

    def methods(self, path: str) -> list[str]:
        """The methods of an address below `/api/v1`; HEAD goes with GET."""
        found = {
            method for each in self._routes if each.path_regex.match(path) for method in each.methods or ()
        }
        return sorted(found | ({"HEAD"} if "GET" in found else set()))


ROUTERS = (
    rag.ROUTER,
    search.ROUTER,
    summaries.ROUTER,
    documents.ROUTER,
    plans.ROUTER,
    audits.ROUTER,
    datasets.ROUTER,
    matrix.ROUTER,
    learning.ROUTER,
    accounting.ROUTER,
    experiments.ROUTER,
    reviews.ROUTER,
    reviews.EVALUATIONS,
    jobs.CRAWLS,
    jobs.ROUTER,
    health.ROUTER,
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
    app.add_exception_handler(405, MethodNotAllowed(each for router in ROUTERS for each in router.routes))
    for router in ROUTERS:
        app.include_router(router)
    description.describe(app)
    return app


def _operation_id(route: APIRoute) -> str:
    return route.name


_MOST_FAULTS = 20


def fault(request: Request, error: Exception) -> Response:
    """The response to a request whose parts are not as the interface says.

    404 where the address itself is at fault, 400 where the body is no JSON object, else 422.
    """
    if not isinstance(error, RequestValidationError):
        raise error
    found = error.errors()
    places = [tuple(each["loc"]) for each in found]
    if all(place[:1] == ("path",) for place in places):
        return problem_document(
            request.scope, 404, "There is nothing at this address.", next_step="See /api/v1/docs."
        )
    first = found[0]
    if places[0][:1] == ("body",) and (places[0] == ("body",) or first["type"] == "json_invalid"):
        return problem_document(
            request.scope, 400, "The request is no JSON object.", next_step="Send a JSON object."
        )
    faults = [_told(each) for each in found[:_MOST_FAULTS]]
    name, message = faults[0]["location"].partition(".")[2], faults[0]["message"]
    return problem_document(
        request.scope,
        422,
        f"`{name}`: {message}.",
        title="Request does not fit",
        next_step="Correct it; /api/v1/docs says what is expected.",
        errors=faults,
    )


def _told(each: Mapping[str, Any]) -> dict[str, str]:
    return {"location": ".".join(map(str, each["loc"]))[:200], "message": str(each["msg"])[:300]}
