"""Methods that an address takes, for the answer to one that it does not take."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from app.api.problems import http_problem
from app.api.v1.limits import path_of


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
