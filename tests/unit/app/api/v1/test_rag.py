from __future__ import annotations

import json
from typing import Any

from starlette.testclient import TestClient

from core.domain.answer import Answer
from tests.support.contracts_at_hand import Contracts, plan_for

PREFIX = "/api/v1/"
QUESTION = "Which documents are governed by the law of Texas?"


def ask(rest: TestClient, status: int = 200, **body: Any) -> Any:
    found = rest.post("rag/query", json={"question": QUESTION, **body})
    assert found.status_code == status, found.text
    assert found.headers["location"] == found.json()["status_url"]
    return found.json()


def events_of(text: str) -> list[tuple[int, str, Any]]:
    found = []
    for block in text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines())
        found.append((int(lines["id"]), lines["event"], json.loads(lines["data"])))
    return found


def test_a_question_is_answered_and_its_answer_can_be_had_again(rest: TestClient) -> None:
    found = ask(rest)

    assert (found["schema"], found["state"], found["question"]) == (1, "done", QUESTION)
    answer = Answer.model_validate(found["answer"])
    assert answer.ledger is not None
    assert answer.ledger.present == 2
    assert rest.get(f"rag/status/{found['id']}").json() == found


def test_whoever_does_not_wait_gets_the_id_and_reads_the_events(rest: TestClient) -> None:
    begun = ask(rest, 202, wait_s=0)
    assert (begun["state"], begun["answer"]) == ("running", None)

    streamed = rest.get(begun["stream_url"].removeprefix(PREFIX))
    assert streamed.headers["content-type"].startswith("text/event-stream")
    events = events_of(streamed.text)
    kinds = [kind for _, kind, _ in events]
    assert (kinds[-1], kinds.count("answered")) == ("finished", 1)
    assert [number for number, _, _ in events] == list(range(len(events)))

    rest_of_it = rest.get(begun["stream_url"].removeprefix(PREFIX), headers={"Last-Event-ID": "1"})
    assert events_of(rest_of_it.text) == events[2:]
    assert rest.get(begun["status_url"].removeprefix(PREFIX)).json()["answer"]["question"] == QUESTION


def test_the_stream_of_a_question_of_another_process_gives_its_answer(
    rest: TestClient, at_hand: Contracts
) -> None:
    session = at_hand.bench.local
    turn = session.conversations.start_turn(session.conversations.create().id, QUESTION)
    session.conversations.finish_turn(turn.id, session.questions.ask(QUESTION))

    events = events_of(rest.get(f"rag/stream/{turn.id}", headers={"Last-Event-ID": "7"}).text)

    assert [(number, kind) for number, kind, _ in events] == [(8, "answered"), (9, "finished")]


def test_a_follow_up_refers_to_the_conversation(rest: TestClient) -> None:
    first = ask(rest)
    second = ask(rest, question="How many of those are there?", conversation=first["conversation"])

    assert second["conversation"] == first["conversation"]
    assert second["answer"]["value"]["value"] == "2"


def test_an_edited_plan_is_run_and_one_that_is_none_is_refused(rest: TestClient) -> None:
    plan = plan_for().model_dump(mode="json")
    assert ask(rest, plan=plan)["answer"]["ledger"]["present"] == 2
    node = {**plan["nodes"][0], "type": "divine"}
    refused = rest.post("rag/query", json={"question": QUESTION, "plan": {**plan, "nodes": [node]}})
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["node"] == "texan"


def test_feedback_is_kept_and_taken_back(rest: TestClient) -> None:
    id = ask(rest)["id"]
    for given in ("wrong", "right", ""):
        assert rest.post("rag/feedback", json={"id": id, "feedback": given}).json()["feedback"] == given


def test_questions_that_are_none_are_told_so(rest: TestClient) -> None:
    for body, status in (
        ({"question": "  "}, 400),
        ({"question": ""}, 422),
        ({}, 422),
        ({"question": QUESTION, "wait_s": 1e9}, 422),
        ({"question": QUESTION, "unknown": 1}, 422),
        ({"question": QUESTION, "conversation": "c0"}, 404),
    ):
        found = rest.post("rag/query", json=body)
        assert (found.status_code, found.headers["content-type"]) == (status, "application/problem+json")
    for path in ("rag/status/t0", "rag/stream/t0"):
        assert rest.get(path).status_code == 404
    assert rest.post("rag/feedback", json={"id": "t0", "feedback": "right"}).status_code == 404
