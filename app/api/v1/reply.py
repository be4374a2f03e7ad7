"""Responses of the interface: JSON that nobody but the caller may keep."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse, Response

from app.api.http import PRIVATE


def reply(body: dict[str, Any], status: int = 200, location: str = "") -> Response:
    """A body as JSON. location: address of what a call made, relative to `/api/v1`."""
    headers = {**PRIVATE, "Location": f"/api/v1{location}"} if location else PRIVATE
    return JSONResponse(body, status, headers)
