"""Bodies and numbers of requests, and the headers and file names of what answers them."""

from __future__ import annotations

import json
import re
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app import services
from core.domain.wire.shapes import Shape
from core.errors import UsageError

PRIVATE = {"Cache-Control": "private, no-cache"}
NUMBER = re.compile(r"[0-9]{1,9}\Z")
_OTHERS = re.compile(r"[^a-z0-9]+")


def reply(body: Shape | dict[str, Any], status: int = 200, location: str = "") -> Response:
    """A body as JSON that nobody but the caller may keep.

    location: address of what a call made, relative to `/api/v1`.
    """
    headers = {**PRIVATE, "Location": f"/api/v1{location}"} if location else PRIVATE
    return JSONResponse(body.json_ready() if isinstance(body, Shape) else body, status, headers)


def number_of(request: Request, name: str, default: int) -> int:
    """A number of the address; the default where it is missing or none."""
    value = request.query_params.get(name, "")
    return int(value) if NUMBER.match(value) else default


def file_name(question: str) -> str:
    """A question as the name of a file: plain letters, digits and hyphens, at most 60; never empty."""
    return _OTHERS.sub("-", question.lower()).strip("-")[:60] or "answer"


def home_address(request: Request) -> str:
    """Address of this home for people: as configured, or as it was called."""
    return (services.bench().settings.app.public_url or str(request.base_url)).rstrip("/")


async def json_object(request: Request, most_bytes: int) -> dict[str, Any]:
    """The JSON object that a request holds; {} where it is empty. Raises UsageError."""
    data = bytearray()
    async for piece in request.stream():
        data += piece
        if len(data) > most_bytes:
            raise UsageError("The request is too large.", next_step="Send less at once.")
    if not data.strip():
        return {}
    try:
        found = json.loads(bytes(data))
    except (ValueError, RecursionError):
        raise UsageError("The request is no JSON.", next_step="Send a JSON object.") from None
    if not isinstance(found, dict):
        raise UsageError("The request is no JSON object.", next_step="Send a JSON object.")
    return found
