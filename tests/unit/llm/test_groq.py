"""The adapter against a scripted server on a real socket."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from core.domain.llm.use import ModelOutcome
from core.errors import LlmError
from core.llm.base import ChatDelta, ChatReply, ChatRequest, Message, ToolCall, ToolSpec
from core.llm.groq import GroqServer, RefusedFeatures
from tests.support.scripted_llm import (
    ScriptedLlm,
    Step,
    data,
    event,
    failure,
    page,
    reply,
    reply_json,
    stream,
)

KEY = "gsk_abcdefghijklmnop1234"
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
REQUEST = ChatRequest("openai/gpt-oss-20b", (Message("system", "s"), Message("user", "u")), 100, 1.0)


@contextlib.contextmanager
def served(*script: Step, path: str = "/v1") -> Iterator[tuple[ScriptedLlm, GroqServer]]:
    with ScriptedLlm(*script, path=path) as scripted:
        server = GroqServer(scripted.url, KEY)
        yield scripted, server
        server.close()


def failed(call: Callable[[], object]) -> LlmError:
    with pytest.raises(LlmError) as caught:
        call()
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None  # a vendor's error would hold what the server said, unmasked
    return caught.value


def whole(server: GroqServer, request: ChatRequest = REQUEST) -> list[ChatDelta]:
    return list(server.stream(request))


def with_schema() -> ChatRequest:
    return ChatRequest("m", REQUEST.messages, 100, 1.0, schema=SCHEMA, schema_name="plan")


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/v1", "/v1/chat/completions"), ("", "/chat/completions"), ("/a/b/", "/a/b/chat/completions")],
)
def test_the_path_of_the_server_replaces_that_of_the_sdk(path: str, expected: str) -> None:
    with served(reply("Hello."), path=path) as (scripted, server):
        found = server.complete(REQUEST)

    assert found == ChatReply("Hello.", "stop", (), 40, 10)
    assert scripted.paths == [expected]
    assert scripted.headers[0]["authorization"] == f"Bearer {KEY}"


def test_a_server_without_a_key_gets_none() -> None:
    with ScriptedLlm(reply("Hello.")) as scripted:
        server = GroqServer(scripted.url, "")
        server.complete(REQUEST)
        server.close()

    assert "authorization" not in scripted.headers[0]


def test_a_schema_is_asked_for_strictly() -> None:
    with served(reply_json({"a": "b"})) as (scripted, server):
        server.complete(with_schema())

    assert scripted.requests[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "plan", "strict": True, "schema": SCHEMA},
    }
    assert scripted.requests[0]["max_completion_tokens"] == 100


def test_a_server_that_knows_no_schema_gets_it_in_the_prompt_and_this_is_remembered() -> None:
    refusal = failure(400, "This model does not support response_format `json_schema`")
    with served(refusal, reply_json({"a": "b"}), reply_json({"a": "c"})) as (scripted, server):
        server.complete(with_schema())
        server.complete(with_schema())

    formats = [each["response_format"]["type"] for each in scripted.requests]
    assert formats == ["json_schema", "json_object", "json_object"]
    assert json.dumps(SCHEMA) in scripted.requests[1]["messages"][1]["content"]


def test_what_one_model_refuses_is_still_asked_of_another() -> None:
    refused = RefusedFeatures()
    refused.add("m", "json_schema")

    assert (refused.has("m", "json_schema"), refused.has("n", "json_schema")) == (True, False)


def test_effort_is_left_out_where_it_is_refused() -> None:
    with served(failure(400, "Unknown parameter: reasoning_effort"), reply("ok")) as (scripted, server):
        server.complete(REQUEST)

    assert ["reasoning_effort" in each for each in scripted.requests] == [True, False]


def test_a_reply_that_the_server_could_not_form_is_no_lack_of_schemas() -> None:
    step = failure(400, "response_format: failed to validate JSON", code="json_validate_failed")
    with served(step) as (scripted, server):
        error = failed(lambda: server.complete(with_schema()))

    assert (error.outcome, len(scripted.requests)) == (ModelOutcome.INVALID, 1)


def test_tools_go_out_and_calls_come_back() -> None:
    tool = ToolSpec("search", "Searches.", SCHEMA)
    earlier = (
        Message("assistant", "", (ToolCall("c1", "search", "{}"),)),
        Message("tool", "nothing", tool_call_id="c1"),
    )
    request = ChatRequest("m", (*REQUEST.messages, *earlier), 100, 1.0, tools=(tool,))
    with served(reply("", finish="tool_calls", tool_calls=[("search", '{"a": 1}')])) as (scripted, server):
        found = server.complete(request)

    assert found.tool_calls == (ToolCall("call_0", "search", '{"a": 1}'),)
    assert scripted.requests[0]["tools"][0]["function"]["name"] == "search"
    assert scripted.requests[0]["messages"][2]["tool_calls"][0]["function"]["name"] == "search"
    assert scripted.requests[0]["messages"][3] == {"role": "tool", "content": "nothing", "tool_call_id": "c1"}


def test_a_stream_ends_with_its_reason_and_its_tokens() -> None:
    with served(stream("One ", "two.", usage=(7, 3))) as (_, server):
        assert whole(server) == [ChatDelta("One "), ChatDelta("two."), ChatDelta("", "stop", 7, 3)]


def test_tokens_of_a_stream_as_groq_sends_them() -> None:
    counted = data(
        {"id": "s", "choices": [], "x_groq": {"usage": {"prompt_tokens": 5, "completion_tokens": 2}}}
    )
    step = Step(
        (event({"delta": {"content": "a"}, "finish_reason": "stop"}), counted), media_type="text/event-stream"
    )
    with served(step) as (_, server):
        assert whole(server)[-1] == ChatDelta("", "stop", 5, 2)


@pytest.mark.parametrize(
    "step",
    [
        stream("One ", "two", finish=None),
        stream("One ", "two", finish=None, cut=True),
        stream("One ", "two", finish=None, done=False),
    ],
)
def test_a_stream_that_was_cut_gives_its_pieces_and_then_says_so(step: Step) -> None:
    pieces: list[str] = []
    with served(step) as (_, server):
        error = failed(lambda: pieces.extend(piece.text for piece in server.stream(REQUEST)))

    assert (pieces, error.outcome) == (["One ", "two"], ModelOutcome.CUT_SHORT)


@pytest.mark.parametrize(
    ("step", "outcome", "words"),
    [
        (failure(400, "bad"), "unavailable", "status 400: bad"),
        (failure(401, "Invalid API Key"), "refused_key", "refused the API key"),
        (failure(402), "refused_key", "wants to be paid"),
        (failure(403), "refused_key", "does not let this API key use"),
        (failure(404, "no model", code="model_not_found"), "unavailable", "no model"),
        (failure(413, "too many tokens"), "too_large", "too large"),
        (failure(429, headers={"retry-after": "90"}), "rate_limited", "takes no more requests"),
        (failure(498, "capacity"), "rate_limited", "capacity"),
        (failure(500), "unavailable", "cannot answer now"),
        (page(503), "unavailable", "status 503"),
        (page(200), "unavailable", "HTML|text/html"),
        (Step((b"<html>",)), "unavailable", "HTML|application/json"),
        (Step(), "unavailable", "empty reply|application/json"),
        (Step((b"[1, 2]",)), "unavailable", "not JSON|application/json"),
        (Step((b'{"error": {"message": "overloaded"}}',)), "unavailable", "overloaded|application/json"),
        (Step(status=307, headers={"location": "http://127.0.0.1:9/"}), "unavailable", "status 307"),
        (reply("late", wait_s=3), "timed_out", "did not answer in time"),
    ],
)
def test_every_failure_has_an_outcome_and_plain_words(step: Step, outcome: str, words: str) -> None:
    with served(step) as (scripted, server):
        errors = [failed(lambda: server.complete(REQUEST)), failed(lambda: whole(server))]

    for error in errors:
        assert error.outcome == outcome
        assert any(word in error.message for word in words.split("|")), error.message
        assert error.next_step
    assert len(scripted.requests) == 2  # nothing is tried twice here


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        (Step((b"{}",)), "invalid"),
        (Step((b'{"choices": null}',)), "invalid"),
        (Step((b'{"choices": []}',)), "invalid"),
        (Step((b'{"choices": [7]}',)), "invalid"),
        (reply("half", finish=None), "cut_short"),
        (Step((b'{"choices": [',), cut=True), "cut_short"),
    ],
)
def test_a_body_without_a_whole_reply_is_refused(step: Step, outcome: str) -> None:
    with served(step) as (_, server):
        assert failed(lambda: server.complete(REQUEST)).outcome == outcome


def test_an_error_in_the_middle_of_a_stream_is_one() -> None:
    step = Step(
        (event({"delta": {"content": "a"}}), data({"error": {"message": "overloaded"}})),
        media_type="text/event-stream",
    )
    with served(step) as (_, server):
        error = failed(lambda: whole(server))

    assert error.outcome == ModelOutcome.UNAVAILABLE
    assert "overloaded" in error.message


@pytest.mark.parametrize(
    "piece", [b"data: {not json\n\n", b"data: [1]\n\n", b"data: null\n\n", b"\xff\xfe\n\n"]
)
def test_a_stream_of_something_else_is_an_llm_error(piece: bytes) -> None:
    with served(Step((piece,), media_type="text/event-stream")) as (_, server):
        assert failed(lambda: whole(server)).outcome in ("unavailable", "cut_short")


def test_a_stream_that_falls_silent_times_out() -> None:
    with served(stream("One ", "two", between_s=0.05, finish=None), path="/v1") as (scripted, server):
        scripted.script = [stream("One ", "two", between_s=3)]
        quick = ChatRequest("m", REQUEST.messages, 100, 0.3)
        assert failed(lambda: whole(server, quick)).outcome == ModelOutcome.TIMED_OUT


def test_a_body_without_an_end_is_not_read_to_its_end() -> None:
    with served(Step((b"x" * 1_000_000,) * 8)) as (_, server):
        assert "more than any reply has" in failed(lambda: server.complete(REQUEST)).message


def test_a_server_that_is_not_there_is_said_to_be_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        server = GroqServer(address, KEY)
        error = failed(lambda: server.complete(REQUEST))
        server.close()

    assert error.outcome == ModelOutcome.UNAVAILABLE
    assert "cannot be reached" in error.message
    assert address in error.message


@pytest.mark.parametrize("said", [KEY, f"Incorrect key: {KEY}.", "Bearer sk-other-key-123456", f"'{KEY}'"])
def test_a_key_is_masked_wherever_the_server_repeats_it(said: str) -> None:
    with served(failure(401, said)) as (_, server):
        error = failed(lambda: server.complete(REQUEST))

    assert "***" in error.message
    for text in (error.message, error.next_step, repr(error), str(error), repr(server)):
        assert KEY not in text
        assert "sk-other" not in text


@pytest.mark.parametrize("key", ["gsk_a\nb-very-secret", "gsk_ümlaut-secret", "two secret words"])
def test_a_key_that_cannot_be_sent_is_refused_without_showing_it(key: str) -> None:
    with ScriptedLlm(reply("x")) as scripted:
        server = GroqServer(scripted.url, key)
        error = failed(lambda: server.complete(REQUEST))
        server.close()

    assert error.outcome == ModelOutcome.REFUSED_KEY
    assert "secret" not in error.message
    assert scripted.requests == []


def test_groq_without_a_key_is_not_called() -> None:
    server = GroqServer("", "")

    assert failed(lambda: server.complete(REQUEST)).next_step == "Set GROQ_API_KEY."

    server.close()


def test_closing_from_another_thread_breaks_off_a_reply_that_is_waited_for() -> None:
    with served(reply("late", wait_s=30)) as (_, server):
        threading.Timer(0.2, server.close).start()
        started = time.monotonic()
        patient = ChatRequest("m", REQUEST.messages, 100, 30.0)

        assert failed(lambda: server.complete(patient)).outcome == ModelOutcome.STOPPED
        assert time.monotonic() - started < 2


def test_closing_from_another_thread_breaks_off_a_stream() -> None:
    with served(stream(*["word "] * 100, between_s=0.1)) as (scripted, server):
        threading.Timer(0.35, server.close).start()

        assert failed(lambda: whole(server)).outcome == ModelOutcome.STOPPED
        assert scripted.wait_until_idle()


def test_closing_the_iterator_closes_the_connection() -> None:
    with served(stream(*["word "] * 100, between_s=0.05)) as (scripted, server):
        pieces = server.stream(REQUEST)
        next(pieces)
        pieces.close()  # type: ignore[attr-defined]

        assert scripted.wait_until_idle(3)


def test_a_closed_server_refuses_what_follows() -> None:
    with served(reply("x")) as (scripted, server):
        server.close()
        server.close()

        assert failed(lambda: server.complete(REQUEST)).outcome == ModelOutcome.STOPPED
        assert scripted.requests == []
