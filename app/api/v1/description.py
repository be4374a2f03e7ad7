"""The OpenAPI document, and the page that people read of it."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from app.api.scopes import scope_of
from app.api.v1.docs_page import HEADERS, docs_page
from app.api.v1.responses import Problem

PREFIX = "/api/v1"
TEXT = """\
Questions over a collection of documents, with checked citations. Every route answers on behalf of the
account whose bearer token is sent; on a machine without accounts none is needed. Errors are problem documents
(RFC 9457) whose `detail` says what is wrong and whose `next_step` says what to do.
"""
_FAULTS = {
    "400": "The request cannot be read, or asks for what cannot be",
    "401": "Nobody is signed in, or the token is not valid",
    "403": "The account or its token may not do this",
    "404": "There is nothing here that the account may see",
    "405": "The address does not take that method",
    "409": "Something else came first, or the state does not allow it",
    "413": "The request is too large",
    "415": "The body is of another type than the route takes",
    "422": "A part of the request is not as it should be",
    "429": "Too many requests; `Retry-After` says when the next one counts",
    "500": "The server failed",
    "503": "The server cannot answer now",
}


def describe(app: FastAPI) -> None:
    """Give an application its OpenAPI document and the page of it, at `/openapi.json` and `/docs`."""
    document: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not document:
            document.update(_document(app))
        return document

    def schema(_request: Request) -> Response:
        return JSONResponse(openapi())

    def page(_request: Request) -> Response:
        return HTMLResponse(docs_page(openapi()), headers=HEADERS)

    app.openapi = openapi  # type: ignore[method-assign]
    app.add_route("/openapi.json", schema, include_in_schema=False)
    app.add_route("/docs", page, include_in_schema=False)


def _document(app: FastAPI) -> dict[str, Any]:
    found = get_openapi(
        title=app.title,
        version=app.version,
        description=app.description,
        routes=app.routes,
        servers=[{"url": PREFIX}],
    )
    parts = found.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= problem.pop("$defs", {})
    schemas["Problem"] = problem
    parts["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "A token of `groundwork tokens add`."}
    }
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            _complete(operation, scope_of(method.upper(), PREFIX + path))
    return found


def _complete(operation: dict[str, Any], scope: str) -> None:
    """Add the faults that every route may answer with, and what a token must be good for."""
    reference = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    responses = operation.setdefault("responses", {})
    for status, text in _FAULTS.items():
        given = responses.get(status, {}).get("content", {})
        own = {} if "HTTPValidationError" in str(given) else given
        responses[status] = {"description": text, "content": {**own, **reference}}
    if scope:
        operation["security"] = [{"token": []}, {}]
        operation["description"] = (
            f"{operation.get('description', '')}\n\nScope of a token: `{scope}`.".strip()
        )
        operation["x-scope"] = scope
