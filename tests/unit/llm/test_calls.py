"""Calls of one question, mostly against a scripted server on a real socket."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field, SecretStr

from core.config.models import LlmSettings, ModelPrice
from core.domain.llm.use import ModelCall, ModelOutcome, ModelRole
from core.errors import LlmError
from core.llm.base import Message, Prompt, ToolSpec
from core.llm.budget import TokenBudget
from core.llm.calls import QuestionCalls, SharedLimits
from core.llm.groq import GroqServer
from core.llm.schema import strict_schema, with_values
from tests.support.scripted_llm import ScriptedLlm, Step, failure, reply, reply_json, stream

TOOL = ToolSpec("search", "Searches.", {"type": "object", "properties": {}})


class Claim(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=20)
    ids: tuple[str, ...] = ()


def prompt(role: ModelRole = ModelRole.VERIFY, text: str = "Which?") -> Prompt:
    return Prompt(role, "write", 2, (Message("system", "s"), Message("user", text)))


class Question:
    """A question's calls at a scripted server."""

    def __init__(self, scripted: ScriptedLlm, **settings: Any) -> None:
        base = {"base_url": scripted.url, "api_key": SecretStr("gsk_secret_secret"), "timeout_s": 2}
        self.settings = LlmSettings(**{**base, "tokens_per_minute": 0, **settings})
        self.limits = SharedLimits(
            TokenBudget(self.settings.tokens_per_minute, self.settings.tokens_per_day, lambda: 0)
        )
        self.kept: list[ModelCall] = []
        self.url = scripted.url

    def calls(self, deadline_s: float = 20) -> QuestionCalls:
        server = GroqServer(self.url, "gsk_secret_secret")
        until = time.monotonic() + deadline_s
        return QuestionCalls(server, self.limits, self.settings, until, self.kept.append, rng=Random(3))


@contextmanager
def asked(
    *script: Step | Any, deadline_s: float = 20, **settings: Any
) -> Iterator[tuple[ScriptedLlm, Question, QuestionCalls]]:
    with ScriptedLlm(*script) as scripted:
        question = Question(scripted, **settings)
        calls = question.calls(deadline_s)
        yield scripted, question, calls
        calls.stop()


def test_a_reply_of_the_form_is_given_and_the_call_is_kept() -> None:
    price = {"openai/gpt-oss-20b": ModelPrice(prompt=0.1, completion=0.5)}
    with asked(reply_json({"text": "yes", "ids": ["e1"]}), prices=price) as (scripted, question, calls):
        found = calls.structured(prompt(), Claim)

    [call] = question.kept
    assert found == Claim(text="yes", ids=("e1",))
    assert (call.role, call.prompt, call.model) == ("verify", "write@2", "openai/gpt-oss-20b")
    assert (call.outcome, call.attempts, call.prompt_tokens, call.completion_tokens) == ("done", 1, 40, 10)
    assert call.cost_usd == pytest.approx((40 * 0.1 + 10 * 0.5) / 1e6)
    assert call.latency_ms > 0
    assert calls.made == (call,)
    sent = scripted.requests[0]["response_format"]["json_schema"]
    assert sent["schema"] == strict_schema(Claim)


def test_each_role_has_its_model_and_its_effort() -> None:
    with asked(reply("ok"), effort="high", planning_model="gpt-oss-a", checking_model="gpt-oss-b") as (
        scripted,
        _,
        calls,
    ):
        for role in (ModelRole.AGENT, ModelRole.VERIFY):
            calls.converse(prompt(role), [TOOL])

    assert [(each["model"], each["reasoning_effort"]) for each in scripted.requests] == [
        ("gpt-oss-a", "high"),
        ("gpt-oss-b", "low"),
    ]


@pytest.mark.parametrize(
    ("first", "problem"),
    [
        (reply("Sure!"), "It is not JSON"),
        (reply_json({"text": 3, "ids": []}), "text must be of type string"),
        (reply_json({"text": "x" * 50}), "at most 20 characters"),
        (reply_json({"text": "x", "more": 1}), "Extra inputs"),
        (reply('{"text": "x', finish="length"), "too long"),
        (failure(400, "Failed to generate JSON", code="json_validate_failed"), "Failed to generate JSON"),
        (Step((b'{"choices": []}',)), "nothing in it"),
    ],
)
def test_a_reply_that_does_not_fit_is_repaired_with_what_is_wrong(first: Step, problem: str) -> None:
    with asked(first, reply_json({"text": "yes"})) as (scripted, question, calls):
        assert calls.structured(prompt(), Claim) == Claim(text="yes")

    assert problem in scripted.requests[1]["messages"][-1]["content"]
    assert [call.outcome for call in question.kept] == [ModelOutcome.REPAIRED]


