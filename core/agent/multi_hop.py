"""Runs a text plan that goes on from what it finds, and says of each of its nodes what happened."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.event import NodeChanged, PlanDrawn
from core.domain.search import SearchQuery
from core.evidence.base import EvidenceFinder
from core.plan.ir.nodes import Figures, Node, Note, Plan, spec_of
from core.plan.ir.validate import gives
from core.plan.text.text_plan import with_hop
from core.records.database.visibility import Visibility
from core.retrieval.multi_hop import HopSearch, HopStep, MultiHop
from core.retrieval.search import Retrieval

_NOT_NEEDED = "Nothing that was found names a further document."


@dataclass(frozen=True, slots=True)
class Hopped:
    """The plan with what its nodes did, and all passages, the best pairs first."""

    plan: Plan
    retrieval: Retrieval


def has_hops(plan: Plan) -> bool:
    """True where a plan over text goes on from what it finds."""
    return any(spec_of(node).is_hop and gives(node) == "documents" for node in plan.nodes)


def hop_along(plan: Plan, query: SearchQuery, finder: EvidenceFinder, visibility: Visibility) -> Hopped:
    """Search in hops, a third one where the first two do not cover the question.

    Raises IndexUnavailableError.
    """
    found = MultiHop(finder).search(query, visibility)
    nodes = plan.nodes
    while 1 + sum(spec_of(node).is_hop for node in nodes) < len(found.steps):
        nodes = with_hop(nodes)
    note = Note(phrase="", reading=found.ended, node=nodes[-1].id)
    done = plan.model_copy(
        update={
            "nodes": _with_figures(nodes, found, query.top_k),
            "answer_node": nodes[-1].id,
            "notes": (*plan.notes, note) if found.ended else plan.notes,
        }
    )
    return Hopped(done, found.retrieval)


def node_events(plan: Plan, at_ms: float) -> tuple[PlanDrawn | NodeChanged, ...]:
    """The plan as it came to be, and for each of its nodes what it did, or that it was not needed."""
    changes = tuple(
        NodeChanged(at_ms=at_ms, node=node.id, state="done", **node.ran.model_dump())
        if node.ran is not None
        else NodeChanged(at_ms=at_ms, node=node.id, state="stopped", message=_NOT_NEEDED)
        for node in plan.nodes
    )
    return (PlanDrawn(at_ms=at_ms, plan=plan.model_dump(mode="json")), *changes)


def _with_figures(nodes: tuple[Node, ...], found: HopSearch, top_k: int) -> tuple[Node, ...]:
    """Searches and hops take turns; of a hop that was not made nothing ran but the look for titles."""
    told: list[Node] = [nodes[0].model_copy(update={"ran": _ran(found.steps[0], top_k)})]
    for at in range(1, len(nodes), 2):
        step = found.steps[(at + 1) // 2] if (at + 1) // 2 < len(found.steps) else None
        links = len(step.links) if step is not None else 0
        looked = Figures(rows=links, hits=links, latency_ms=0.0, source="index")
        told.append(nodes[at].model_copy(update={"ran": looked}))
        told.append(nodes[at + 1].model_copy(update={"ran": _ran(step, top_k) if step is not None else None}))
    return tuple(told)


def _ran(step: HopStep, top_k: int) -> Figures:
    return Figures(rows=min(step.found, top_k), hits=step.found, latency_ms=step.latency_ms, source="index")
