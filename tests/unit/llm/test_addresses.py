"""Addresses of model servers that lead nowhere, elsewhere, or to somebody who does not prove who they are."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pydantic import ValidationError

from core.config.llm_choices import with_choices
from core.config.load import load_settings
from core.config.models import LlmSettings
from core.domain.llm.use import ModelOutcome
from core.errors import LlmError, SettingsError, UsageError
from core.llm import groq
from core.llm.base import ChatRequest, Message
from core.llm.groq import GroqServer
from tests.support.certificates import Authority
from tests.support.scripted_llm import ScriptedLlm, Step, reply

KEY = "gsk_abcdefghijklmnop1234"
REQUEST = ChatRequest("m", (Message("user", "Who pays?"),), 100, 2.0)
PASSWORD = "hunter2-of-the-server"


def failures(url: str) -> list[LlmError]:
    """How a whole reply and a stream of that server fail."""
    server = GroqServer(url, KEY)
    found = []
    try:
        for call in (server.complete, lambda request: list(server.stream(request))):
            with pytest.raises(LlmError) as caught:
                call(REQUEST)  # type: ignore[operator]
            assert KEY not in f"{caught.value.message} {caught.value.next_step}"
            found.append(caught.value)
    finally:
        server.close()
    return found


@pytest.fixture
def fresh_trust() -> Iterator[None]:
    groq._tls.cache_clear()
    yield
    groq._tls.cache_clear()


def test_a_certificate_that_is_not_trusted_is_named_and_nothing_is_sent(tmp_path: Path) -> None:
    own = Authority(tmp_path).context("127.0.0.1", is_self_signed=True)
    with ScriptedLlm(reply("Hello."), tls=own) as server:
        for error in failures(server.url):
            assert "shows a certificate that is not trusted" in error.message
            assert "SSL_CERT_FILE" in error.next_step
            assert error.is_lasting

        assert server.requests == []


def test_an_authority_of_the_house_is_trusted_where_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_trust: None
) -> None:
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with ScriptedLlm(reply("Hello."), tls=authority.context("127.0.0.1")) as scripted:
        server = GroqServer(scripted.url, KEY)
        try:
            assert server.complete(REQUEST).text == "Hello."
        finally:
            server.close()


def test_tls_where_there_is_none_is_said() -> None:
    with ScriptedLlm(reply("Hello.")) as server:
        for error in failures(server.url.replace("http:", "https:")):
            assert "makes no secure connection" in error.message
            assert "http:// or https://" in error.next_step


def test_a_host_that_has_no_address_is_said() -> None:
    for error in failures("http://nowhere.invalid/v1"):
        assert error.message.endswith("cannot be found: no address is known for its host.")
        assert error.outcome is ModelOutcome.UNAVAILABLE


@contextmanager
def resetting(sent: bytes) -> Iterator[str]:
    """A server that reads, sends these bytes and resets the connection."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(5)

    def run() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            connection.recv(65_536)
            connection.sendall(sent)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "said"), [(b"", "cannot be reached"), (HEAD + b"5\r\ndata:\r\n", "broke off in the middle")]
)
def test_a_connection_that_is_reset_is_said(sent: bytes, said: str) -> None:
    with resetting(sent) as url:
        for error in failures(url):
            assert said in error.message


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_neither_question_nor_key_goes_where_a_server_sends_on_to(status: int) -> None:
    with ScriptedLlm(reply("Hello.")) as other:
        place = other.url.replace("http://", f"http://user:{PASSWORD}@")
        moved = Step((b"Moved.",), status=status, headers={"location": f"{place}/chat/completions"})
        with ScriptedLlm(moved) as server:
            for error in failures(server.url):
                assert f"sends the request on to '{other.url[7:-3]}' (status {status})" in error.message
                assert PASSWORD not in error.message
                assert error.is_lasting
        assert other.requests == []


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        (f"http://user:{PASSWORD}@127.0.0.1:9/v1", "no user"),
        (f"http://127.0.0.1:9/v1?key={PASSWORD}", "no question mark"),
        ("127.0.0.1:9/v1", "does not begin with http:// or https://"),
        ("localhost:11434", "does not begin with http:// or https://"),
        ("ftp://127.0.0.1/v1", "does not begin with http:// or https://"),
        ("http://127.0.0.1:0/v1", "a port of 1 to 65535"),
        ("http://[::1/v1", "a port of 1 to 65535"),
    ],
)
def test_an_address_that_is_none_is_refused_in_words_without_what_it_holds(
    address: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match=reason) as chosen:
        with_choices(LlmSettings(), {"base_url": address}, {})
    with pytest.raises(ValidationError):
        LlmSettings(base_url=address)
    monkeypatch.setenv("GROUNDWORK_LLM__BASE_URL", address)
    with pytest.raises(SettingsError, match=reason) as configured:
        load_settings(tmp_path)
    assert PASSWORD not in f"{chosen.value} {chosen.value.next_step} {configured.value}"