def test_a_foreign_id_is_repaired_by_the_schema_of_the_call() -> None:
    schema = with_values(strict_schema(Claim), "ids", ["e1"])
    script = (reply_json({"text": "a", "ids": ["e9"]}), reply_json({"text": "a", "ids": ["e1"]}))
    with asked(*script) as (scripted, _, calls):
        assert calls.structured(prompt(), Claim, schema).ids == ("e1",)

    assert 'ids[0] must be one of "e1"' in scripted.requests[1]["messages"][-1]["content"]


def test_a_reply_that_does_not_fit_twice_is_given_up() -> None:
    with (
        asked(reply("No."), reply("No!"), reply_json({"text": "yes"})) as (scripted, question, calls),
        pytest.raises(LlmError, match="twice") as caught,
    ):
        calls.structured(prompt(), Claim)

    assert caught.value.outcome == ModelOutcome.INVALID
    assert len(scripted.requests) == 2
    assert question.kept[0].prompt_tokens == 80  # of both


def test_words_around_the_object_are_left_out() -> None:
    with asked(reply('Here it is:\n```json\n{"text": "yes"}\n```')) as (_, _, calls):
        assert calls.structured(prompt(), Claim).text == "yes"


def test_a_step_of_a_tool_loop_gives_the_calls() -> None:
    with asked(reply("", finish="tool_calls", tool_calls=[("search", "{}")])) as (_, _, calls):
        assert calls.converse(prompt(ModelRole.AGENT), [TOOL]).tool_calls[0].name == "search"


def test_a_step_may_be_bound_to_call_a_tool_unless_the_server_knows_no_such_thing() -> None:
    called = reply("", finish="tool_calls", tool_calls=[("search", "{}")])
    with asked(called, failure(400, "tool_choice: unknown"), called) as (scripted, _, calls):
        for _ in range(2):
            calls.converse(prompt(ModelRole.AGENT), [TOOL], must_call_tool=True)

    assert [each.get("tool_choice") for each in scripted.requests] == ["required", "required", None]


def test_a_step_without_text_or_tools_is_refused() -> None:
    with asked(reply("")) as (_, question, calls), pytest.raises(LlmError, match="wrote nothing"):
        calls.converse(prompt(ModelRole.AGENT), [TOOL])

    assert question.kept[0].outcome == ModelOutcome.INVALID


def test_text_comes_as_it_is_written() -> None:
    with asked(stream("One ", "two ", "three.", between_s=0.3)) as (_, question, calls):
        started, times, text = time.monotonic(), [], ""
        for piece in calls.write(prompt(ModelRole.WRITE)):
            times.append(time.monotonic() - started)
            text += piece

    assert text == "One two three."
    assert times[2] - times[0] > 0.4
    assert question.kept[0].completion_tokens == 10


def test_a_stream_that_breaks_off_says_so_after_its_pieces_and_is_not_begun_again() -> None:
    pieces: list[str] = []
    with (
        asked(stream("One ", "two", finish=None, cut=True)) as (scripted, question, calls),
        pytest.raises(LlmError) as caught,
    ):
        pieces.extend(calls.write(prompt(ModelRole.WRITE)))

    assert (pieces, caught.value.outcome) == (["One ", "two"], ModelOutcome.CUT_SHORT)
    assert len(scripted.requests) == 1
    assert question.kept[0].prompt_tokens > 0  # an estimate: the server read the prompt


def test_a_stream_that_fails_before_its_first_piece_is_begun_again() -> None:
    with asked(failure(503), stream("One.")) as (scripted, question, calls):
        assert list(calls.write(prompt(ModelRole.WRITE))) == ["One."]

    assert (len(scripted.requests), question.kept[0].attempts) == (2, 2)


def test_a_text_that_is_longer_than_reserved_is_cut_short() -> None:
    with (
        asked(stream("One ", finish="length")) as (_, _, calls),
        pytest.raises(LlmError, match="longer than 1,500 tokens"),
    ):
        list(calls.write(prompt(ModelRole.WRITE)))


def test_an_empty_stream_is_refused() -> None:
    with asked(stream()) as (_, _, calls), pytest.raises(LlmError, match="wrote nothing"):
        list(calls.write(prompt(ModelRole.WRITE)))


def test_a_reader_that_goes_away_closes_the_stream_and_the_call_is_kept() -> None:
    with asked(stream(*["word "] * 100, between_s=0.05)) as (scripted, question, calls):
        pieces = calls.write(prompt(ModelRole.WRITE))
        next(pieces)
        pieces.close()  # type: ignore[attr-defined]

        assert scripted.wait_until_idle(3)
    assert question.kept[0].outcome == ModelOutcome.STOPPED


