from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.api.problems import HANDLERS
from app.api.request_id import HEADER, RequestId, request_id_of


def answer(request: Request) -> PlainTextResponse:
    return PlainTextResponse(request_id_of(request.scope))


def test_a_request_keeps_one_id_its_own_where_that_is_one() -> None:
    middleware = [Middleware(RequestId), Middleware(RequestId)]
    client = TestClient(
        Starlette(routes=[Route("/", answer)], middleware=middleware, exception_handlers=HANDLERS)
    )
    made = client.get("/")
    assert made.headers[HEADER] == made.text
    assert client.get("/").text != made.text
    assert client.get("/", headers={HEADER: "trace-0001"}).text == "trace-0001"
    for wrong in ("short", "x" * 65, "a b c d e f g"):
        assert client.get("/", headers={HEADER: wrong}).text != wrong
    missing = client.get("/nowhere")
    assert missing.json()["request_id"] == missing.headers[HEADER]
