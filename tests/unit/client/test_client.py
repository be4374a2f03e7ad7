from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.client import Client, DocumentPages
from core.client import client as client_module
from core.client.transport import ApiError, Transport
from core.domain.answer import QuotedPlace
from core.errors import DeadlineError, InputError, UsageError

DOCUMENT = {
    "id": "d1",
    "title": "Lease",
    "name": "Lease, Alpha",
    "source": "lease.txt",
    "bucket": "default",
    "version": 2,
    "doc_type": "text",
    "language": "en",
    "status": "ready",
    "reason": "",
    "acl": [],
    "passages": 1,
    "size_bytes": 10,
    "updated_at": "2026-01-01",
    "new_key_of_a_later_server": True,
}
JOB = {"id": "j1", "kind": "ingest", "title": "t", "done": 0, "total": 1, "eta_s": None, "error": None}


def client_of(answer: Callable[[httpx.Request], Any]) -> Client:
    def respond(request: httpx.Request) -> httpx.Response:
        request.read()
        found = answer(request)
        return found if isinstance(found, httpx.Response) else httpx.Response(200, json=found)

    transport = Transport("http://server", sleep=lambda _: None, transport=httpx.MockTransport(respond))
    return Client("", transport=transport)


def question(state: str) -> dict[str, Any]:
    return {"id": "q 1", "conversation": "c", "question": "?", "state": state, "answer": None, "feedback": ""}


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LOOK_S", 0.0)


def test_all_pages_of_a_list_are_read_and_new_keys_left_alone() -> None:
    def answer(request: httpx.Request) -> dict[str, Any]:
        at = request.url.params.get("cursor")
        rows = [{**DOCUMENT, "id": at or "first", "pages": 1}]
        return {"documents": rows, "total": 2, "next_cursor": None if at else "second"}

    assert [each.id for each in client_of(answer).documents(bucket="b")] == ["first", "second"]


def test_a_citation_is_held_against_the_page_it_names() -> None:
    def answer(request: httpx.Request) -> dict[str, Any]:
        assert str(request.url) == "http://server/api/v1/documents/d%2F1?version=2"
        return {**DOCUMENT, "pages": [{"page": 1, "text": "The rent is 12 EUR a month."}], "fields": []}

    place = QuotedPlace(document="d/1", title="", source="", version=2, page=1, start=4, end=8, quote="rent")
    found = client_of(answer).read(place)
    assert (found.quote, found.is_exact, found.before) == ("rent", True, "The ")
    assert not client_of(answer).read(place.model_copy(update={"quote": "Rent"})).is_exact


def test_files_of_folders_are_sent_and_a_missing_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "in" / "sub" / "a.txt").write_text("a")
    (tmp_path / "in" / ".hidden").write_text("h")
    bodies: list[bytes] = []

    def answer(request: httpx.Request) -> dict[str, Any]:
        bodies.append(request.content)
        return {"job": {**JOB, "state": "queued"}}

    client = client_of(answer)
    assert client.ingest([tmp_path / "in"], bucket="b", acl=["legal"]).state == "queued"
    assert b'filename="in/sub/a.txt"' in bodies[0]
    assert b"hidden" not in bodies[0]
    with pytest.raises(InputError):
        client.ingest([tmp_path / "none.txt"])
    with pytest.raises(UsageError):
        client.ingest([])


def test_a_job_is_followed_to_its_end_or_to_the_deadline() -> None:
    states = ["queued", "running", "partial"]
    found = client_of(lambda _: {**JOB, "state": states.pop(0)}).wait("j1")
    assert (found.state, found.is_ended) == ("partial", True)
    with pytest.raises(DeadlineError):
        client_of(lambda _: {**JOB, "state": "running"}).wait("j1", within_s=-1.0)


def test_a_question_that_takes_long_is_looked_up_until_its_deadline() -> None:
    with pytest.raises(DeadlineError, match=r"0\.05 s"):
        client_of(lambda _: question("running")).ask("?", within_s=0.05)
    with pytest.raises(ApiError, match="was stopped"):
        client_of(lambda _: question("stopped")).ask("?")


def event(number: int, type: str) -> str:
    return f"id: {number}\nevent: {type}\ndata: {json.dumps({'type': type})}\n\n"


def test_a_stream_that_breaks_off_is_taken_up_where_it_was() -> None:
    seen: list[str | None] = []

    def answer(request: httpx.Request) -> Any:
        if request.method == "POST":
            return question("running")
        seen.append(request.headers.get("last-event-id"))
        if len(seen) == 1:
            return httpx.Response(200, text=event(0, "planned") + "id: 1\nevent: fin")
        if len(seen) == 2:
            return httpx.Response(503, json={})
        return httpx.Response(200, text=event(1, "finished"))

    found = list(client_of(answer).stream("?"))
    assert [each.type for each in found] == ["planned", "finished"]
    assert seen == [None, "0", "0"]


def test_a_stream_that_says_nothing_time_and_again_is_given_up() -> None:
    with pytest.raises(ApiError, match="broke off"):
        list(client_of(lambda _: httpx.Response(200, text="")).follow("q1", tries=2))
    with pytest.raises(ApiError):
        list(client_of(lambda _: httpx.Response(404, json={})).follow("q1"))


def test_a_page_that_is_not_there_has_no_text() -> None:
    document = DocumentPages.model_validate(
        {**DOCUMENT, "pages": [{"page": 1, "text": "x"}], "fields": []},
    )
    assert (document.text_of(1), document.text_of(2)) == ("x", "")
