from __future__ import annotations

import re

import pytest
from starlette.routing import Route, WebSocketRoute

from app.api.routes import ROUTES
from app.api.scopes import may_call, scope_of

ADMINS_ALONE: set[tuple[str, str]] = set()
"""Routes that no scope but `admin` opens."""


def test_every_route_stands_in_the_table() -> None:
    missing = set()
    for route in ROUTES:
        assert isinstance(route, Route | WebSocketRoute)
        path = "/api" + re.sub(r"\{[^}]*\}", "x1", route.path)
        for method in getattr(route, "methods", None) or {"GET"}:
            if scope_of(method, path) == "admin":
                missing.add((method, route.path))

    assert missing == ADMINS_ALONE


@pytest.mark.parametrize(
    ("scopes", "method", "path", "is_allowed"),
    [
        ((), "GET", "/api/v1/healthz", True),
        (("read",), "POST", "/api/v1/search", True),
        (("read",), "POST", "/api/v1/documents", False),
        (("read",), "DELETE", "/api/v1/documents/d1", False),
        (("read",), "POST", "/api/v1/rag/query", False),
        (("ask",), "POST", "/api/v1/plans/p1/run", True),
        (("write",), "DELETE", "/api/v1/jobs/j1", True),
        (("ask", "read", "write"), "POST", "/api/v1/reviews/r1", False),
        (("review",), "POST", "/api/v1/reviews/r1", True),
        (("read", "ask", "write", "review"), "POST", "/api/v1/something/new", False),
        (("admin",), "POST", "/api/v1/something/new", True),
        (("read",), "GET", "/api/v1/documents/../crawls", True),
        (("read",), "TRACE", "/api/v1/search", False),
    ],
)
def test_a_scope_opens_its_own_routes_alone(
    scopes: tuple[str, ...], method: str, path: str, is_allowed: bool
) -> None:
    assert may_call(scopes, method, path) is is_allowed
