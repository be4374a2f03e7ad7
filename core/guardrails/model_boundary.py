"""The boundary to a language model: what it is sent holds masks in place of the question's personal data."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.domain.llm.use import ModelCall
from core.guardrails.masking import Masking
from core.llm.base import ChatReply, ModelCalls, Prompt, Reply, ToolSpec


class MaskedModelCalls:
    """The calls of a question whose prompts are masked, whatever they were filled with."""

    def __init__(self, calls: ModelCalls, masking: Masking) -> None:
        self._calls = calls
        self._masking = masking

    @property
    def made(self) -> Sequence[ModelCall]:
        """See `ModelCalls.made`."""
        return self._calls.made

    def structured(
        self, prompt: Prompt, reply: type[Reply], schema: Mapping[str, Any] | None = None
    ) -> Reply:
        """See `ModelCalls.structured`."""
        return self._calls.structured(self._masked(prompt), reply, schema)

    def converse(
        self, prompt: Prompt, tools: Sequence[ToolSpec], *, must_call_tool: bool = False
    ) -> ChatReply:
        """See `ModelCalls.converse`."""
        return self._calls.converse(self._masked(prompt), tools, must_call_tool=must_call_tool)

    def write(self, prompt: Prompt) -> Generator[str, None, None]:
        """See `ModelCalls.write`."""
        return self._calls.write(self._masked(prompt))

    def stop(self) -> None:
        """See `ModelCalls.stop`."""
        self._calls.stop()

    def _masked(self, prompt: Prompt) -> Prompt:
        def masked(text: str) -> str:
            return self._masking.text(text)

        messages = tuple(
            replace(
                message,
                content=masked(message.content),
                tool_calls=tuple(replace(c, arguments=masked(c.arguments)) for c in message.tool_calls),
            )
            for message in prompt.messages
        )
        return replace(prompt, messages=messages)


def masked_calls(calls: ModelCalls, masking: Masking) -> ModelCalls:
    """The calls behind the boundary; themselves where there is nothing to mask."""
    return MaskedModelCalls(calls, masking) if masking else calls
