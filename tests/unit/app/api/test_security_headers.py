from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from app.api.security_headers import DATA_POLICY, PLAIN, SecurityHeaders, inline_scripts, page_policy
from core.workbench.facade import Workbench

OWN = "default-src 'none'; sandbox"


def page(_request: Request) -> Response:
    return PlainTextResponse("page")


def own(_request: Request) -> Response:
    headers = {
        "Content-Security-Policy": OWN,
        "X-Frame-Options": "SAMEORIGIN",
        "Referrer-Policy": "no-referrer",
    }
    return PlainTextResponse("own", headers=headers)


def broken(_request: Request) -> Response:
    raise ZeroDivisionError


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    with_text = await socket.receive_text()
    await socket.send_text(with_text)
    await socket.close()


async def refused(socket: WebSocket) -> None:
    await socket.close(4403, "Not from here.")


ROUTES = [
    Route("/", page),
    Route("/own", own),
    Route("/broken", broken),
    Mount("/api", routes=[Route("/v1/x", page)]),
    WebSocketRoute("/echo", echo),
    WebSocketRoute("/refused", refused),
]


@pytest.fixture
def client(bench: Workbench) -> Iterator[TestClient]:
    app = SecurityHeaders(Starlette(routes=ROUTES), scripts=lambda: ["'sha256-abc='"])
    with TestClient(app, raise_server_exceptions=False) as made:
        yield made


@pytest.mark.parametrize("path", ["/", "/own", "/broken", "/api/v1/x", "/api/nowhere", "/nowhere"])
def test_every_response_has_them_errors_too(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    for name in PLAIN:
        assert headers[name]
    assert headers["x-content-type-options"] == "nosniff"
    assert "content-security-policy" in headers
    assert "strict-transport-security" not in headers


def test_pages_data_and_what_says_its_own_differ(client: TestClient) -> None:
    of_page = client.get("/").headers["content-security-policy"]
    assert of_page == page_policy(["'sha256-abc='"], host="testserver")
    assert "frame-ancestors 'none'" in of_page
    assert client.get("/api/v1/x").headers["content-security-policy"] == DATA_POLICY
    found = client.get("/own").headers
    assert found.get_list("content-security-policy") == [OWN]
    assert (found["x-frame-options"], found["referrer-policy"]) == ("SAMEORIGIN", "no-referrer")


def test_a_host_that_is_none_does_not_get_into_the_policy(client: TestClient) -> None:
    policy = client.get("/", headers={"host": "x; script-src *"}).headers["content-security-policy"]
    assert policy == page_policy(["'sha256-abc='"])
    assert "connect-src 'self';" in policy


def test_https_is_asked_for_where_it_is_spoken_alone(client: TestClient) -> None:
    assert "strict-transport-security" not in client.get("http://testserver/").headers
    assert client.get("https://testserver/").headers["strict-transport-security"] == "max-age=31536000"


def test_scripts_of_pages_run_only_from_this_server(client: TestClient) -> None:
    parts = dict(part.split(" ", 1) for part in page_policy().split("; "))
    assert parts["script-src"] == "'self' blob:"
    assert (parts["default-src"], parts["object-src"]) == ("'none'", "'none'")
    assert all("*" not in part and "unsafe-eval" not in part for part in parts.values())


def test_the_handshake_of_a_websocket_has_them(client: TestClient) -> None:
    with client.websocket_connect("/echo") as socket:
        assert (b"x-content-type-options", b"nosniff") in socket.extra_headers
        socket.send_text("hello")
        assert socket.receive_text() == "hello"
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()


def test_a_refused_handshake_is_an_answer_with_them_and_the_reason(client: TestClient) -> None:
    with pytest.raises(WebSocketDenialResponse) as raised, client.websocket_connect("/refused"):
        pass
    answer = raised.value
    assert (answer.status_code, answer.text) == (403, "Not from here.")
    assert answer.headers["content-security-policy"]


def test_inline_scripts_are_known_by_their_hash() -> None:
    assert inline_scripts("<script src=x></script><script>a\r\nb</script>") == [
        f"'sha256-{base64.b64encode(hashlib.sha256(b'a' + bytes([10]) + b'b').digest()).decode()}'"
    ]
    assert inline_scripts("<p>") == []
