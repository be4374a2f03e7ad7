"""Errors of the interface, from its problem documents (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core.errors import GroundworkError


class ApiError(GroundworkError):
    """The server refused a call, or could not be reached (`status` 0).

    status: of HTTP. problem_code: E001 to E006, "" where the fault has none. request_id: of the server's log.
    faults: keys of the request that do not fit, with the reason.
    retry_after_s: when the next call counts, None where the server does not say.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        next_step: str = "",
        problem_code: str = "",
        request_id: str = "",
        faults: Mapping[str, str] | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message, next_step=next_step)
        self.status = status
        self.problem_code = problem_code
        self.request_id = request_id
        self.faults = dict(faults or {})
        self.retry_after_s = retry_after_s

    @property
    def is_passing(self) -> bool:
        """True where the same call may succeed a moment later."""
        return self.status in (0, 429, 502, 503, 504)


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """The error that a response tells; one without a problem document gives its status alone."""
    found = _problem(body)
    faults = found.get("errors")
    return ApiError(
        str(found.get("detail") or f"The server answered {status}."),
        status=status,
        next_step=str(found.get("next_step") or ""),
        problem_code=str(found.get("code") or ""),
        request_id=str(found.get("request_id") or headers.get("x-request-id", "")),
        faults={str(each["location"]): str(each["message"]) for each in faults or () if "location" in each},
        retry_after_s=_seconds(headers.get("retry-after", "")),
    )


def _problem(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _seconds(text: str) -> float | None:
    """Seconds of a Retry-After header; a date, which our server never sends, counts as none."""
    return float(text) if text.isascii() and text.isdecimal() else None
