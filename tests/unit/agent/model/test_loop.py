from __future__ import annotations

import pytest

from core.agent.model.loop import gather_in_a_loop
from core.agent.model.tool_evidence import ToolEvidence
from core.answer.prose.units import EvidencePool
from core.domain.event import Event, ToolUsed
from core.errors import LlmError
from tests.support.model_tools import HIT, GivenTools
from tests.support.models_at_hand import models_at_hand
from tests.support.scripted_llm import Step, failure, reply

SEARCH = ("search_text", '{"query": "rent"}')
DONE = reply('{"decision": "done"}')


def looped(*script: Step, most: int = 5) -> tuple[list[Event], EvidencePool, list[dict[str, object]]]:
    pool = EvidencePool(4_000)
    tools = ToolEvidence(GivenTools({"hits": [HIT]}), pool, ())
    with models_at_hand(*script) as models:
        calls = models.calls()
        try:
            events = list(gather_in_a_loop("What is the rent?", tools, calls, most, lambda: 0.0))
        finally:
            calls.stop()
        return events, pool, models.server.requests


def used(events: list[Event]) -> list[str]:
    return [event.tool for event in events if isinstance(event, ToolUsed)]


def test_it_calls_tools_until_the_model_is_done() -> None:
    events, pool, requests = looped(reply(tool_calls=[SEARCH]), DONE)

    assert used(events) == ["search_text"]
    assert len(pool.packed.units) == 1
    assert [message["role"] for message in requests[1]["messages"]] == ["system", "user", "assistant", "tool"]  # type: ignore[attr-defined]


def test_it_never_calls_more_tools_than_allowed() -> None:
    events, _, requests = looped(reply(tool_calls=[SEARCH, SEARCH]), most=3)

    assert len(used(events)) == 3
    assert len(requests) == 2


def test_a_model_that_calls_nothing_finds_nothing() -> None:
    events, pool, _ = looped(DONE)

    assert used(events) == []
    assert pool.packed.is_empty


def test_a_server_that_fails_ends_the_loop() -> None:
    with pytest.raises(LlmError):
        looped(failure(401))


def test_tokens_of_a_reply_count_once_for_the_tools_that_it_asks_for() -> None:
    events, _, _ = looped(reply(tool_calls=[SEARCH, SEARCH]), DONE)

    assert [event.tokens for event in events if isinstance(event, ToolUsed)] == [50, 0]
