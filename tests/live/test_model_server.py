"""The three kinds of call against a real OpenAI-style server with a small packaged model."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator

import pytest
from pydantic import BaseModel

from core.config.models import LlmSettings
from core.domain.llm.use import ModelOutcome, ModelRole
from core.errors import LlmError
from core.llm.base import Message, Prompt, ToolCall, ToolSpec
from core.llm.models import LanguageModels, open_models
from core.llm.schema import strict_schema, with_values
from core.llm.trial import try_server
from tests.support.model_server import model_server

pytestmark = pytest.mark.live
LOOK_UP = ToolSpec(
    "look_up",
    "Looks a word up.",
    {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
)


class Choice(BaseModel):
    id: str
    is_sure: bool


@pytest.fixture(scope="module", params=["", "/openai"])
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """Of a server at the root, and of one under a path, as Groq's is."""
    with model_server(request.param) as found:
        yield found


@pytest.fixture
def models(address: str) -> LanguageModels:
    settings = LlmSettings(base_url=address, timeout_s=60, deadline_s=120, tokens_per_minute=0)
    return open_models(settings, lambda: 0)


def prompt(role: ModelRole, text: str) -> Prompt:
    return Prompt(role, "live", 1, (Message("user", text),))


def test_every_kind_of_call_works(address: str) -> None:
    report = try_server(LlmSettings(base_url=address, timeout_s=60, deadline_s=240))

    assert [(call.kind, call.ok) for call in report.calls] == [
        ("structured", True),
        ("tools", True),
        ("stream", True),
    ], report
    assert all(call.tokens > 20 for call in report.calls)


def test_strict_decoding_gives_no_id_that_is_not_of_this_call(models: LanguageModels) -> None:
    calls = models.calls()
    schema = with_values(strict_schema(Choice), "id", ["e7"])

    found = calls.structured(prompt(ModelRole.VERIFY, "Which? Say e1."), Choice, schema)
    calls.stop()

    assert found.id == "e7"
    assert calls.made[0].outcome == ModelOutcome.DONE
    assert json.loads(calls.made[0].model_dump_json())["prompt_tokens"] > 10


def test_a_tool_is_called_after_others_were(models: LanguageModels) -> None:
    earlier: list[Message] = []
    for number, word in enumerate(("rent", "lease", "term")):
        call = ToolCall(f"c{number}", "look_up", json.dumps({"word": word}))
        earlier += [
            Message("user", f"Look up the word {word!r}."),
            Message("assistant", "", (call,)),
            Message("tool", "A noun.", tool_call_id=call.id),
            Message("assistant", "It is a noun."),
        ]
    last = Message("user", "Look up the word 'notice'.")
    calls = models.calls()

    wanted = Prompt(ModelRole.AGENT, "live", 1, (*earlier, last))
    found = calls.converse(wanted, [LOOK_UP], must_call_tool=True)
    calls.stop()

    assert found.finish == "tool_calls"
    assert [(call.name, json.loads(call.arguments)) for call in found.tool_calls] == [
        ("look_up", {"word": "notice"})
    ]


def test_a_stream_that_is_stopped_ends_at_once_and_the_server_goes_on(models: LanguageModels) -> None:
    calls = models.calls()
    pieces: list[str] = []
    threading.Timer(0.5, calls.stop).start()
    started = time.monotonic()

    with pytest.raises(LlmError) as caught:
        pieces.extend(calls.write(prompt(ModelRole.WRITE, "Count from 1 to 1000, every number.")))

    assert caught.value.outcome == ModelOutcome.STOPPED
    assert time.monotonic() - started < 5
    again = models.calls()
    assert next(again.write(prompt(ModelRole.WRITE, "Say hello.")))
    again.stop()
