from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pytest
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from app.api.routes import ROUTES, FirstVersion
from app.api.scopes import may_call, scope_of

_EXPERIMENTS = "/api/v1/experiments"
ADMINS_ALONE = {
    ("GET", "/api/v1/metrics"),
    ("PUT", "/api/v1/rates"),
    ("PATCH", "/api/v1/rates"),
    ("GET", _EXPERIMENTS),
    ("GET", f"{_EXPERIMENTS}/comparisons/{{job}}"),
    ("POST", _EXPERIMENTS),
    ("POST", f"{_EXPERIMENTS}/compare"),
    ("POST", f"{_EXPERIMENTS}/rollback"),
    ("POST", f"{_EXPERIMENTS}/{{name}}/switch"),
    ("DELETE", f"{_EXPERIMENTS}/{{name}}"),
}
"""Routes that no scope but `admin` opens."""


def calls(routes: Iterable[BaseRoute], prefix: str = "/api") -> Iterator[tuple[str, str]]:
    """Method and path of every route, also of those of mounted applications and their routers."""
    for route in routes:
        if isinstance(route, Mount):
            app = route.app.open() if isinstance(route.app, FirstVersion) else route.app
            yield from calls(app.routes, prefix + route.path)
        elif hasattr(route, "original_router"):
            yield from calls(route.original_router.routes, prefix)
        else:
            assert isinstance(route, Route | WebSocketRoute)
            for method in getattr(route, "methods", None) or {"GET"}:
                yield method, prefix + route.path


def test_every_route_stands_in_the_table() -> None:
    found = {(method, path): re.sub(r"\{[^}]*\}", "x1", path) for method, path in calls(ROUTES)}
    missing = {each for each, path in found.items() if scope_of(each[0], path) == "admin"}

    assert missing == ADMINS_ALONE
    assert {path for _, path in found} >= {"/api/v1/rag/query", "/api/v1/docs", "/api/documents.{kind}"}


@pytest.mark.parametrize(
    ("scopes", "method", "path", "is_allowed"),
    [
        ((), "GET", "/api/v1/healthz", True),
        (("read",), "POST", "/api/v1/search", True),
        (("read",), "GET", "/api/v1/map/path", True),
        (("write",), "GET", "/api/v1/map", False),
        (("read",), "POST", "/api/v1/summaries", False),
        (("ask",), "POST", "/api/v1/summaries", True),
        (("read",), "POST", "/api/v1/documents", False),
        (("read",), "DELETE", "/api/v1/documents/d1", False),
        (("read",), "POST", "/api/v1/rag/query", False),
        (("ask",), "POST", "/api/v1/plans/p1/run", True),
        (("write",), "DELETE", "/api/v1/jobs/j1", True),
        (("ask", "read", "write"), "POST", "/api/v1/reviews/r1", False),
        (("review",), "POST", "/api/v1/reviews/r1", True),
        (("ask",), "POST", "/api/v1/evaluations", False),
        (("review",), "GET", "/api/v1/evaluations/e1/compare/e2", True),
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
