"""Plans of any shape for tests of what runs them: operators that give what their inputs make of them."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping

from hypothesis import strategies as st

from core.domain.answer import Kind, Route
from core.domain.results import FoundValue, Result, Stopped
from core.plan.ir.nodes import Combine, Condition, Node, Plan, Reference, Search, Select
from core.store.database.visibility import Visibility


class CountingOperators:
    """Gives a value made of the node's content and its inputs, and counts how often each node ran."""

    def __init__(self, stopping: frozenset[str] = frozenset()) -> None:
        self.ran: list[str] = []
        self._stopping = stopping
        self._lock = threading.Lock()

    def run(
        self, node: Node, inputs: Mapping[str, Result], visibility: Visibility, deadline_s: float
    ) -> Result | Stopped:
        with self._lock:
            self.ran.append(node.id)
        if node.id in self._stopping:
            return Stopped(node=node.id, reason="two values", is_question=True, options=("a", "b"))
        content = node.model_dump_json(
            exclude={"id", "inputs", "purpose", "reason", "estimate", "ran", "phrase"}
        )
        found = {id: each.text for id, each in inputs.items() if isinstance(each, FoundValue)}
        for id, value in found.items():  # equal nodes give equal results, whatever their inputs are called
            content = content.replace(f'{{"from":"{id}"}}', f'{{"from":"{value}"}}')
        parts = list(found.values())
        if isinstance(node, Combine) and node.how in ("intersect", "union"):
            parts.sort()
        text = hashlib.sha256("|".join([content, *parts]).encode()).hexdigest()
        return FoundValue(kind="text", text=text)


class ShuffledOperators(CountingOperators):
    """Lets the nodes that run side by side end in the order that `choose` draws, whatever the threads do."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._state = seed
        self._turn = threading.Condition()
        self._inside: list[str] = []

    def run(
        self, node: Node, inputs: Mapping[str, Result], visibility: Visibility, deadline_s: float
    ) -> Result | Stopped:
        with self._turn:
            self._inside.append(node.id)
            self._turn.notify_all()
            self._turn.wait_for(lambda: self._chosen() == node.id, timeout=0.02)
            self._inside.remove(node.id)
            self._state = (self._state * 1_103_515_245 + 12_345) % 2**31
            self._turn.notify_all()
        return super().run(node, inputs, visibility, deadline_s)

    def _chosen(self) -> str:
        return sorted(self._inside)[self._state % len(self._inside)]


def plan_of(*nodes: Node, answer: str | None = None) -> Plan:
    """A plan of these nodes; the last one answers."""
    return Plan(
        question="q",
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        nodes=nodes,
        answer_node=answer or nodes[-1].id,
    )


@st.composite
def plans(draw: st.DrawFn, most: int = 10) -> Plan:
    """Plans without circles, in any order of nodes."""
    count = draw(st.integers(1, most))
    nodes: list[Node] = []
    for at in range(count):
        names = [node.id for node in nodes]
        inputs = tuple(draw(st.lists(st.sampled_from(names), max_size=3, unique=True))) if names else ()
        nodes.append(draw(_nodes(f"n{at}", inputs)))
    return plan_of(*draw(st.permutations(nodes)), answer=nodes[-1].id)


@st.composite
def _nodes(draw: st.DrawFn, id: str, inputs: tuple[str, ...]) -> Node:
    kind = draw(st.sampled_from(["search", "select", "combine", "reference"]))
    if kind == "search":
        return Search(id=id, purpose="p", inputs=inputs, text=draw(st.sampled_from(["cap", "law"])))
    if kind == "combine" and len(inputs) > 1:
        how = draw(st.sampled_from(["intersect", "union", "difference"]))
        return Combine(id=id, purpose="p", inputs=inputs, how=how)
    value = Reference(node=inputs[0]) if kind == "reference" and inputs else draw(st.sampled_from(["1", "2"]))
    condition = Condition(field="cap", op=">", value=value)
    return Select(id=id, purpose="p", inputs=inputs, conditions=(condition,))
