from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.testclient import TestClient

from app import identity, services
from app.api.v1.idempotency import HashedBody
from core.domain.principal import LOCAL_ADMIN, Principal
from core.workbench.trust import request_keys
from tests.support.contracts_at_hand import Contracts, plan_for
from tests.support.roles import MAY_ASK

PLAN = plan_for().model_dump(mode="json")


def save(rest: TestClient, key: str, **body: Any) -> Any:
    return rest.post(
        "audits", json={"name": f"Texas {key}", "plan": PLAN, **body}, headers={"Idempotency-Key": key}
    )


def test_a_retry_does_nothing_and_gets_the_same(rest: TestClient) -> None:
    first, again = save(rest, "a1"), save(rest, "a1")

    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again.headers["location"] == first.headers["location"]
    assert (again.headers["idempotency-replayed"], "idempotency-replayed" in first.headers) == ("true", False)
    listed = rest.get("audits").json()["audits"]
    assert [each["id"] for each in listed].count(first.json()["audit"]["id"]) == 1
    assert save(rest, "a2").json()["audit"]["id"] != first.json()["audit"]["id"]


def test_a_key_is_of_one_body_one_address_and_one_account(rest: TestClient) -> None:
    first = save(rest, "b1")
    other = save(rest, "b1", name="Other")
    assert (other.status_code, other.headers["content-type"]) == (422, "application/problem+json")
    assert rest.post("plans", json={"plan": PLAN}, headers={"Idempotency-Key": "b1"}).status_code == 200
    token = identity.enter(identity.Caller(Principal("ann", MAY_ASK)))
    try:
        assert save(rest, "b1").json()["audit"]["id"] != first.json()["audit"]["id"]
    finally:
        identity.leave(token)


def test_while_the_first_runs_its_retry_is_told_to_wait(rest: TestClient, at_hand: Contracts) -> None:
    keys = at_hand.bench.for_principal(LOCAL_ADMIN).request_keys
    running = keys.claim("/api/v1/audits?", "c1")

    waiting = save(rest, "c1")
    assert (waiting.status_code, waiting.headers["retry-after"]) == (409, "1")
    keys.release(running)
    assert save(rest, "c1").status_code == 201


def test_a_request_that_failed_leaves_its_key_free(rest: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert save(rest, "d1", name="  ").status_code == 400
    with monkeypatch.context() as patch:
        patch.setattr("app.api.v1.audits.envelope", lambda **_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            save(rest, "d1")
    assert save(rest, "d1", name="Texas once more").status_code == 201
    assert save(rest, "with space").status_code == 400
    assert save(rest, "x" * 201).status_code == 400


def test_what_shows_documents_is_not_shown_again_once_they_changed(
    rest: TestClient, at_hand: Contracts
) -> None:
    question = {"question": "Which contracts are governed by the law of Texas?"}
    key = {"Idempotency-Key": "e1"}
    first = rest.post("rag/query", json=question, headers=key)
    assert rest.post("rag/query", json=question, headers=key).json() == first.json()

    at_hand.add("Zulu agreement", "Texas")

    changed = rest.post("rag/query", json=question, headers=key)
    assert (changed.status_code, changed.headers["location"]) == (409, first.headers["location"])
    assert rest.get(changed.headers["location"].removeprefix("/api/v1/")).json()["id"] == first.json()["id"]


def test_files_are_brought_in_once_whatever_separates_them(rest: TestClient) -> None:
    def send(text: bytes) -> Any:
        return rest.post("documents", files=[("files", ("Two.txt", text))], headers={"Idempotency-Key": "f1"})

    first, again = send(b"Two."), send(b"Two.")

    assert first.request.headers["content-type"] != again.request.headers["content-type"]
    assert (again.status_code, again.json()) == (202, first.json())
    assert send(b"Three.").status_code == 422


def test_a_response_that_is_too_large_is_not_kept(rest: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_keys, "MOST_BYTES", 10)
    first, again = save(rest, "g1"), save(rest, "g1")
    assert first.status_code == 201
    assert (again.status_code, "called" in again.text or "name" in again.text) == (400, True)  # it ran again


def test_a_search_is_done_anew(rest: TestClient) -> None:
    for _ in range(2):
        found = rest.post("search", json={"query": "Texas"}, headers={"Idempotency-Key": "h1"})
        assert "idempotency-replayed" not in found.headers
    assert services.session().request_keys.claim("/api/v1/search?", "h1").claim


@pytest.mark.parametrize("cut", [1, 3, 7, 1000])
def test_the_hash_of_a_form_does_not_depend_on_its_boundary_or_pieces(cut: int) -> None:
    def hashed(boundary: str, size: int) -> str:
        data = f"--{boundary}\r\nfile\r\n--{boundary}--".encode()
        pieces = [data[at : at + size] for at in range(0, len(data), size)]

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

        body = HashedBody(receive, f"multipart/form-data; boundary={boundary}")
        return asyncio.run(body.whole())

    assert hashed("0123abcd", cut) == hashed("fedc9876", 1000)
