"""Plan of a question that text answers: one search, one for each side of a comparison, or hops."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.domain.answer import Kind, Route
from core.plan.ir.graph_edits import PlanSteps
from core.plan.ir.nodes import Node, Note, Plan, Reference, Scope, Search
from core.search.classify import Classification, asks_what_is_said, read_comparison
from core.text.analyse import text_terms

# Possessive: what is taken is never given back, so that no name of any length is tried in two ways.
_NAME = (
    r"(?:[\"\u201c]?[A-Z0-9][\w'\u2019&.-]*+[\"\u201d]?"
    r"(?:\s++(?:(?:of|the|and|for|in|de|von|van)\s++)?)?)++"
)
_ROLE = r"(?:the|an?|its|this|that|which|what|one)\s+(?:[\w'\u2019-]+\s+){0,4}?[\w'\u2019-]+"
_RELATION = r"(?:of|by|behind|from|for|in|on|at|to|with)"
_BRIDGES = tuple(
    re.compile(pattern)
    for pattern in (
        # "the country where X is registered", "a singer who wrote Y": told by a clause about another thing.
        rf"(?i:\b{_ROLE},?\s+(?:{_RELATION}\s+)?(?:that|which|who|whom|whose|where))\s+\S",
        # "the director of X born", "the supplier in X based": a further thing is asked of the one so named.
        rf"(?i:\b{_ROLE})\s+{_RELATION}\s+(?:the\s+|an?\s+)?{_NAME}\s*"
        r"(?:[a-z]*(?:ed|born|made|held|known|come|go))\b",
        # "X's director's": possessives in a row.
        r"\w['\u2019]s\s+(?:\w+\s+){0,2}\w+['\u2019]s\b",
        # "made by a firm seated in which town": the question word comes late, behind what is only described.
        rf"(?i:^(?!what|which|who|when|where|how)(?:\S+\s+){{4,}}{_RELATION}\s+(?:what|which|who|whom)\b)",
        # "directed by the man behind": who did it is only described.
        rf"(?i:\b\w+(?:ed|en|wn)\s+(?:by|in|on|at|for|from|with))\s+(?:an?|the)\s+(?:[\w-]+\s+){{1,4}}?"
        rf"{_RELATION}\b",
    )
)


def looks_like_a_bridge(question: str) -> bool:
    """True where a question may need two passages: one that tells what is meant, and one about that.

    A guess by its form: where it is wrong, the second search finds nothing that changes the first.
    """
    return any(pattern.search(question) for pattern in _BRIDGES)


TOP_K = 20
_BRIDGE = "What is asked about is told by something else, so that two passages may have to be found"


def text_plan(
    found: Classification,
    question: str,
    buckets: tuple[str, ...],
    *,
    notes: tuple[Note, ...] = (),
    today: str = "",
    asked: str = "",
    document: str = "",
    called: str = "",
) -> Plan:
    """The plan for a classified question; none of its nodes has run yet.

    document: the one to be searched; called: the words that name it. These stand in its title and opening,
    and would make that the best passage on whatever a question asks of it.
    """
    if found.route is Route.NONE:
        return Plan(question=question, kind=found.kind, route=found.route, notes=notes, today=today)
    comparison = read_comparison(found.normalised) if found.kind is Kind.COMPARISON else None
    is_of_one = bool(document) and found.kind is Kind.LOOKUP and asks_what_is_said(found.normalised)
    text = without_name(found.normalised, called) if is_of_one else found.normalised
    texts = {text: "Find the passages that may answer the question"}
    for subject in comparison.subjects if comparison else ():
        text = f"{comparison.topic} {subject}".strip() if comparison else subject
        texts.setdefault(text, f"Find what is said of {subject}")
    steps = PlanSteps()
    for text, purpose in texts.items():
        scope = Scope(buckets=buckets, documents=(document,) if document else ())
        steps.search(purpose, text, scope, top_k=TOP_K)
    nodes = tuple(steps.nodes)
    is_one = not document and len(nodes) == 1 and found.kind is Kind.LOOKUP
    if is_one and looks_like_a_bridge(found.normalised):
        nodes = with_hop(nodes)
        notes = (*notes, Note(phrase="", reading=_BRIDGE, node=nodes[1].id))
    return Plan(
        question=question,
        kind=found.kind,
        route=found.route,
        nodes=nodes,
        answer_node=nodes[0].id if len(nodes) == len(texts) else nodes[-1].id,
        notes=notes,
        today=today,
        asked=asked,
    )


def without_name(question: str, name: str) -> str:
    """A question without the name of the document that it is asked of; as it is where nothing else is asked.

    "What does the liability clause in the Zeta agreement say?" is "What does the liability clause say?".
    """
    if not name:
        return question
    pattern = rf"{_LEADING}[\"“]?{re.escape(name)}[\"”]?(?:['’]s?)?"
    rest = re.sub(pattern, " ", question, count=1, flags=re.IGNORECASE)
    rest = re.sub(r"\s+(?=[?.!,]|$)", "", re.sub(r"\s{2,}", " ", rest)).strip()
    return rest if text_terms(rest) else question


_LEADING = (
    r"(?:\s*\b(?:in|of|under|from|for|to|by|with|at|on)\s+)?(?:\b(?:the|our|this|that|my|your|an?)\s+)?"
)


def with_hop(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """The nodes with a further hop from the last search: the documents it names, and a search in these."""
    last, steps = nodes[-1], PlanSteps(nodes)
    purpose = "Find the documents whose titles the best passages mention"
    hop = steps.hop(purpose, last.id, follow="titles")
    told = {"id": steps.next_id("search"), "purpose": "Search in these, and rank what was found in pairs"}
    taken = {"inputs": (last.id, hop.id), "pairs_with": Reference(node=last.id), "ran": None}
    return (*nodes, hop, last.model_copy(update={**told, **taken}))


def with_wordings(plan: Plan, wordings: tuple[str, ...]) -> Plan:
    """The plan whose searches look for further wordings, too; sides of a comparison do not."""
    if not wordings or plan.kind is Kind.COMPARISON:
        return plan
    nodes = tuple(
        node.model_copy(update={"wordings": wordings}) if isinstance(node, Search) else node
        for node in plan.nodes
    )
    return plan.model_copy(update={"nodes": nodes})


def searches(nodes: Iterable[Node]) -> list[Search]:
    """The searches among some nodes, in order: of a text plan all but its hops."""
    return [node for node in nodes if isinstance(node, Search)]
