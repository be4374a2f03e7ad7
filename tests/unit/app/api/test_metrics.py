from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket

from app.api.metrics import Metered, area_of
from core.errors import UsageError
from core.telemetry.measures import REQUEST_TIMES, REQUESTS, SOCKETS, Tally
from core.workbench.facade import Workbench


@pytest.mark.parametrize(
    ("path", "area"),
    [
        ("/", "page"),
        ("/documents", "page"),
        ("/people/ann@example.com", "page"),
        ("/sign-in/password", "sign-in"),
        ("/static/js/index.js", "static"),
        ("/_stcore/health", "streamlit"),
        ("/api/v1/documents/doc-1/pages/3", "v1/documents"),
        ("/api/documents.csv", "documents"),
        ("/api/v1/secret-name", "v1/other"),
        ("/api/turns/t1/ws", "turns"),
    ],
)
def test_an_address_belongs_to_a_part_of_the_server(path: str, area: str) -> None:
    assert area_of(path) == area


def test_requests_count_with_how_they_ended_and_sockets_while_they_are_open() -> None:
    tally = Tally()

    def page(_request: Request) -> Response:
        return PlainTextResponse("page")

    def broken(_request: Request) -> Response:
        raise ZeroDivisionError

    async def echo(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text(str(tally.counted(SOCKETS)[()]))
        await socket.close()

    routes = [Route("/", page), Route("/broken", broken), WebSocketRoute("/echo", echo)]
    client = TestClient(Metered(Starlette(routes=routes), tally), raise_server_exceptions=False)
    client.get("/")
    client.get("/broken")
    client.request("BREW", "/")
    with client.websocket_connect("/echo") as socket:
        assert socket.receive_text() == "1.0"

    assert tally.counted(REQUESTS) == {
        ("page", "GET", "200"): 1,
        ("page", "GET", "500"): 1,
        ("page", "other", "405"): 1,
    }
    assert sum(tally.timed(REQUEST_TIMES)["page",].counts) == 3
    assert tally.counted(SOCKETS) == {(): 0}


def test_metrics_are_for_admins_and_tokens_with_that_scope(home: Workbench, client: TestClient) -> None:
    def scrape(scope: str, account: str) -> Response:
        text, _ = home.local.tokens.add(f"{scope} {account}", [scope], account=account)
        return client.get("/api/v1/metrics", headers={"authorization": f"Bearer {text}"})  # type: ignore[return-value]

    assert client.get("/api/v1/metrics").status_code == 401
    assert scrape("read", "root").status_code == 403
    with pytest.raises(UsageError, match="no admin"):
        scrape("admin", "ann")
    answer = scrape("admin", "root")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    assert "groundwork_documents{" in answer.text  # type: ignore[attr-defined]
    assert "ann" not in answer.text.replace("channel", "")  # type: ignore[attr-defined]
