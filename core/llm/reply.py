"""The reply in a body of chat completions, checked as it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.domain.llm.use import ModelOutcome
from core.errors import LlmError
from core.llm.base import ChatReply, ToolCall


def reply_of(document: Mapping[str, Any], server: str) -> ChatReply:
    """The first choice of a body. Raises LlmError where there is none, or it did not end.

    server: as messages call it.
    """
    choices = document.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise LlmError(
            f"{server} sent a reply with nothing in it.",
            outcome=ModelOutcome.INVALID,
            next_step="Ask again; if it stays so, choose another model.",
        )
    finish = str(choice.get("finish_reason") or "")
    if not finish:
        raise LlmError(
            f"{server} broke off in the middle of its reply.",
            outcome=ModelOutcome.CUT_SHORT,
            next_step="Ask again.",
        )
    content = message.get("content")
    usage = document.get("usage")
    return ChatReply(
        text=content if isinstance(content, str) else "",
        finish=finish,
        tool_calls=tuple(_tool_calls(message.get("tool_calls"))),
        prompt_tokens=_count(usage, "prompt_tokens"),
        completion_tokens=_count(usage, "completion_tokens"),
    )


def _tool_calls(found: Any) -> list[ToolCall]:
    calls = []
    for number, each in enumerate(found if isinstance(found, list) else ()):
        function = each.get("function") if isinstance(each, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            arguments = function.get("arguments")
            id = str(each.get("id") or f"call_{number}")
            calls.append(ToolCall(id, function["name"], arguments if isinstance(arguments, str) else "{}"))
    return calls


def _count(usage: Any, name: str) -> int:
    found = usage.get(name) if isinstance(usage, dict) else None
    return max(0, found) if isinstance(found, int) else 0
