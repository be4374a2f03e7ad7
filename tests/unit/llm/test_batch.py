from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from core.errors import LlmError
from core.llm import groq
from core.llm.base import ChatRequest, Message
from core.llm.batch import Batch, BatchServer
from core.llm.reply import BodyLimit
from tests.support.scripted_llm import ScriptedBatches, ScriptedLlm, Step, reply

KEY = "gsk_0123456789abcdefghij"


@pytest.fixture
def server() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(reply("fine")) as made:
        made.batches = ScriptedBatches(lambda body: reply(f"fine, {KEY}"))
        yield made


def submitted(server: ScriptedLlm, *ids: str) -> tuple[BatchServer, Batch]:
    client = BatchServer(server.url, KEY)
    lines = [client.line(id, ChatRequest("m", (Message("user", "\u00fc?"),), 10, 5.0)) for id in ids]
    return client, client.submit("label", lines)


def test_lines_go_out_and_replies_come_back_without_the_key(server: ScriptedLlm) -> None:
    client, batch = submitted(server, "a", "b")
    again = client.find("label")
    found = {each.id: each.reply for each in client.lines(batch)}

    assert server.batches is not None
    assert batch == again == client.state(batch.id)
    assert [each["body"]["messages"][0]["content"] for each in server.batches.sent] == ["\u00fc?"] * 2
    assert found.keys() == {"a", "b"}
    assert all(
        each is not None and each.text == "fine, ***" and each.prompt_tokens == 40 for each in found.values()
    )
    assert client.find("other") is None
    assert client.state("batch_77") is None
    client.cancel("thing")


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"[1]", b'{"id": 7}', b'{"data": 1, "errors": [3], "request_counts": {"total": -1}}'],
)
def test_an_answer_that_is_no_batch_is_told_and_nothing_breaks(server: ScriptedLlm, body: bytes) -> None:
    client, _ = submitted(server, "a")
    assert server.batches is not None
    server.batches.answer = lambda method, path, sent: Step((body,))  # type: ignore[method-assign]
    with pytest.raises(LlmError):
        client.submit("label", [b"{}"])
    if body.startswith(b"{"):
        state = client.state("batch_0")
        assert state is not None
        assert (state.is_ended, state.total, state.files) == (False, 0, ())


def test_lines_of_every_bad_kind_are_left_out_or_failures(server: ScriptedLlm) -> None:
    client, batch = submitted(server, "a")
    assert server.batches is not None
    bad = [
        b"\xff\xfe",
        b"[" * 5_000,
        b"[1]",
        b'{"custom_id": 7}',
        b'{"custom_id": "a"}',
        b'{"custom_id": "b", "response": {"status_code": 500, "body": {"error": {"message": "no room"}}}}',
        b'{"custom_id": "c", "response": {"body": {"choices": [{"message": {"content": "half"}}]}}}',
        json.dumps({"custom_id": "d", "error": {"message": f"wrong key {KEY}"}}).encode(),
    ]
    server.batches.files["out-0"] = b"\n".join(bad)
    found = {each.id: each for each in client.lines(batch)}

    assert found.keys() == {"a", "b", "c", "d"}
    assert all(each.reply is None for each in found.values())
    assert found["b"].said == "no room"
    assert KEY not in found["d"].said


def test_a_file_without_an_end_is_bounded(server: ScriptedLlm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groq, "FILE_LIMIT", BodyLimit(1_000))
    client, batch = submitted(server, "a")
    assert server.batches is not None
    server.batches.files["out-0"] = b"x" * 5_000
    with pytest.raises(LlmError, match="more than any reply has"):
        list(client.lines(batch))


def test_a_server_without_batches_says_how_to_go_on(server: ScriptedLlm) -> None:
    server.batches = None
    with pytest.raises(LlmError, match="takes no batches") as caught:
        submitted(server, "a")

    assert "it asks one by one, at the full price" in caught.value.next_step
