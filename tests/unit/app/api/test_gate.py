from __future__ import annotations

import socket

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from app.api.gate import LOOPBACK, Gate, hosts_of


def test_a_server_is_asked_for_by_its_own_names_alone() -> None:
    assert hosts_of("127.0.0.1") == LOOPBACK
    assert set(hosts_of("10.0.0.4")) == {*LOOPBACK, "10.0.0.4"}
    assert socket.gethostname().lower() in hosts_of("0.0.0.0")
    assert "ask.example" in hosts_of("0.0.0.0", "https://Ask.example:8443/base")


@pytest.mark.parametrize("path", ["/a%0Ab", "/api/v1/audits/a%0D%0Ab", "/%00"])
def test_what_can_be_no_address_is_told_so(path: str) -> None:
    def page(_request: Request) -> Response:
        return PlainTextResponse("page")

    app = Gate(Starlette(routes=[Route("/{any:path}", page)]), hosts=["testserver"])
    client = TestClient(app)
    assert client.get("/a%20b").text == "page"
    found = client.get(path)
    assert (found.status_code, found.headers["content-type"]) == (404, "application/problem+json")
