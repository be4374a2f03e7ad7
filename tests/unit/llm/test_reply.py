from __future__ import annotations

import pytest

from core.errors import LlmError
from core.llm.base import ToolCall
from core.llm.reply import reply_of


def body(message: object, **more: object) -> dict[str, object]:
    return {"choices": [{"message": message, "finish_reason": "stop"}], **more}


def test_odd_parts_are_left_out() -> None:
    calls = [None, {"function": {"name": 3}}, {"function": {"name": "f", "arguments": None}}]

    found = reply_of(body({"content": None, "tool_calls": calls}, usage={"prompt_tokens": "7"}), "Groq")

    assert (found.text, found.tool_calls) == ("", (ToolCall("call_2", "f", "{}"),))
    assert found.prompt_tokens == 0


@pytest.mark.parametrize("document", [{}, {"choices": {}}, {"choices": [{"message": "hi"}]}])
def test_a_body_without_a_message_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(LlmError, match="nothing in it"):
        reply_of(document, "Groq")
