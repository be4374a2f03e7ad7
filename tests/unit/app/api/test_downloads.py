from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from app.api.downloads import Downloads
from core.domain.trust.deed import AuditQuery
from core.workbench.facade import Workbench


def answer(request: Request) -> Response:
    given = {
        "file": (200, "attachment; filename=x.csv"),
        "page": (200, "inline"),
        "gone": (404, "attachment"),
    }
    status, how = given[request.path_params["name"]]
    return Response("text", status, {"content-disposition": how})


@pytest.fixture
def files(bench: Workbench) -> Iterator[TestClient]:
    app = Starlette(routes=[Route("/{name}", answer)], middleware=[Middleware(Downloads)])
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def test_a_file_that_is_saved_is_kept_and_nothing_else(bench: Workbench, files: TestClient) -> None:
    for name in ("file", "page", "gone"):
        assert files.get(f"/{name}?secret=1").text == "text"

    [entry] = bench.local.audit_log.entries(AuditQuery())
    assert (entry.deed.name, entry.deed.subject, entry.deed.account) == ("file.export", "/file", "admin")


def test_a_file_that_cannot_be_written_down_does_not_leave(
    bench: Workbench, files: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise OSError("disk full")

    monkeypatch.setattr("core.store.people.audit_log.append", fail)
    assert files.get("/file").status_code == 500
    assert files.get("/page").status_code == 200
