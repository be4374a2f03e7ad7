"""Connect: ways between two names over the map of what may be seen, each step on its words."""

from __future__ import annotations

from collections.abc import Mapping

from core.domain.document import DocumentSummary
from core.domain.evidence.connection import MapEdge, MapPath, in_words
from core.domain.results import ConnectedStep, ConnectedWay, Connections, Documents, Result, Stopped
from core.errors import NotFoundError, UsageError
from core.graph.walk import LONGEST_PATH, MapWalks
from core.plan.ir.nodes import Connect
from core.plan.operators.base import OperatorParts, cited, runs

_PLACES = 2  # of an edge that are cited: a reference has one in each document
_MOST_OTHERS = 4


@runs(Connect)
def connect(node: Connect, inputs: Mapping[str, Result], parts: OperatorParts) -> Connections | Stopped:
    """The ways, or why there can be none. Raises UsageError, DeadlineError while a large map is made."""
    if parts.maps is None:
        raise UsageError("No map can be made here.", next_step="Ask the home that holds the documents.")
    walks = parts.maps.find(parts.visible, parts.deadline_s * 0.9)
    only = frozenset(node.scope.documents)
    if only:
        walks = walks.within(lambda each: each.document is None or each.document in only, lambda edge: True)
    try:
        routes = walks.routes(node.one, node.other, node.most)
    except NotFoundError as error:
        over = f"Looked for in the names of {len(walks.documents):,} documents and of what they state."
        return Stopped(node=node.id, reason=f"{error.message} {over}", next_step=error.next_step)
    if routes.one.id == routes.other.id:
        said = f"Both names mean {routes.one.name!r}."
        return Stopped(node=node.id, reason=said, next_step="Give another one.")
    known = parts.summaries({str(id) for path in routes.paths for id in _documents(path)})
    ways = tuple(_way(path, walks, known) for path in routes.paths if _documents(path) <= known.keys())
    present = frozenset(str(each.document) for way in ways for step in way.steps for each in step.citations)
    return Connections(
        one=routes.one.name,
        other=routes.other.name,
        ways=ways,
        others=tuple(dict.fromkeys(each.name for each in routes.others))[:_MOST_OTHERS],
        documents=Documents(present=present, absent=frozenset(map(str, walks.documents)) - present),
        searched=len(walks.map.edges),
        longest=LONGEST_PATH,
        left_out=dict(walks.map.left_out),
    )


def _documents(path: MapPath) -> set[str]:
    """The documents whose words a way rests on."""
    return {str(place.document) for edge in path.edges for place in edge.places[:_PLACES]}


def _way(path: MapPath, walks: MapWalks, known: Mapping[str, DocumentSummary]) -> ConnectedWay:
    steps = tuple(_step(edge, walks, known) for edge in path.edges)
    return ConnectedWay(names=tuple(each.name for each in path.nodes), steps=steps)


def _step(edge: MapEdge, walks: MapWalks, known: Mapping[str, DocumentSummary]) -> ConnectedStep:
    names = walks.map.nodes
    return ConnectedStep(
        text=in_words(edge, names[edge.source].name, names[edge.target].name),
        probability=edge.probability,
        citations=tuple(
            cited(n, each.document, each.version, each.quote, document.name, document.source)
            for n, each in enumerate(edge.places[:_PLACES], 1)
            for document in (known[str(each.document)],)
        ),
    )
