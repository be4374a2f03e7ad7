"""One place that says whether a plan can run, wherever it comes from: a planner, a person, a file, a link."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from core.domain.search import MAX_HOPS
from core.plan.catalogue import Catalogue
from core.plan.ir.node import MAX_VALUES, SelectionNode, flattened
from core.plan.ir.nodes import ID, MAX_NODES, MAX_ROWS, Node, Plan, ScopedNode, spec_of
from core.plan.ir.spec import Checks, Problem, plan_error

__all__ = ["Problem", "check", "gives", "validate"]


def check(plan: Plan, catalogue: Catalogue) -> None:
    """Raise PlanError with every problem of a plan; nothing where it can run."""
    problems = validate(plan, catalogue)
    if problems:
        raise plan_error(problems)


def validate(plan: Plan, catalogue: Catalogue) -> tuple[Problem, ...]:
    """Every problem of a plan, in the order of its nodes; () where it can run.

    What a principal may not see is not in the catalogue, so that it is unknown here too.
    """
    # A plan that was edited in memory was not read by the model, which would have refused most of this.
    problems = [*_names(plan), *_edges(plan)] or [*_circle(plan)] or [*_caps(plan)]
    if problems:
        return tuple(problems)
    checks = Checks(
        nodes={node.id: node for node in plan.nodes},
        types={node.id: gives(node) for node in plan.nodes},
        values=frozenset(node.id for node in plan.nodes if spec_of(node).is_value(node)),
        catalogue=catalogue,
    )
    for node in plan.nodes:
        problems += [Problem(node.id, *said) for said in spec_of(node).checks(node, checks)]
    return tuple(problems)


def gives(node: Node) -> str:
    """The type of what a node gives, as in `core.domain.results`."""
    return spec_of(node).gives(node)


def _caps(plan: Plan) -> Iterator[Problem]:
    """Problems of a plan that asks for more than is allowed."""
    if len(plan.nodes) > MAX_NODES:
        said = f"The plan has {len(plan.nodes):,} nodes, more than {MAX_NODES}."
        yield Problem(plan.nodes[MAX_NODES].id, said, "Take some of them out.")
    hops = [node.id for node in plan.nodes if spec_of(node).is_hop]
    if len(hops) > MAX_HOPS:
        said = f"The plan has {len(hops)} hops, more than {MAX_HOPS}."
        yield Problem(hops[MAX_HOPS], said, "Ask the question in two steps.")
    for node in plan.nodes:
        asked = flattened(node.conditions) if isinstance(node, SelectionNode) else []
        if (values := sum(len(each.texts) for each in asked)) > MAX_VALUES:
            most = max(asked, key=lambda each: len(each.texts)).field
            said = f"It compares with {values:,} values, more than {MAX_VALUES}, most of them of {most!r}."
            yield Problem(node.id, said, "Compare with fewer, or ask in several steps.")
        named = len(node.scope.documents) if isinstance(node, ScopedNode) else 0
        wanted = max(spec_of(node).rows(node), named)
        if wanted > MAX_ROWS:
            step = f"Ask for at most {MAX_ROWS:,}, or choose documents by bucket or condition."
            yield Problem(node.id, f"It asks for {wanted:,} rows, more than {MAX_ROWS:,}.", step)


def _names(plan: Plan) -> Iterator[Problem]:
    for name, times in Counter(node.id for node in plan.nodes).items():
        if times > 1:
            yield Problem(name, f"{times} nodes are called {name!r}.", "Give each of them an id of its own.")
        if not re.match(ID, name):
            step = "Use small letters, digits, - and _, a letter first."
            yield Problem(name, f"{name!r} is no id of a node.", step)


def _edges(plan: Plan) -> Iterator[Problem]:
    known = {node.id for node in plan.nodes}
    for node in plan.nodes:
        for name in node.inputs:
            if name not in known:
                said = f"It needs {name!r}, which is not a node of this plan."
                yield Problem(node.id, said, "Connect another node, or add that one.")
    if plan.nodes and plan.answer_node not in known:
        said = f"Its answer is to come from {plan.answer_node!r}, which is not a node of this plan."
        step = f"Let one of these answer: {', '.join(node.id for node in plan.nodes[:8])}."
        yield Problem(None, said, step)


def _circle(plan: Plan) -> Iterator[Problem]:
    """The circle that a plan goes round in, where it does."""
    try:
        TopologicalSorter({node.id: node.inputs for node in plan.nodes}).prepare()
    except CycleError as error:
        _, *ring = error.args[1]  # each an input of the next, the first and the last the same
        ring.append(ring[0])
        said = " → ".join(map(repr, ring))
        edge = f"Take one of these edges out, such as that from {ring[-2]!r} to {ring[-1]!r}."
        step = edge if len(ring) > 2 else "Take its edge to itself out."
        yield Problem(ring[0], f"The plan goes round in a circle: {said}.", step)
