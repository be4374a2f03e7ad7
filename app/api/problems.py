"""Errors as RFC 9457 problem documents, in the words that the pages use."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.errors import (
    ConflictError,
    GroundworkError,
    InputError,
    NotFoundError,
    PlanError,
    RefusedError,
    SignInError,
    ThrottledError,
    UsageError,
)
from core.plan.ir.validate import Problem

_STATUS: tuple[tuple[type[GroundworkError], int], ...] = (
    (NotFoundError, 404),
    (SignInError, 401),
    (ThrottledError, 429),
    (RefusedError, 403),
    (ConflictError, 409),
    (InputError, 422),
    (PlanError, 422),
    (UsageError, 400),
)


def problem(_request: Request, error: Exception) -> Response:
    """The response for an error of ours; `retryable` ones say so with 503."""
    if not isinstance(error, GroundworkError):
        raise error
    status = next((s for kind, s in _STATUS if isinstance(error, kind)), 503 if error.retryable else 500)
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": type(error).__name__.removesuffix("Error"),
        "status": status,
        "detail": error.message,
        "next_step": error.next_step,
        "code": error.code,
    }
    if isinstance(error, PlanError):
        body["problems"] = [asdict(each) for each in error.problems if isinstance(each, Problem)]
    if isinstance(error, ConflictError):
        body |= {"user": error.user, "at": error.at.isoformat()}
    headers = {}
    if isinstance(error, SignInError):
        headers["WWW-Authenticate"] = 'Bearer realm="groundwork"'
    if isinstance(error, ThrottledError):
        headers["Retry-After"] = str(error.retry_after_s)
    return JSONResponse(body, status, headers, media_type="application/problem+json")
