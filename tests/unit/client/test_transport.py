from __future__ import annotations

from contextlib import closing
from pathlib import Path

import httpx
import pytest

from core.client.transport import ApiError, Transport

PROBLEM = {
    "detail": "`top_k`: too large.",
    "next_step": "Correct it.",
    "code": "E001",
    "request_id": "r1",
    "errors": [{"location": "body.top_k", "message": "too large"}],
}


class Server:
    """Answers with what it was given, in turn, and keeps the requests."""

    def __init__(self, *responses: httpx.Response | Exception) -> None:
        self.requests: list[httpx.Request] = []
        self._responses = list(responses)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.requests.append(request)
        found = self._responses.pop(0)
        if isinstance(found, Exception):
            raise found
        return found


def made(server: Server, pauses: list[float] | None = None) -> Transport:
    sleep = ([] if pauses is None else pauses).append
    return Transport("http://server/", "gwk_x", sleep=sleep, transport=httpx.MockTransport(server))


def test_a_call_carries_the_token_and_a_post_a_key_of_its_own() -> None:
    server = Server(httpx.Response(200, json={"a": 1}), httpx.Response(200, json={}))
    with closing(made(server)) as calls:
        assert calls.call("POST", "search", body={"query": "x"}) == {"a": 1}
        calls.call("GET", "documents", query={"text": "", "cursor": None, "limit": 5})
    first, second = server.requests
    assert str(first.url) == "http://server/api/v1/search"
    assert first.headers["authorization"] == "Bearer gwk_x"
    assert len(first.headers["idempotency-key"]) == 32
    assert "idempotency-key" not in second.headers
    assert str(second.url) == "http://server/api/v1/documents?limit=5"


def test_a_problem_document_becomes_an_error_with_its_facts() -> None:
    with closing(made(Server(httpx.Response(422, json=PROBLEM)))) as calls, pytest.raises(ApiError) as caught:
        calls.call("POST", "search", body={})
    error = caught.value
    assert (error.status, error.problem_code, error.request_id) == (422, "E001", "r1")
    assert error.explanation == "`top_k`: too large. Correct it."
    assert error.faults == {"body.top_k": "too large"}


def test_a_refusal_without_a_document_tells_its_status() -> None:
    server = Server(httpx.Response(404, content=b"[" * 100_000, headers={"X-Request-Id": "r2"}))
    with closing(made(server)) as calls, pytest.raises(ApiError, match="answered 404") as caught:
        calls.call("GET", "jobs/x")
    assert caught.value.request_id == "r2"


def test_a_call_too_many_waits_as_long_as_the_server_says_and_keeps_its_key() -> None:
    pauses: list[float] = []
    server = Server(
        httpx.Response(429, headers={"Retry-After": "7"}, json={}),
        httpx.ConnectError("refused"),
        httpx.Response(200, json={"ok": True}),
    )
    with closing(made(server, pauses)) as calls:
        assert calls.call("POST", "rag/query", body={}) == {"ok": True}
    assert pauses == [7.0, 1.0]
    assert len({each.headers["idempotency-key"] for each in server.requests}) == 1


def test_a_server_that_stays_away_is_told_after_the_last_try() -> None:
    server = Server(*(httpx.ConnectError("refused") for _ in range(4)))
    refused = pytest.raises(ApiError, match="cannot be reached: refused")
    with closing(made(server)) as calls, refused as caught:
        calls.call("GET", "healthz")
    assert caught.value.status == 0
    assert len(server.requests) == 4


def test_a_pause_beyond_a_minute_is_for_the_caller_to_decide() -> None:
    pauses: list[float] = []
    server = Server(httpx.Response(429, headers={"Retry-After": "3600"}, json={}))
    with closing(made(server, pauses)) as calls, pytest.raises(ApiError) as caught:
        calls.call("GET", "documents")
    assert caught.value.retry_after_s == 3600
    assert pauses == []


def test_files_are_sent_as_a_form_with_their_folders(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("hello")
    server = Server(httpx.Response(503, json={}), httpx.Response(202, json={"job": 1}))
    with closing(made(server)) as calls:
        sent = calls.send_files(
            "documents", [("folder/a.txt", file)], [("bucket", "b"), ("acl", "x"), ("acl", "y")]
        )
    assert sent == {"job": 1}
    body = server.requests[1].content
    assert b'name="files"; filename="folder/a.txt"' in body
    assert b"hello" in body
    assert body.count(b'name="acl"') == 2


def test_a_stream_that_is_refused_is_an_error() -> None:
    server = Server(httpx.Response(404, json=PROBLEM))
    with closing(made(server)) as calls, pytest.raises(ApiError) as caught, calls.lines("rag/stream/x", {}):
        pass
    assert caught.value.status == 404
