"""The plan of a question that text answers: one search, one for each side of a comparison, or hops."""

from __future__ import annotations

from core.domain.answer import Kind, Route
from core.plan.ir.nodes import Hop, Node, Note, Plan, Reference, Scope, Search
from core.plan.text.bridges import looks_like_a_bridge
from core.plan.text.classify import Classification
from core.plan.text.comparison import read_comparison

TOP_K = 20
_BRIDGE = "What is asked about is told by something else, so that two passages may have to be found"


def text_plan(
    found: Classification,
    question: str,
    buckets: tuple[str, ...],
    *,
    notes: tuple[Note, ...] = (),
    uncovered: tuple[str, ...] = (),
    today: str = "",
    single: str = "",
    asked: str = "",
) -> Plan:
    """The plan for a classified question; none of its nodes has run yet."""
    if found.route is Route.NONE:
        return Plan(question=question, kind=found.kind, route=found.route, notes=notes, today=today)
    comparison = read_comparison(found.normalised) if found.kind is Kind.COMPARISON else None
    texts = {found.normalised: "Find the passages that may answer the question"}
    for subject in comparison.subjects if comparison else ():
        text = f"{comparison.topic} {subject}".strip() if comparison else subject
        texts.setdefault(text, f"Find what is said of {subject}")
    searches = tuple(
        Search(
            id=f"search-{at}",
            purpose=purpose[:300],
            text=text[:4000],
            alpha=found.alpha,
            top_k=TOP_K,
            scope=Scope(buckets=buckets),
        )
        for at, (text, purpose) in enumerate(texts.items(), 1)
    )
    nodes: tuple[Node, ...] = searches
    if len(searches) == 1 and found.kind is Kind.LOOKUP and looks_like_a_bridge(found.normalised):
        nodes = with_hop(searches)
        notes = (*notes, Note(phrase="", reading=_BRIDGE, node=nodes[1].id))
    return Plan(
        question=question,
        kind=found.kind,
        route=found.route,
        nodes=nodes,
        answer_node=searches[0].id if len(nodes) == len(searches) else nodes[-1].id,
        notes=notes,
        uncovered=uncovered,
        today=today,
        single=single,
        asked=asked,
    )


def with_hop(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """The nodes with a further hop from the last search: the documents it names, and a search in these."""
    last = nodes[-1]
    assert isinstance(last, Search)  # a text plan ends with one
    number = sum(isinstance(node, Hop) for node in nodes) + 1
    hop = Hop(
        id=f"hop-{number}",
        purpose="Find the documents whose titles the best passages mention",
        inputs=(last.id,),
        follow="titles",
    )
    further = last.model_copy(
        update={
            "id": f"search-{number + 1}",
            "purpose": "Search in these, and rank what was found in pairs",
            "inputs": (last.id, hop.id),
            "pairs_with": Reference(node=last.id),
            "ran": None,
        }
    )
    return (*nodes, hop, further)
