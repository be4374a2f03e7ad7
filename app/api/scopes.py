"""What a token must be good for, route by route: one table, and whatever it does not name needs `admin`."""

from __future__ import annotations

import re
from collections.abc import Collection

_SAFE = ("GET", "HEAD")
_TABLE: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (_SAFE, r"/api/v1/(healthz|docs|openapi\.json)(/.*)?", ""),
    (_SAFE, r"/api/v1/metrics", "admin"),
    (("POST",), r"/api/v1/search", "read"),
    (("POST",), r"/api/v1/summaries", "ask"),
    (_SAFE, r"/api/summaries", "ask"),
    (("POST",), r"/api/v1/rag/(query|feedback)", "ask"),
    (_SAFE, r"/api/v1/rag/.*", "ask"),
    (("POST",), r"/api/v1/plans(/[^/]+/run)?", "ask"),
    (_SAFE, r"/api/v1/plans/.*", "ask"),
    (_SAFE, r"/api/v1/(audits|answers)(/.*)?", "ask"),
    (("POST", "PATCH", "DELETE"), r"/api/v1/audits(/.*)?", "ask"),
    (_SAFE, r"/api/(traces|turns|plan-runs|conversations)/.*", "ask"),
    (_SAFE, r"/api/v1/(documents|matrix|contradictions|map|rates|datasets)(/.*)?", "read"),
    (("POST",), r"/api/v1/datasets/query", "ask"),
    (("POST", "PATCH", "DELETE"), r"/api/v1/datasets(/.*)?", "write"),
    (_SAFE, r"/api/(documents|matrix|schemas)([./].*)?", "read"),
    (_SAFE, r"/api/(assets|plotly)/.*", "read"),
    (("POST", "DELETE", "PUT"), r"/api/v1/documents(/.*)?", "write"),
    (("POST",), r"/api/v1/crawls", "write"),
    (("GET", "HEAD", "DELETE"), r"/api/v1/jobs(/.*)?", "write"),
    (_SAFE, r"/api/crawls/.*", "write"),
    (("PUT",), r"/api/uploads/.*", "write"),
    (("POST", "PUT", "DELETE"), r"/api/matrix/.*", "write"),
    (("GET", "HEAD", "POST"), r"/api/v1/(reviews|evaluations)(/.*)?", "review"),
    (("GET", "HEAD", "POST", "DELETE"), r"/api/v1/(uncovered|phrases|lessons|failures)(/.*)?", "write"),
)
_ROUTES = tuple((frozenset(methods), re.compile(pattern), scope) for methods, pattern, scope in _TABLE)


def scope_of(method: str, path: str) -> str:
    """The scope that a call needs, "" where any valid token will do."""
    for methods, pattern, scope in _ROUTES:
        if method in methods and pattern.fullmatch(path):
            return scope
    return "admin"


def may_call(scopes: Collection[str], method: str, path: str) -> bool:
    """True where a token with these scopes may make the call; `admin` may make all."""
    wanted = scope_of(method, path)
    return not wanted or wanted in scopes or "admin" in scopes
