from __future__ import annotations

from pathlib import Path

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from app.api.security_headers import ALWAYS, DATA_POLICY, SecurityHeaders, inline_hashes


def say(request: Request) -> Response:
    own = {"Content-Security-Policy": "default-src 'none'"} if "own" in request.url.path else {}
    return PlainTextResponse("text", headers=own)


@pytest.fixture
def client() -> TestClient:
    routes = [Route("/api/v1/data", say), Route("/api/v1/own", say), Route("/page", say)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(SecurityHeaders)]))


def test_every_answer_has_them_and_what_is_not_there_too(client: TestClient) -> None:
    for path in ("/page", "/api/v1/data", "/api/v1/own", "/missing"):
        headers = client.get(path).headers
        assert {name: headers[name] for name in ALWAYS} == dict(ALWAYS)
        assert headers["content-security-policy"]


def test_data_runs_nothing_and_an_answer_keeps_the_policy_that_it_names(client: TestClient) -> None:
    assert client.get("/api/v1/data").headers["content-security-policy"] == DATA_POLICY
    assert client.get("/api/v1/own").headers["content-security-policy"] == "default-src 'none'"


def test_a_page_runs_the_scripts_of_streamlit_alone(client: TestClient) -> None:
    policy = client.get("/page").headers["content-security-policy"]
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_bytes()
    assert page.count(b"<script>") == len(inline_hashes(page)) == scripts.count("sha256-") > 0
    assert "unsafe" not in scripts
    assert "frame-ancestors 'self'" in policy


def test_a_hash_is_that_of_the_text_between_the_tags() -> None:
    # Example of Content Security Policy Level 3, section 8.3: echo -n 'alert("Hello, world.");' | openssl ...
    found = inline_hashes(b"<script>alert('Hello, world.');</script><script src='x'></script>")
    assert found == ("'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='",)


def test_a_browser_is_told_to_stay_on_tls_where_it_speaks_it(client: TestClient) -> None:
    assert "strict-transport-security" not in client.get("/page").headers
    assert "max-age" in client.get("https://testserver/page").headers["strict-transport-security"]
