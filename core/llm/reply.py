"""The reply in a body of chat completions, checked as it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.llm.base import ChatReply, ToolCall
from core.llm.statuses import broke_off, empty_reply

_MOST_TOKENS = 1_000_000_000  # of one reply; more is no count


def reply_of(document: Mapping[str, Any], server: str) -> ChatReply:
    """The first choice of a body. Raises LlmError where there is none, or it did not end.

    server: as messages call it.
    """
    choices = document.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise empty_reply(server)
    finish = str(choice.get("finish_reason") or "")
    if not finish:
        raise broke_off(server)
    usage = document.get("usage")
    return ChatReply(
        text=text_of(message.get("content")),
        finish=finish,
        tool_calls=tuple(_tool_calls(message.get("tool_calls"))),
        prompt_tokens=count_of(usage, "prompt_tokens"),
        completion_tokens=count_of(usage, "completion_tokens"),
    )


def text_of(content: object) -> str:
    """The words of a content: a text, or a list of parts as servers of reasoning models send it."""
    if isinstance(content, list):
        parts = [
            each.get("text") for each in content if isinstance(each, dict) and each.get("type") == "text"
        ]
        return "".join(text_of(part) for part in parts if isinstance(part, str))
    return whole_characters(content) if isinstance(content, str) else ""


def count_of(usage: Any, name: str) -> int:
    """A count of tokens; 0 where it is none."""
    found = usage.get(name) if isinstance(usage, dict) else getattr(usage, name, 0)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found <= _MOST_TOKENS:
        return 0
    return int(found)


def whole_characters(text: str) -> str:
    """The text with halves of pairs, which JSON can say and nothing can keep, as replacement characters."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _tool_calls(found: Any) -> list[ToolCall]:
    calls = []
    for number, each in enumerate(found if isinstance(found, list) else ()):
        function = each.get("function") if isinstance(each, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            arguments = function.get("arguments")
            id = text_of(str(each.get("id") or f"call_{number}"))
            calls.append(ToolCall(id, text_of(function["name"]), text_of(arguments) or "{}"))
    return calls
