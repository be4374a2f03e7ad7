"""Routes of answers: the choices of a reading, and the parts of one of several questions in one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import AsyncMock

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from app import services
from app.api.answers import send_events
from app.api.gate import Gate, hosts_of
from app.api.problems import problem
from app.api.routes import ROUTES
from core.domain.conversation import Turn
from core.errors import GroundworkError
from tests.support.contracts_at_hand import Contracts, contracts_at_hand
from tests.support.serve_readings import BOTH, FIRST, SECOND, whole


@pytest.fixture(scope="module")
def at_hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contracts]:
    home: Path = tmp_path_factory.mktemp("answers") / "home"
    with contracts_at_hand(home) as found:
        services.use(found.bench)
        yield found
        services.close()


@pytest.fixture
def client(at_hand: Contracts) -> TestClient:
    api = Starlette(routes=ROUTES, exception_handlers={GroundworkError: problem})
    app = Starlette(routes=[Mount("/api", app=api)])
    return TestClient(Gate(app, hosts=hosts_of("127.0.0.1")), base_url="http://127.0.0.1:8501")


@pytest.fixture
def turn(at_hand: Contracts) -> Turn:
    """A turn that asked two things, with a set in hand."""
    session = at_hand.bench.local
    started = session.conversations.start_turn(session.conversations.create().id, BOTH)
    answers = (session.questions.ask(FIRST), session.questions.ask(SECOND))
    return session.conversations.finish_turn(started.id, whole(*answers))


def address(turn: Turn, rest: str, number: int | None = None) -> str:
    of = "" if number is None else f".{number}"
    return f"/api/conversations/{turn.conversation}/turns/{turn.id}{of}{rest}"


def test_the_choices_of_a_reading_are_given_in_the_order_of_its_parts(client: TestClient, turn: Turn) -> None:
    found = client.get(address(turn, "/reading", 0)).json()

    assert turn.answer is not None
    assert len(found["parts"]) == len(turn.answer.parts[0].reading)
    assert ["governing_law", "Governing law", "text", 10] in found["fields"]["contracts"] or found["fields"]
    assert found["parts"][1]["values"]
    assert found["subjects"][0] == ["", "all documents", 10]


def test_there_are_no_choices_of_an_answer_that_is_not_there(client: TestClient, turn: Turn) -> None:
    assert client.get(address(turn, "/reading", 7)).status_code == 404
    assert client.get(address(turn, "/reading").replace(turn.id, "t0")).status_code == 404
    assert client.get(address(turn, "/reading")).status_code >= 400  # the whole has no reading of its own


def test_each_of_several_questions_is_exported_and_drilled_into(client: TestClient, turn: Turn) -> None:
    assert turn.answer is not None
    first = client.get(address(turn, ".json", 0))
    assert first.json()["question"] == FIRST
    assert client.get(address(turn, ".md")).text.count("# ") >= 2
    listed = client.get(address(turn, "/parts/present", 1)).json()
    ledger = turn.answer.parts[1].ledger
    assert ledger is not None
    assert listed["total"] == ledger.present
    assert client.get(address(turn, "/parts/present", 2)).status_code == 404


def test_the_documents_in_hand_are_listed(client: TestClient, turn: Turn) -> None:
    listed = client.get(address(turn, "/parts/set", 1)).json()

    assert sorted(row["title"] for row in listed["rows"]) == ["Cobalt agreement", "Glacier agreement"]
    assert client.get(address(turn, "/parts/set.csv", 1)).status_code == 200


def test_a_page_gets_the_figures_of_ledgers_without_a_line_for_each_document() -> None:
    counted = {
        "text": "2",
        "ledger": {"scope": 2, "documents": {"present": ["d1"]}, "reasons": {"d2": "Why"}},
    }
    events = [
        {"type": "stage"},
        {"type": "answered", "answer": {**counted, "parts": [counted, {"text": "a", "ledger": None}]}},
    ]
    socket = AsyncMock(query_params={})

    asyncio.run(send_events(socket, SimpleNamespace(events=events, done=True), 0.01))

    [stage, answered] = [call.args[0] for call in socket.send_json.await_args_list]
    assert stage == events[0]
    bare = {"text": "2", "ledger": {"scope": 2}}
    assert answered["answer"] == {**bare, "parts": [bare, {"text": "a", "ledger": None}]}
    assert events[1]["answer"]["ledger"]["reasons"]
