"""What is wrong with a plan as a graph, before its nodes are looked into: names, edges, circles, caps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from core.plan.ir.nodes import ID, MAX_HOPS, MAX_NODES, MAX_ROWS, Aggregate, Hop, Plan, Read, Search, Select


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a plan cannot run. node: which one is meant; None for the plan as a whole."""

    node: str | None
    message: str
    next_step: str = ""


def frame_problems(plan: Plan) -> tuple[Problem, ...]:
    """What keeps a plan from being looked into further; () where it can be.

    A plan that was edited in memory was not read by the model, which would have refused most of this.
    """
    return (*_names(plan), *_edges(plan)) or tuple(_circle(plan))


def caps(plan: Plan) -> Iterator[Problem]:
    """Where a plan asks for more than is allowed."""
    if len(plan.nodes) > MAX_NODES:
        yield Problem(
            plan.nodes[MAX_NODES].id,
            f"The plan has {len(plan.nodes):,} nodes, more than {MAX_NODES}.",
            "Take some of them out.",
        )
    hops = [node.id for node in plan.nodes if isinstance(node, Hop)]
    if len(hops) > MAX_HOPS:
        yield Problem(
            hops[MAX_HOPS],
            f"The plan has {len(hops)} hops, more than {MAX_HOPS}.",
            "Ask the question in two steps.",
        )
    for node in plan.nodes:
        wanted = 0
        if isinstance(node, Select):
            wanted = node.limit or 0
        elif isinstance(node, Aggregate):
            wanted = node.top
        if isinstance(node, Search | Select | Read):
            wanted = max(wanted, len(node.scope.documents))
        if wanted > MAX_ROWS:
            yield Problem(
                node.id,
                f"It asks for {wanted:,} rows, more than {MAX_ROWS:,}.",
                f"Ask for at most {MAX_ROWS:,}, or choose documents by bucket or condition.",
            )


def _names(plan: Plan) -> Iterator[Problem]:
    for name, times in Counter(node.id for node in plan.nodes).items():
        if times > 1:
            yield Problem(name, f"{times} nodes are called {name!r}.", "Give each of them an id of its own.")
        if not re.match(ID, name):
            yield Problem(
                name, f"{name!r} is no id of a node.", "Use small letters, digits, - and _, a letter first."
            )


def _edges(plan: Plan) -> Iterator[Problem]:
    known = {node.id for node in plan.nodes}
    for node in plan.nodes:
        for name in node.inputs:
            if name not in known:
                yield Problem(
                    node.id,
                    f"It needs {name!r}, which is not a node of this plan.",
                    "Connect another node, or add that one.",
                )
    if plan.nodes and plan.answer_node not in known:
        yield Problem(
            None,
            f"Its answer is to come from {plan.answer_node!r}, which is not a node of this plan.",
            f"Let one of these answer: {', '.join(node.id for node in plan.nodes[:8])}.",
        )


def _circle(plan: Plan) -> Iterator[Problem]:
    """The circle that a plan goes round in, where it does, beginning with its first node in the plan."""
    inputs = {node.id: node.inputs for node in plan.nodes}
    left = dict(inputs)
    while ready := [name for name, needs in left.items() if not any(each in left for each in needs)]:
        for name in ready:
            del left[name]
    if not left:
        return
    path = [next(iter(left))]
    while (name := next(each for each in left[path[-1]] if each in left)) not in path:
        path.append(name)
    ring = path[path.index(name) :]
    said = " → ".join(repr(each) for each in (*ring[::-1], ring[-1]))
    yield Problem(
        ring[-1],
        f"The plan goes round in a circle: {said}.",
        f"Take one of these edges out, such as that from {ring[0]!r} to {ring[-1]!r}."
        if len(ring) > 1
        else "Take its edge to itself out.",
    )
