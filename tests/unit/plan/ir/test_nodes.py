from __future__ import annotations

import pytest
from pydantic import ValidationError

from core.domain.answer import Kind, Route
from core.plan.ir.nodes import Plan, Search


def _search(name: str = "search-1", inputs: tuple[str, ...] = ()) -> Search:
    return Search(id=name, purpose="Find the cap", text="liability cap", inputs=inputs)


def test_a_plan_survives_json() -> None:
    nodes = (_search(), _search("search-2", inputs=("search-1",)))
    plan = Plan(question="q", kind=Kind.LOOKUP, route=Route.HYBRID, nodes=nodes, answer_node="search-2")
    assert Plan.model_validate_json(plan.model_dump_json()) == plan


@pytest.mark.parametrize(
    ("nodes", "answer_node", "message"),
    [
        ((_search(), _search()), "search-1", "two nodes are called"),
        ((_search(inputs=("nowhere",)),), "search-1", "not a node of this plan"),
        ((_search(),), "other", "not a node of this plan"),
    ],
)
def test_a_plan_that_does_not_connect_is_refused(
    nodes: tuple[Search, ...], answer_node: str, message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        Plan(question="q", kind=Kind.LOOKUP, route=Route.HYBRID, nodes=nodes, answer_node=answer_node)


def test_an_unknown_node_type_is_refused() -> None:
    with pytest.raises(ValidationError):
        Plan.model_validate(
            {"question": "q", "kind": "lookup", "route": "hybrid", "nodes": [{"type": "shell", "id": "x"}]}
        )
