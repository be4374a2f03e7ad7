"""The plan as a graph in the browser: where its nodes stand, what each is for, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from app import state
from app.components import mounts
from app.presenting.plan_layout import HEIGHT, WIDTH, lay_out
from app.presenting.plan_words import expected, gave, unit_of
from core.domain.results import Result, Stopped
from core.plan.ir.nodes import Node, Plan, spec_of

KEY = "plan-graph"
KEPT = ("memory", "store")


@dataclass(frozen=True, slots=True)
class GraphView:
    """Graph to draw. plan: with estimates; states: the state of each node, as `node_state` gives it.

    run: the run to follow, "" for none; watch: whether it still runs; spent_ms: for how long by now.
    editable: whether nodes may be taken out; down: layers stand below each other, for a narrow place.
    picks: how often a node was opened here, by which the browser sees that `selected` is newer than its own.
    """

    plan: Plan
    selected: str
    states: Mapping[str, dict[str, Any]]
    unused: frozenset[str] = frozenset()
    run: str = ""
    watch: bool = False
    spent_ms: float = 0.0
    said: str = ""
    editable: bool = True
    down: bool = False
    picks: int = 0


def draw_graph(view: GraphView, **actions: Callable[[str], None]) -> None:
    """Mount it. actions: pick and remove get a node, cancel and done a run."""
    layout = lay_out({node.id: node.inputs for node in view.plan.nodes}, down=view.down)
    places = {each.id: each for each in layout.nodes}
    mounts.plan(
        key=KEY,
        data={
            "width": layout.width,
            "height": layout.height,
            "size": [WIDTH, HEIGHT],
            "selected": view.selected,
            "editable": view.editable,
            "down": view.down,
            "picks": view.picks,
            "run": view.run,
            "watch": view.watch,
            "spent": view.spent_ms,
            "said": view.said,
            "nodes": [
                {
                    "id": node.id,
                    "type": node.type,
                    "word": spec_of(node).word,
                    "unit": unit_of(node),
                    "purpose": node.purpose,
                    "inputs": list(node.inputs),
                    "answers": node.id == view.plan.answer_node,
                    "unused": node.id in view.unused,
                    "expected": expected(node, node.estimate),
                    "x": places[node.id].x,
                    "y": places[node.id].y,
                    **view.states[node.id],
                }
                for node in view.plan.nodes
            ],
            "edges": [
                {"source": each.source, "target": each.target, "points": [list(at) for at in each.points]}
                for each in layout.edges
            ],
        },
        **state.on_sent(KEY, {name: partial(_act, act) for name, act in actions.items()}),
    )


def _act(act: Callable[[str], None], sent: dict[str, str]) -> None:
    act(sent.get("node") or sent["run"])


def node_state(
    node: Node, problem: str, result: Result | None = None, stopped: Stopped | None = None
) -> dict[str, Any]:
    """State of a node, as the graph shows it. node: with its figures, where it ran."""
    if problem:
        return {"state": "wrong", "message": problem}
    if stopped is not None:
        return {"state": "stopped", "message": stopped.reason}
    if result is None or node.ran is None:
        return {"state": "idle"}
    return {
        "state": "kept" if node.ran.source in KEPT else "done",
        "gave": gave(result),
        "latency_ms": node.ran.latency_ms,
        "source": node.ran.source,
    }
