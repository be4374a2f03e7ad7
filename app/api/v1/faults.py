"""Requests that do not fit the interface, as problem documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.requests import Request
from starlette.responses import Response

from app.api.problems import problem_document

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