@pytest.mark.parametrize(("script", "sent"), [((429, 429, 200), 3), ((500, 200), 2), ((503, 502, 500), 3)])
def test_a_passing_failure_is_tried_again_three_times_in_all(script: tuple[int, ...], sent: int) -> None:
    steps = [reply_json({"text": "yes"}) if status == 200 else failure(status) for status in script]
    with asked(*steps) as (scripted, question, calls):
        if script[-1] == 200:
            assert calls.structured(prompt(), Claim).text == "yes"
        else:
            with pytest.raises(LlmError):
                calls.structured(prompt(), Claim)

    assert (len(scripted.requests), question.kept[0].attempts) == (sent, sent)


@pytest.mark.parametrize("status", [401, 403, 413, 404])
def test_what_would_fail_again_is_sent_once(status: int) -> None:
    with asked(failure(status)) as (scripted, question, calls), pytest.raises(LlmError):
        calls.structured(prompt(), Claim)

    assert len(scripted.requests) == 1
    assert question.kept[0].prompt_tokens == 0
    assert question.kept[0].detail


def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    started = time.monotonic()
    with (
        asked(failure(429, headers={"retry-after": "60"}), deadline_s=5) as (scripted, _, calls),
        pytest.raises(LlmError) as caught,
    ):
        calls.structured(prompt(), Claim)

    assert time.monotonic() - started < 2
    assert (caught.value.outcome, len(scripted.requests)) == (ModelOutcome.RATE_LIMITED, 1)


def test_retry_after_is_waited_for() -> None:
    with asked(failure(429, headers={"retry-after": "1"}), reply_json({"text": "yes"})) as (_, _, calls):
        started = time.monotonic()
        calls.structured(prompt(), Claim)

    assert 1 <= time.monotonic() - started < 2


def test_at_the_deadline_a_silent_server_is_left() -> None:
    with asked(reply("late", wait_s=10), deadline_s=0.5, timeout_s=20) as (_, question, calls):
        started = time.monotonic()
        with pytest.raises(LlmError, match=r"time of this question .* is over") as caught:
            calls.structured(prompt(), Claim)

    assert time.monotonic() - started < 2
    assert caught.value.outcome == question.kept[0].outcome == ModelOutcome.TIMED_OUT


def test_at_the_deadline_a_server_that_drips_is_left() -> None:
    with asked(stream(*["a "] * 100, between_s=0.1), deadline_s=0.6) as (_, _, calls):
        started = time.monotonic()
        with pytest.raises(LlmError) as caught:
            list(calls.write(prompt(ModelRole.WRITE)))

    assert time.monotonic() - started < 2
    assert caught.value.outcome == ModelOutcome.TIMED_OUT


def test_after_the_deadline_nothing_is_sent() -> None:
    with asked(reply("x"), deadline_s=0) as (scripted, question, calls), pytest.raises(LlmError):
        calls.converse(prompt(ModelRole.AGENT), [TOOL])

    assert scripted.requests == []
    assert (question.kept[0].outcome, question.kept[0].attempts) == (ModelOutcome.TIMED_OUT, 0)


@pytest.mark.parametrize("step", [reply("late", wait_s=30), failure(429, headers={"retry-after": "10"})])
def test_a_stop_from_another_thread_ends_what_runs_or_waits(step: Step) -> None:
    with asked(step, timeout_s=60, deadline_s=60) as (_, question, calls):
        threading.Timer(0.3, calls.stop).start()
        started = time.monotonic()
        with pytest.raises(LlmError) as caught:
            calls.structured(prompt(), Claim)
        with pytest.raises(LlmError):
            calls.structured(prompt(), Claim)

    assert time.monotonic() - started < 3
    assert caught.value.outcome == ModelOutcome.STOPPED
    assert [call.outcome for call in question.kept] == ["stopped", "stopped"]


def test_a_question_over_its_budget_is_not_sent() -> None:
    with (
        asked(reply("x"), tokens_per_question=1_000) as (scripted, question, calls),
        pytest.raises(LlmError, match="of one question"),
    ):
        calls.structured(prompt(text="x" * 3_000), Claim)

    assert scripted.requests == []
    assert question.kept[0].outcome == ModelOutcome.OVER_BUDGET


def test_a_minute_that_does_not_reach_refuses_at_once() -> None:
    with asked(reply_json({"text": "a"}, prompt_tokens=700), tokens_per_minute=1_000) as (scripted, _, calls):
        calls.structured(prompt(), Claim)
        started = time.monotonic()
        with pytest.raises(LlmError) as caught:
            calls.structured(prompt(), Claim)

    assert time.monotonic() - started < 1
    assert (caught.value.outcome, len(scripted.requests)) == (ModelOutcome.OVER_BUDGET, 1)


