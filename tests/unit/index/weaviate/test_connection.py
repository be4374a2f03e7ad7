"""Deadlines around calls, with no server at all."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from core.config.models import IndexSettings
from core.errors import IndexUnavailableError
from core.index.weaviate import connection
from core.index.weaviate.connection import Call, Connection, Deadline, ServerAddress, together


def test_a_call_gives_its_result_or_its_error() -> None:
    assert Call(lambda: 3).result(5) == 3
    with pytest.raises(ZeroDivisionError):
        Call(lambda: 1 // 0).result(5)


def test_a_call_that_takes_longer_is_left_behind_as_a_daemon() -> None:
    go = threading.Event()
    call = Call(lambda: go.wait(30))
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        call.result(0.05)
    assert time.monotonic() - began < 5
    assert any(thread.daemon and thread.name == "weaviate-call" for thread in threading.enumerate())
    go.set()
    assert call.result(5) is True


def test_a_call_that_ends_when_one_looks_away_is_not_late() -> None:
    connection = Connection(IndexSettings(engine="weaviate", url="http://127.0.0.1:9"))

    class JustNow(Call[int]):
        """Ends between the wait that was too short and the look whether it has ended."""

        def __init__(self) -> None:
            self._looked = False

        @property
        def has_ended(self) -> bool:
            return True

        def result(self, within_s: float) -> int:
            if not self._looked:
                self._looked = True
                raise TimeoutError
            return 7

    assert connection._result(JustNow(), Deadline(60), []) == 7


def test_calls_run_at_once_and_all_end_before_an_error_goes_on() -> None:
    ended: list[str] = []
    both = threading.Barrier(2)

    def fail() -> str:
        both.wait(10)
        raise ValueError

    def succeed() -> str:
        both.wait(10)
        ended.append("yes")
        return "yes"

    with pytest.raises(ValueError):  # noqa: PT011
        together([fail, succeed], Deadline(20))
    assert ended == ["yes"]


def test_an_absent_server_is_named_and_a_closed_connection_says_so() -> None:
    connection = Connection(IndexSettings(engine="weaviate", url="http://127.0.0.1:9"))
    with pytest.raises(IndexUnavailableError, match="No Weaviate server answers"):
        connection.probe()
    connection.close()
    connection.close()
    with pytest.raises(IndexUnavailableError, match="closed"):
        connection.search(lambda _client, _deadline: None)


@contextmanager
def answering(body: str, *, status: int = 200) -> Iterator[int]:
    """A server that answers every request alike; gives its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            data = body.encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield int(server.server_address[1])
        server.shutdown()
        thread.join()


@contextmanager
def silent() -> Iterator[int]:
    """A port that takes connections and says nothing."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        yield int(listener.getsockname()[1])


def settings(url: str, grpc_port: int = 50051) -> IndexSettings:
    """As they are, without the checks that refuse some of them when they are loaded."""
    sound = IndexSettings(engine="weaviate", url="http://127.0.0.1:9", deadline_s=5.0)
    return sound.model_copy(update={"url": url, "grpc_port": grpc_port})


def opened(port: int, grpc_port: int) -> None:
    Connection(settings(f"http://127.0.0.1:{port}", grpc_port)).search(lambda _client, _deadline: None)


@pytest.mark.parametrize("version", ["1.25.0", "2.0.1", "1.140.0", "banana", ""])
def test_a_version_that_is_not_supported_is_named_with_the_supported_ones(version: str) -> None:
    with (
        answering(json.dumps({"version": version})) as port,
        silent() as grpc_port,
        pytest.raises(IndexUnavailableError, match=r"expected 1\.33 to 1\.39") as caught,
    ):
        opened(port, grpc_port)
    assert repr(version) in caught.value.message
    assert "1.39" in caught.value.next_step


@pytest.mark.parametrize("body", ["<html><h1>It works!</h1></html>", "[]", "{}", "3", "[" * 100_000])
def test_something_else_that_answers_is_said_to_be_no_weaviate(body: str) -> None:
    with (
        answering(body) as port,
        silent() as grpc_port,
        pytest.raises(IndexUnavailableError, match="is not Weaviate"),
    ):
        opened(port, grpc_port)


def test_a_page_that_is_not_found_is_no_weaviate_and_one_that_fails_is_not_ready() -> None:
    with answering("", status=404) as port, pytest.raises(IndexUnavailableError, match="is not Weaviate"):
        ServerAddress(settings(f"http://127.0.0.1:{port}")).look(5)
    with answering("", status=503) as port, pytest.raises(IndexUnavailableError, match="not ready"):
        ServerAddress(settings(f"http://127.0.0.1:{port}")).look(5)
    with answering("", status=401) as port, pytest.raises(IndexUnavailableError, match="refused the key"):
        ServerAddress(settings(f"http://127.0.0.1:{port}")).look(5)


def test_a_port_that_speaks_another_protocol_is_no_weaviate() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)

        def greet() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(b"SSH-2.0-OpenSSH_9.6\r\n")
                connection.recv(4096)

        thread = threading.Thread(target=greet, daemon=True)
        thread.start()
        with pytest.raises(IndexUnavailableError, match="is not Weaviate"):
            ServerAddress(settings(f"http://127.0.0.1:{listener.getsockname()[1]}")).look(5)
        thread.join(5)


def test_a_server_that_hangs_is_not_asked_to_be_started() -> None:
    with silent() as port:
        began = time.monotonic()
        with pytest.raises(IndexUnavailableError, match="did not answer in time") as caught:
            Connection(settings(f"http://127.0.0.1:{port}")).probe()
    assert time.monotonic() - began < 4
    assert "hangs" in caught.value.next_step


@pytest.mark.parametrize(
    "url", ["http://[::1", "http://host:99999", "http://host:port", f"http://{'a' * 70}"]
)
def test_an_address_that_cannot_be_read_is_named(url: str) -> None:
    with pytest.raises(IndexUnavailableError, match=r"index\.url cannot be read") as caught:
        Connection(settings(url))
    assert repr(url) in caught.value.message


def test_one_port_for_both_protocols_is_refused() -> None:
    with pytest.raises(IndexUnavailableError, match=r"index\.grpc_port is 8080"):
        Connection(settings("http://127.0.0.1:8080", 8080))


def test_whatever_the_client_raises_while_connecting_is_about_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("an odd answer")

    monkeypatch.setattr(Connection, "_connect_checked", refuse)
    monkeypatch.setattr(connection, "load", lambda: None)
    with (
        answering(json.dumps({"version": "1.39.0"})) as port,
        silent() as grpc_port,
        pytest.raises(IndexUnavailableError, match="failed: an odd answer"),
    ):
        opened(port, grpc_port)
