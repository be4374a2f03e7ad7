"""Against a provider on loopback that signs what a test wants it to say."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey
from pydantic import SecretStr

from core.config.models import SignInSettings
from core.errors import SignInError
from core.workbench.trust.oidc import Provider

BACK = "http://127.0.0.1:8501/sign-in/callback"


class Server:
    """claims: what its token says beside the right ones; key: what it signs with."""

    def __init__(self) -> None:
        self.published = RSAKey.generate_key(2048, {"kid": "k1"})
        self.key: Any = self.published
        self.header: dict[str, Any] = {"alg": "RS256", "kid": "k1"}
        self.claims: dict[str, Any] = {}
        self.nonce, self.issuer, self.asked = "", "", {}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                return

            def _send(self, body: object) -> None:
                data = json.dumps(body).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self) -> None:
                base = outer.base
                if self.path == "/keys":
                    self._send({"keys": [outer.published.as_dict(private=False)]})
                    return
                place = {
                    "authorization_endpoint": f"{base}/authorize",
                    "token_endpoint": f"{base}/token",
                    "jwks_uri": f"{base}/keys",
                }
                self._send({"issuer": outer.issuer or base, **place})

            def do_POST(self) -> None:
                text = self.rfile.read(int(self.headers["content-length"])).decode()
                outer.asked = {name: values[0] for name, values in parse_qs(text).items()}
                claims = {
                    "iss": outer.base,
                    "aud": "groundwork",
                    "sub": "u1",
                    "exp": int(time.time()) + 60,
                    "nonce": outer.nonce,
                    "preferred_username": "ann",
                    "name": "Ann Lee",
                    **outer.claims,
                }
                token = jwt.encode(outer.header, claims, outer.key)
                self._send({"access_token": "a", "token_type": "Bearer", "id_token": token})

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def provider(server: Server) -> Provider:
    settings = SignInSettings(issuer=server.base, client_id="groundwork", client_secret=SecretStr("s3cret"))
    return Provider(settings)


def begin(server: Server) -> tuple[str, dict[str, str]]:
    """The memory of a sign-in that was begun, and what the browser was sent with."""
    address, memory = provider(server).begin(BACK)
    sent = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    server.nonce = sent["nonce"]
    return memory, sent


def test_who_comes_back_is_whom_the_provider_vouched_for(server: Server) -> None:
    memory, sent = begin(server)
    assert sent["client_id"] == "groundwork"
    assert sent["redirect_uri"] == BACK
    assert sent["code_challenge_method"] == "S256"
    assert "s3cret" not in memory + str(sent)

    visitor = provider(server).finish(BACK, memory, code="c1", state=sent["state"])

    assert (visitor.identity, visitor.name, visitor.display) == (f"{server.base}#u1", "ann", "Ann Lee")
    assert server.asked["code"] == "c1"
    assert server.asked["code_verifier"] == json.loads(memory)["verifier"]


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"aud": "another"},
        {"aud": ["groundwork", "another"]},
        {"exp": int(time.time()) - 3600},
        {"nonce": "replayed"},
        {"sub": None},
    ],
)
def test_a_token_that_is_for_somebody_else_or_old_is_refused(server: Server, claims: dict[str, Any]) -> None:
    memory, sent = begin(server)
    server.claims = claims
    with pytest.raises(SignInError):
        provider(server).finish(BACK, memory, code="c1", state=sent["state"])


def test_a_token_that_is_signed_otherwise_is_refused(server: Server) -> None:
    memory, sent = begin(server)
    server.key = RSAKey.generate_key(2048, {"kid": "k1"})
    with pytest.raises(SignInError, match="did not vouch"):
        provider(server).finish(BACK, memory, code="c1", state=sent["state"])


def test_a_sign_in_that_was_not_begun_here_is_refused_before_anything_is_asked(server: Server) -> None:
    memory, sent = begin(server)
    for code, state in (("c1", "other"), ("", sent["state"]), ("c1", ""), ("c1", "\udcff")):
        with pytest.raises(SignInError, match="not begun here"):
            provider(server).finish(BACK, memory, code=code, state=state)
    assert server.asked == {}


def test_a_provider_that_is_away_or_another_is_said_to_be(server: Server) -> None:
    server.issuer = "https://evil.example"
    with pytest.raises(SignInError, match="cannot be reached, or says nothing"):
        provider(server).begin(BACK)
    away = SignInSettings(issuer="http://127.0.0.1:9", client_id="groundwork")
    with pytest.raises(SignInError, match="cannot be reached"):
        Provider(away).begin(BACK)
