from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from app.api import identity as middleware
from app.api.identity import FORGED
from app.identity import COOKIE, SESSION_HEADER
from core.store.database.trust_tables import api_tokens, browser_sessions
from core.workbench.facade import Workbench

PASSWORD = "correct horse"


def enter(client: TestClient, name: str = "ann") -> None:
    answer = client.post("/sign-in", data={"name": name, "password": PASSWORD})
    assert answer.status_code == 303


def test_without_accounts_everybody_here_is_the_local_admin(bench: Workbench, client: TestClient) -> None:
    assert client.get("/seen").json()["user"] == "admin"
    assert client.get("/sign-in").headers["location"] == "/"


def test_with_accounts_nothing_is_shown_to_nobody(home: Workbench, client: TestClient) -> None:
    page = client.get("/seen?x=1", headers={"accept": "text/html"})
    assert (page.status_code, page.headers["location"]) == (303, "/sign-in?next=%2Fseen%3Fx%3D1")
    for path in ("/seen", "/api/v1/audits", "/api/documents.csv", "/api/nowhere"):
        answer = client.get(path)
        assert answer.status_code == 401
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["www-authenticate"].startswith("Bearer")
        assert answer.headers["cache-control"] == "no-store"
    assert client.get("/api/v1/healthz").json() == {"schema": 1, "status": "ok"}
    with pytest.raises(WebSocketDisconnect) as raised, client.websocket_connect("/echo"):
        pass
    assert raised.value.code == 4401


def test_headers_by_which_a_client_says_who_it_is_are_not_believed(
    home: Workbench, client: TestClient
) -> None:
    enter(client)
    root = home.sign_in.by_password("root", PASSWORD, address="").session.id
    sent = {
        "X-Groundwork-Session": root,
        "x_groundwork_session": root,
        "X-Forwarded-User": "root",
        "Remote-User": "root",
        "X-Auth-Request-Email": "root@example.com",
        "X-Forwarded-For": "10.9.9.9",
    }

    found = client.get("/seen", headers=sent).json()

    assert found["user"] == "ann"
    assert found["headers"][SESSION_HEADER] not in ("", root)
    assert found["headers"]["x-forwarded-for"] == "10.9.9.9"
    assert not any(FORGED.fullmatch(name) for name in found["headers"] if name != SESSION_HEADER)


def test_a_token_does_what_its_scopes_say_and_no_more(home: Workbench, client: TestClient) -> None:
    text, token = home.local.tokens.add("x", ["ask"], account="ann")
    bearer = {"authorization": f"Bearer {text}"}

    assert client.get("/api/v1/audits", headers=bearer).status_code == 200
    refused = client.get("/api/documents.csv", headers=bearer)
    assert (refused.status_code, "scope 'read'" in refused.json()["detail"]) == (403, True)
    assert client.get("/seen", headers=bearer).status_code == 401  # pages are not for tokens
    home.local.tokens.revoke(token.id)
    for wrong in (text, text[:-1] + "x", "", "gwk_x_y"):
        assert client.get("/api/v1/audits", headers={"authorization": f"Bearer {wrong}"}).status_code == 401


def test_a_disabled_account_is_out_with_the_next_request(home: Workbench, client: TestClient) -> None:
    enter(client)
    assert client.get("/seen").json()["user"] == "ann"
    home.local.accounts.disable("ann")
    assert client.get("/seen").status_code == 401


def test_an_open_websocket_ends_with_its_session(
    home: Workbench, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "CHECK_EVERY_S", 0.05)
    enter(client)
    with client.websocket_connect("/echo") as socket:
        socket.send_text("still here")
        assert socket.receive_text() == "still here"
        home.local.accounts.change("ann", roles=[])
        with pytest.raises(WebSocketDisconnect) as raised:
            socket.receive_text()
    assert raised.value.code == 4401


def test_a_cookie_is_exchanged_after_a_while(home: Workbench, client: TestClient) -> None:
    enter(client)
    first = client.cookies[COOKIE]
    client.get("/seen")
    assert client.cookies[COOKIE] == first
    long_ago = datetime.now(UTC) - timedelta(hours=1)
    database = home._parts.records.database
    with database.write_rows() as connection:
        connection.execute(sa.update(browser_sessions).values(rotated_at=long_ago))

    renewed = client.get("/seen")

    assert renewed.json()["user"] == "ann"
    assert client.cookies[COOKIE] != first
    assert "HttpOnly" in renewed.headers["set-cookie"]
    assert "SameSite=lax" in renewed.headers["set-cookie"]
    assert client.get("/seen").json()["user"] == "ann"


def test_who_must_change_their_password_does_nothing_else(home: Workbench, client: TestClient) -> None:
    password = home.local.accounts.reset_password("ann")
    answer = client.post("/sign-in", data={"name": "ann", "password": password, "next": "/seen"})
    assert answer.headers["location"] == "/sign-in/password?next=%2Fseen"

    assert client.get("/seen").status_code == 403
    assert (
        client.get("/seen", headers={"accept": "text/html"})
        .headers["location"]
        .startswith("/sign-in/password")
    )
    changed = {"old": password, "new": "battery staple", "again": "battery staple", "next": "/seen"}
    assert client.post("/sign-in/password", data=changed).headers["location"] == "/seen"
    assert client.get("/seen").json()["user"] == "ann"


def test_a_forged_token_is_told_so_also_where_nobody_signs_in(bench: Workbench, client: TestClient) -> None:
    for path in ("/api/v1/audits", "/api/documents.csv", "/api/v1/rag/status/t1"):
        for text in ("gwk_x_y", "", "gwk_0123456789abcdef_" + "A" * 43):
            answer = client.get(path, headers={"authorization": f"Bearer {text}"})
            assert (answer.status_code, answer.headers["content-type"]) == (401, "application/problem+json")
            assert answer.json()["request_id"]
    assert client.get("/api/v1/audits").status_code == 200
    assert (
        client.get("/api/v1/audits", headers={"authorization": "Basic eDp5"}).status_code == 200
    )  # a proxy's


def test_a_token_outlives_neither_its_scopes_nor_its_time(home: Workbench, client: TestClient) -> None:
    text, token = home.local.tokens.add("x", ["read"], account="ann")
    bearer = {"authorization": f"Bearer {text}"}
    assert client.get("/api/v1/documents", headers=bearer).status_code == 200
    refused = client.post("/api/v1/rag/query", json={"question": "x"}, headers=bearer)
    assert (refused.status_code, refused.headers["content-type"]) == (403, "application/problem+json")
    database = home._parts.records.database
    past = datetime.now(UTC) - timedelta(seconds=1)
    with database.write_rows() as connection:
        connection.execute(sa.update(api_tokens).where(api_tokens.c.id == token.id).values(expires_at=past))
    assert client.get("/api/v1/documents", headers=bearer).status_code == 401
