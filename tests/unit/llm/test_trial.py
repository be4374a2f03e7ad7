from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from pydantic import SecretStr

from core.config.models import LlmSettings
from core.domain.llm.report import KindTest
from core.domain.llm.use import ModelCall
from core.llm.trial import try_server
from tests.support.scripted_llm import ScriptedLlm, Step, failure, reply, reply_json, stream


def well(request: dict[str, Any]) -> Step:
    if request.get("stream"):
        return stream("Hello", ".")
    if request.get("tools"):
        return reply("", finish="tool_calls", tool_calls=[("look_up", '{"word": "rent"}')])
    return reply_json({"hour": 9, "word": "nine"})


def settings(scripted: ScriptedLlm) -> LlmSettings:
    return LlmSettings(base_url=scripted.url, api_key=SecretStr("gsk_secret_key"), planning_model="planner")


def test_each_kind_of_call_is_tried_with_its_model() -> None:
    kept: list[ModelCall] = []
    with ScriptedLlm(well) as scripted:
        report = try_server(settings(scripted), kept.append)

    assert report.ok
    assert [(call.kind, call.model) for call in report.calls] == [
        ("structured", "openai/gpt-oss-20b"),
        ("tools", "planner"),
        ("stream", "openai/gpt-oss-120b"),
    ]
    assert "'Hello.'" in report.calls[2].detail
    assert all(call.latency_ms > 0 and call.tokens for call in report.calls)
    assert [call.role for call in kept] == ["test"] * 3


def test_a_failure_is_told_in_plain_words_and_the_others_are_tried() -> None:
    def script(request: dict[str, Any]) -> Step:
        return failure(401, "bad gsk_secret_key") if request.get("tools") else well(request)

    with ScriptedLlm(script) as scripted:
        report = try_server(settings(scripted))

    assert [call.ok for call in report.calls] == [True, False, True]
    assert "refused the API key" in report.calls[1].detail
    assert "GROQ_API_KEY" in report.calls[1].next_step
    assert "gsk_secret" not in report.model_dump_json()


def test_a_model_that_answers_without_the_tool_is_said_to() -> None:
    with ScriptedLlm(
        lambda request: reply("Rent is money.") if request.get("tools") else well(request)
    ) as scripted:
        report = try_server(settings(scripted))

    assert report.ok
    assert "without one" in report.calls[1].detail


def test_a_trial_that_is_broken_off_ends_at_once_and_says_nothing_of_what_it_broke_off() -> None:
    cancels: list[Callable[[], None]] = []
    with ScriptedLlm(well, reply("late", wait_s=30)) as scripted:

        def cancel_later(test: KindTest) -> None:
            threading.Timer(0.2, cancels[0]).start()

        began = time.monotonic()
        report = try_server(settings(scripted), on_test=cancel_later, on_begin=cancels.append)

    assert [call.kind for call in report.calls] == ["structured"]
    assert time.monotonic() - began < 10
    assert len(scripted.requests) == 2
