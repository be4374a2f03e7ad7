"""The JSON objects of requests, read up to a size."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request

from core.errors import UsageError


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
