"""Single-loop agent: one conversation in which a model calls the tools until it has the evidence it needs."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace

from core.agent.model.tool_evidence import ToolEvidence
from core.domain.event import Event, StageFinished, StageStarted
from core.domain.llm.use import ModelRole
from core.llm.base import Message, ModelCalls
from core.llm.prompts import fence, load_prompt


def gather_in_a_loop(
    question: str, tools: ToolEvidence, calls: ModelCalls, most_calls: int, at_ms: Callable[[], float]
) -> Generator[Event, None, int]:
    """Let the model call tools, `most_calls` at most; gives how many it called. Raises LlmError.

    What the tools found is in the pool of `tools`; the model's own closing words are not used.
    """
    began, used = at_ms(), 0
    yield StageStarted(at_ms=began, stage="search", label="Searching with the model")
    prompt = load_prompt("agent", ModelRole.AGENT, question=fence("question", question), most=str(most_calls))
    while used < most_calls:
        reply = calls.converse(prompt, tools.specs())
        if not reply.tool_calls:
            break
        asked = reply.tool_calls[: most_calls - used]
        messages = [Message("assistant", reply.text, tool_calls=asked)]
        for at, call in enumerate(asked):
            used += 1
            result = tools.call(call.name, call.arguments, at_ms())
            yield result.event.model_copy(update={"tokens": 0 if at else calls.made[-1].tokens})
            messages.append(Message("tool", result.text, tool_call_id=call.id))
        prompt = replace(prompt, messages=(*prompt.messages, *messages))
    done = at_ms()
    yield StageFinished(
        at_ms=done,
        stage="search",
        label=f"Called {used} tool{'s' if used != 1 else ''}",
        latency_ms=round(done - began, 3),
        source="model",
        counts={"calls": used},
    )
    return used
