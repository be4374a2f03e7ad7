"""The whole application as it is served: Streamlit's own addresses stand behind the same doors as ours."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from app.api.security_headers import DATA_POLICY, inline_scripts
from app.asgi import make_app
from app.identity import COOKIE
from core.store.database.trust_tables import browser_sessions
from core.workbench.facade import Workbench

HOST = "127.0.0.1:8501"
OWN, FOREIGN = f"http://{HOST}", "https://evil.example"
PASSWORD = "correct horse battery"
STREAM = "/_stcore/stream"


@pytest.fixture(scope="module")
def app() -> object:
    return make_app()


@pytest.fixture
def client(open_home: Workbench, app: object) -> TestClient:
    open_home.local.accounts.add("root", password=PASSWORD, roles=["admin"])
    return TestClient(app, OWN, follow_redirects=False)  # type: ignore[arg-type]


def enter(client: TestClient, next: str = "/") -> str:
    form = {"name": "root", "password": PASSWORD, "next": next}
    answer = client.post("/sign-in", data=form, headers={"origin": OWN})
    assert answer.status_code == 303
    client.cookies.set(COOKIE, answer.cookies[COOKIE])
    return answer.headers["location"]


def test_the_page_runs_the_scripts_that_it_holds_and_no_other(client: TestClient) -> None:
    enter(client)
    page = client.get("/")
    policy = page.headers["content-security-policy"]
    assert "<script>" in page.text
    assert all(source in policy for source in inline_scripts(page.text))
    assert "unsafe-eval" not in policy
    assert "script-src 'self' blob:" in policy
    assert client.get("/api/v1/healthz").headers["content-security-policy"] == DATA_POLICY


@pytest.mark.parametrize(
    "path", ["/", "/static/nothing.js", "/_stcore/health", "/_stcore/nothing", "/media/x"]
)
def test_whatever_answers_has_the_headers(client: TestClient, path: str) -> None:
    for _ in range(2):  # as nobody, and signed in
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        enter(client)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/sign-in"),
        ("POST", "/sign-out"),
        ("POST", "/sign-in/password"),
        ("PUT", "/api/uploads/batch?name=a.txt"),
        ("POST", "/api/matrix/cells/doc/field"),
        ("DELETE", "/api/v1/documents/doc"),
        ("PUT", "/_stcore/upload_file/session/file"),
    ],
)
def test_a_page_elsewhere_changes_nothing(client: TestClient, method: str, path: str) -> None:
    enter(client)
    for headers in (
        {"origin": FOREIGN},
        {"origin": "null"},
        {"origin": f"{FOREIGN}:8501"},
        {"origin": "http://127.0.0.1:8502"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ):
        assert client.request(method, path, headers=headers).status_code == 403, headers
    assert client.get("/api/v1/audits").status_code == 200  # the session is whole


def test_a_websocket_is_opened_by_our_own_pages_alone(client: TestClient) -> None:
    enter(client)
    for origin in (FOREIGN, "null", "http://127.0.0.1:8502"):
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(STREAM, headers={"origin": origin}),
        ):
            pass


def test_a_websocket_of_nobody_is_refused(client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(STREAM, headers={"origin": OWN}):
        pass


def test_streamlit_takes_no_upload_without_its_token(client: TestClient) -> None:
    enter(client)
    files = {"file": ("a.txt", b"text")}
    answer = client.put("/_stcore/upload_file/session/file", files=files, headers={"origin": OWN})
    assert answer.status_code in (400, 403)


def test_another_name_of_this_machine_is_not_answered(client: TestClient) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", "127.0.0.1@evil.example", ""):
        assert client.get("/", headers={"host": host}).status_code in (400, 403)


@pytest.mark.parametrize(
    "wanted",
    [
        FOREIGN,
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https:evil.example",
        "javascript:alert(1)",
        "/%0d%0aset-cookie:x=1\r\nx: y",
        "/\t/evil.example",
        " /",
        "http://127.0.0.1:8501@evil.example/",
        "evil.example",
        "",
    ],
)
def test_a_sign_in_goes_on_to_this_server_alone(client: TestClient, wanted: str) -> None:
    assert enter(client, wanted) == "/"


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(client: TestClient) -> None:
    form = {"name": "root", "password": PASSWORD}
    for scheme, is_secure in (("http", False), ("https", True)):
        origin = f"{scheme}://{HOST}"
        answer = client.post(f"{origin}/sign-in", data=form, headers={"origin": origin})
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert ("Secure" in cookie) is is_secure


def test_every_refusal_names_its_request(client: TestClient, open_home: Workbench) -> None:
    open_home.local.accounts.add("ann", password=PASSWORD)
    text, _ = open_home.local.tokens.add("reader", ["read"], account="ann")
    bearer = {"authorization": f"Bearer {text}"}
    for status, method, path, headers in (
        (401, "GET", "/api/v1/documents", {}),
        (401, "GET", "/api/v1/documents", {"authorization": "Bearer gwk_forged"}),
        (403, "GET", "/api/v1/metrics", bearer),
        (403, "POST", "/api/v1/search", {"origin": FOREIGN, **bearer}),
        (404, "GET", "/api/v1/documents/none", bearer),
        (403, "GET", "/api/v1/nowhere", bearer),  # whatever no table names needs the scope `admin`
    ):
        answer = client.request(method, path, headers=headers)
        assert answer.status_code == status, path
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["request_id"] == answer.headers["x-request-id"] != ""


def test_a_session_that_ran_out_is_refused_with_the_next_request(
    client: TestClient, open_home: Workbench
) -> None:
    enter(client)
    assert client.get("/api/v1/audits").status_code == 200
    long_ago = datetime.now(UTC) - timedelta(minutes=1)
    with open_home._parts.records.database.write_rows() as connection:
        connection.execute(sa.update(browser_sessions).values(expires_at=long_ago))
    assert client.get("/api/v1/audits").status_code == 401


def test_a_token_is_worth_what_its_account_is_now(client: TestClient, open_home: Workbench) -> None:
    accounts = open_home.local.accounts
    accounts.add("ann", password=PASSWORD, roles=["admin"])
    text, token = open_home.local.tokens.add("all", ["admin"], account="ann")
    bearer = {"authorization": f"Bearer {text}"}

    assert client.get("/api/v1/metrics", headers=bearer).status_code == 200
    accounts.change("ann", roles=["analyst"])
    assert client.get("/api/v1/metrics", headers=bearer).status_code == 403
    accounts.change("ann", roles=["admin"])
    open_home.local.tokens.revoke(token.id)
    assert client.get("/api/v1/metrics", headers=bearer).status_code == 401


@pytest.mark.parametrize(("asked", "page"), [("/ask", "/"), ("/ask?trace=t1", "/?trace=t1")])
def test_the_name_of_the_first_page_leads_to_it(client: TestClient, asked: str, page: str) -> None:
    enter(client)
    assert client.get(asked).headers["location"] == page
