"""Errors as RFC 9457 problem documents, in the words that the pages use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from app.api.request_id import request_id_of
from core.errors import (
    ConflictError,
    EncoderError,
    GroundworkError,
    InputError,
    JobError,
    NotFoundError,
    PlanError,
    QuestionError,
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
    (JobError, 409),
    (EncoderError, 409),
    (QuestionError, 422),
    (InputError, 422),
    (PlanError, 422),
    (UsageError, 400),
)
_SAID = {
    404: ("There is nothing at this address.", "See /api/v1/docs for those that there are."),
    405: ("This address does not take that method.", "See /api/v1/docs for those that it takes."),
}


def problem(request: Request, error: Exception) -> Response:
    """The response for an error of ours; `retryable` ones say so with 503."""
    if not isinstance(error, GroundworkError):
        raise error
    status = next((s for kind, s in _STATUS if isinstance(error, kind)), 503 if error.retryable else 500)
    more: dict[str, Any] = {}
    if isinstance(error, PlanError):
        more["problems"] = [asdict(each) for each in error.problems if isinstance(each, Problem)]
    if isinstance(error, ConflictError):
        more |= {"user": error.user, "at": error.at.isoformat()}
    headers = {}
    if isinstance(error, SignInError):
        headers["WWW-Authenticate"] = 'Bearer realm="groundwork"'
    if isinstance(error, ThrottledError):
        headers["Retry-After"] = str(error.retry_after_s)
    return problem_document(
        request.scope,
        status,
        error.message,
        title=type(error).__name__.removesuffix("Error"),
        next_step=error.next_step,
        code=error.code,
        headers=headers,
        **more,
    )


def http_problem(request: Request, error: Exception) -> Response:
    """The response where the server's own framework refuses: no such address, no such method."""
    if not isinstance(error, HTTPException):
        raise error
    message, next_step = _SAID.get(error.status_code, (str(error.detail), ""))
    headers = dict(error.headers or {})
    return problem_document(request.scope, error.status_code, message, next_step=next_step, headers=headers)


def failure(request: Request, _error: Exception) -> Response:
    """The response where this program is at fault; the reason is in the server's log alone."""
    return problem_document(
        request.scope,
        500,
        "The server failed at this request.",
        next_step="Try again; if it stays, tell whoever runs the server the request_id.",
    )


def problem_document(
    scope: Scope,
    status: int,
    detail: str,
    *,
    title: str = "",
    next_step: str = "",
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
    **more: Any,
) -> Response:
    """A problem document. more: further keys of it. title: by default that of the status."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": title or HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "next_step": next_step,
        "code": code,
        "request_id": request_id_of(scope),
        **more,
    }
    return JSONResponse(body, status, headers, media_type="application/problem+json")


HANDLERS = {GroundworkError: problem, HTTPException: http_problem}
"""What an application of routes does with errors."""
