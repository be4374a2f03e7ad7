from __future__ import annotations

from core.agent.model.review import MOST_ROUNDS, review_evidence
from core.agent.model.tool_evidence import ToolEvidence
from core.answer.prose.units import EvidencePool
from core.domain.event import Event, ToolUsed
from tests.support.model_tools import HIT, GivenTools
from tests.support.models_at_hand import models_at_hand
from tests.support.scripted_llm import Step, reply_json

MORE = reply_json(
    {"decision": "more", "tool": "search_text", "arguments": '{"query": "rent"}', "reason": "No rent."}
)
ENOUGH = reply_json({"decision": "enough", "tool": "", "arguments": "", "reason": ""})


def reviewed(*script: Step) -> tuple[list[Event], EvidencePool, int]:
    pool = EvidencePool(4_000)
    tools = ToolEvidence(GivenTools({"hits": [HIT]}), pool, ())
    with models_at_hand(*script) as models:
        calls = models.calls()
        try:
            events = list(review_evidence("What is the rent?", pool, tools, calls, lambda: 0.0))
        finally:
            calls.stop()
        return events, pool, len(models.server.requests)


def test_what_is_missing_is_searched_for() -> None:
    events, pool, rounds = reviewed(MORE, ENOUGH)

    assert [event.tool for event in events if isinstance(event, ToolUsed)] == ["search_text"]
    assert len(pool.packed.units) == 1
    assert rounds == 2


def test_enough_is_enough() -> None:
    events, pool, rounds = reviewed(ENOUGH)

    assert rounds == 1
    assert pool.packed.is_empty
    assert events[-1].type == "stage_finished"


def test_the_next_round_is_told_what_a_search_added() -> None:
    pool = EvidencePool(4_000)
    tools = ToolEvidence(GivenTools({"hits": [HIT]}), pool, ())
    with models_at_hand(MORE) as models:
        calls = models.calls()
        list(review_evidence("What is the rent?", pool, tools, calls, lambda: 0.0))
        calls.stop()
        first, second, third = (str(each["messages"]) for each in models.server.requests)

    assert "Calls that are left after this one: 2." in first
    assert "It added e1." in second
    assert "It found nothing that is not in the evidence already." in third
    assert "Calls that are left after this one: 0." in third


def test_it_looks_three_times_at_most() -> None:
    assert reviewed(MORE)[2] == MOST_ROUNDS