def test_estimates_learn_from_what_the_server_counts() -> None:
    with asked(reply_json({"text": "a"}, prompt_tokens=400)) as (_, question, calls):
        before = question.limits.estimates.estimate("openai/gpt-oss-20b", 900)
        calls.structured(prompt(text="x" * 600), Claim)

        assert question.limits.estimates.estimate("openai/gpt-oss-20b", 900) != before


def test_a_model_that_keeps_failing_is_left_alone_also_by_other_questions() -> None:
    with asked(failure(500), deadline_s=4) as (scripted, question, calls):
        for _ in range(3):
            with pytest.raises(LlmError):
                calls.structured(prompt(), Claim)
        sent = len(scripted.requests)
        other = question.calls()
        with pytest.raises(LlmError) as caught:
            other.structured(prompt(), Claim)
        other.stop()

    assert (caught.value.outcome, len(scripted.requests)) == (ModelOutcome.CIRCUIT_OPEN, sent)
    assert question.kept[-1].attempts == 0


def test_a_key_is_in_no_call_that_is_kept() -> None:
    with (
        asked(failure(401, "bad key gsk_secret_secret")) as (_, question, calls),
        pytest.raises(LlmError) as caught,
    ):
        calls.structured(prompt(), Claim)

    assert "gsk_secret" not in question.kept[0].model_dump_json() + repr(caught.value) + repr(
        question.settings
    )


def test_fifty_questions_at_once_keep_apart() -> None:
    """Each gets the reply to its own prompt, its own calls, and no more than its own tokens."""

    def echo(request: dict[str, Any]) -> Step:
        said = request["messages"][-1]["content"]
        number = int(said)
        if request.get("stream"):
            return stream(*(f"{said} " for _ in range(5)), usage=(number, 5), between_s=0.02)
        return reply_json({"text": said}, prompt_tokens=number, wait_s=0.05)

    with ScriptedLlm(echo) as scripted:
        question = Question(scripted, timeout_s=20)

        def ask(number: int) -> tuple[str, str, list[int]]:
            calls = question.calls(60)
            read = calls.structured(prompt(text=str(number)), Claim).text
            written = "".join(calls.write(prompt(ModelRole.WRITE, str(number))))
            calls.stop()
            return read, written, [call.prompt_tokens for call in calls.made]

        with ThreadPoolExecutor(50) as pool:
            found = list(pool.map(ask, range(1, 51)))

    for number, (read, written, tokens) in enumerate(found, 1):
        assert (read, written, tokens) == (str(number), f"{number} " * 5, [number, number])
    assert len(question.kept) == 100
    assert json.dumps([call.outcome for call in question.kept]).count("done") == 100


def test_calls_of_one_question_may_run_at_once_under_one_budget() -> None:
    with asked(reply_json({"text": "a"}, wait_s=0.2), tokens_per_question=3_000) as (
        scripted,
        question,
        calls,
    ):

        def ask(_: int) -> str:
            try:
                return calls.structured(prompt(), Claim).text
            except LlmError as error:
                return error.outcome

        with ThreadPoolExecutor(10) as pool:
            found = sorted(pool.map(ask, range(10)))

    assert set(found) == {"a", "over_budget"}
    assert len(scripted.requests) == found.count("a") <= 4
    assert len(question.kept) == 10


def test_a_call_is_noted_before_it_is_sent_with_all_that_it_may_take() -> None:
    noted: list[tuple[str, ModelCall, int]] = []
    ended: list[tuple[str, ModelCall]] = []
    with ScriptedLlm(failure(500), reply_json({"text": "a"})) as scripted:
        question = Question(scripted)
        calls = QuestionCalls(
            GroqServer(question.url, ""),
            question.limits,
            question.settings,
            time.monotonic() + 20,
            on_begin=lambda id, call: noted.append((id, call, len(scripted.requests))),
            on_end=lambda id, call: ended.append((id, call)),
            rng=Random(3),
        )
        calls.structured(prompt(), Claim)
        calls.stop()

    assert [sent for *_, sent in noted] == [0, 1]
    assert {call.outcome for _, call, _ in noted} == {ModelOutcome.BEGUN}
    assert all(call.completion_tokens == 600 for _, call, _ in noted)
    assert {id for id, *_ in noted} == {ended[0][0]}
    assert (ended[0][1].outcome, ended[0][1].completion_tokens) == (ModelOutcome.DONE, 10)
