from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from core.domain.guards.verdict import GuardSpan
from core.domain.llm.use import ModelCall, ModelRole
from core.guardrails.masking import Masking, masking_of
from core.guardrails.model_boundary import masked_calls
from core.llm.base import ChatReply, Message, Prompt, Reply, ToolCall, ToolSpec


class Word(BaseModel):
    word: str = ""


class Calls:
    """Calls that keep what they were sent."""

    def __init__(self) -> None:
        self.sent: list[Prompt] = []
        self.stopped = False
        self.made: Sequence[ModelCall] = ()

    def structured(
        self, prompt: Prompt, reply: type[Reply], schema: Mapping[str, Any] | None = None
    ) -> Reply:
        self.sent.append(prompt)
        return reply()

    def converse(
        self, prompt: Prompt, tools: Sequence[ToolSpec], *, must_call_tool: bool = False
    ) -> ChatReply:
        self.sent.append(prompt)
        return ChatReply("", "stop")

    def write(self, prompt: Prompt) -> Iterator[str]:
        self.sent.append(prompt)
        return iter(())

    def stop(self) -> None:
        self.stopped = True


TEXT = "Who is a.b@c.example?"
MASKING = masking_of(TEXT, [GuardSpan(start=7, end=20, kind="email")])
PROMPT = Prompt(
    ModelRole.PLAN,
    "plan",
    1,
    (
        Message("user", TEXT),
        Message("assistant", "", (ToolCall("1", "search", '{"text": "a.b@c.example"}'),)),
    ),
)


def test_no_prompt_holds_a_masked_value() -> None:
    calls = Calls()
    bounded = masked_calls(calls, MASKING)
    bounded.structured(PROMPT, Word)
    bounded.converse(PROMPT, ())
    list(bounded.write(PROMPT))
    assert len(calls.sent) == 3
    assert all("a.b@c" not in repr(prompt) for prompt in calls.sent)
    assert calls.sent[0].messages[0].content == "Who is [e-mail address]?"


def test_stop_and_calls_made_are_those_behind() -> None:
    calls = Calls()
    bounded = masked_calls(calls, MASKING)
    bounded.stop()
    assert calls.stopped
    assert bounded.made == ()


def test_nothing_to_mask_needs_no_boundary() -> None:
    calls = Calls()
    assert masked_calls(calls, Masking()) is calls
