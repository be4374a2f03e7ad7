"""The plan of a question that text answers: one search, or one for each side of a comparison."""

from __future__ import annotations

from core.domain.answer import Kind, Route
from core.plan.compare import read_comparison
from core.plan.ir import Note, Plan, Scope, Search
from core.plan.route import Classification

TOP_K = 20


def text_plan(
    found: Classification,
    question: str,
    buckets: tuple[str, ...],
    *,
    notes: tuple[Note, ...] = (),
    uncovered: tuple[str, ...] = (),
    today: str = "",
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
    return Plan(
        question=question,
        kind=found.kind,
        route=found.route,
        nodes=searches,
        answer_node=searches[0].id,
        notes=notes,
        uncovered=uncovered,
        today=today,
    )
