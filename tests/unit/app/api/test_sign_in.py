from __future__ import annotations

import json

import pytest
from starlette.testclient import TestClient

from app import services
from app.identity import COOKIE
from core.errors import SignInError
from core.store.people.browser_sessions import FREE
from core.workbench.facade import Workbench
from core.workbench.trust.oidc import Visitor

PASSWORD = "correct horse"


def test_a_wrong_password_is_refused_in_words_that_tell_nothing(home: Workbench, client: TestClient) -> None:
    said = set()
    for name in ("ann", "nobody"):
        answer = client.post("/sign-in", data={"name": name, "password": "wrong"})
        assert answer.status_code == 401
        said.add(answer.text.replace(name, ""))
    assert len(said) == 1
    assert COOKIE not in client.cookies


def test_what_was_typed_is_escaped(home: Workbench, client: TestClient) -> None:
    typed = '"><img src=x onerror=alert(1)>'
    answer = client.post("/sign-in", data={"name": typed, "password": "x", "next": typed})

    assert "<img" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-frame-options"] == "DENY"


def test_too_many_failures_have_to_wait(home: Workbench, client: TestClient) -> None:
    for _ in range(FREE + 1):
        client.post("/sign-in", data={"name": "ann", "password": "wrong"})

    answer = client.post("/sign-in", data={"name": "ann", "password": PASSWORD})

    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize("next_", ["//evil.example", "https://evil.example", "/\\evil.example", ""])
def test_a_sign_in_leads_nowhere_else(home: Workbench, client: TestClient, next_: str) -> None:
    answer = client.post("/sign-in", data={"name": "ann", "password": PASSWORD, "next": next_})

    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "Secure" not in answer.headers["set-cookie"]


def test_behind_tls_the_cookie_goes_over_tls_alone(home: Workbench, client: TestClient) -> None:
    secure = TestClient(client.app, base_url="https://testserver", follow_redirects=False)
    answer = secure.post("/sign-in", data={"name": "ann", "password": PASSWORD})

    assert "Secure" in answer.headers["set-cookie"]


def test_a_form_that_is_too_large_is_an_empty_one(home: Workbench, client: TestClient) -> None:
    assert client.post("/sign-in", data={"name": "ann", "password": "x" * 100_000}).status_code == 401


def test_signing_out_ends_the_session_and_takes_a_button(home: Workbench, client: TestClient) -> None:
    client.post("/sign-in", data={"name": "ann", "password": PASSWORD})
    cookie = client.cookies[COOKIE]
    assert '<form method="post" action="/sign-out">' in client.get("/sign-out").text
    assert home.sign_in.by_cookie(cookie) is not None

    assert client.post("/sign-out").headers["location"] == "/sign-in"
    assert home.sign_in.by_cookie(cookie) is None
    assert client.get("/sign-in/password").headers["location"] == "/sign-in"


def test_changing_a_password_checks_the_old_one_and_the_new_ones(home: Workbench, client: TestClient) -> None:
    client.post("/sign-in", data={"name": "ann", "password": PASSWORD})
    for old, new, again, status in (
        ("wrong", "battery staple", "battery staple", 401),
        (PASSWORD, "battery staple", "battery stable", 400),
        (PASSWORD, PASSWORD, PASSWORD, 400),
        (PASSWORD, "short", "short", 400),
    ):
        answer = client.post("/sign-in/password", data={"old": old, "new": new, "again": again})
        assert answer.status_code == status
        assert 'role="alert"' in answer.text


class FakeProvider:
    def begin(self, redirect: str) -> tuple[str, str]:
        return f"https://id.example/?back={redirect}", json.dumps({"state": "s1"})

    def finish(self, redirect: str, memory: str, *, code: str, state: str) -> Visitor:
        if state != json.loads(memory)["state"] or code != "good":
            raise SignInError("This sign-in was not begun here.", next_step="Begin it again.")
        return Visitor("https://id.example#1", "lee", "Lee")


def test_a_provider_signs_in_who_has_an_account_for_it(
    home: Workbench, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "provider", FakeProvider)
    assert client.get("/sign-in/callback?code=good&state=s1").status_code == 401  # never begun
    begun = client.get("/sign-in/provider?next=/seen")
    assert begun.headers["location"] == "https://id.example/?back=http://testserver/sign-in/callback"
    assert client.get("/sign-in/callback?code=good&state=other").status_code == 401
    assert "no account here" in client.get("/sign-in/callback?code=good&state=s1").text

    home.local.accounts.add("lee", identity="https://id.example#1")
    back = client.get("/sign-in/callback?code=good&state=s1")
    assert back.headers["location"] == "/seen"
    assert client.get("/seen").json()["user"] == "lee"


def test_without_a_provider_its_addresses_lead_to_the_form(home: Workbench, client: TestClient) -> None:
    assert client.get("/sign-in/provider").headers["location"] == "/sign-in"
    assert client.get("/sign-in/callback?code=x").status_code == 401
