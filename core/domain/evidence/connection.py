"""The map of a collection: what its documents name and state, as nodes, and the words that connect them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from core.domain.fields import Quote
from core.domain.ids import DocumentId


class MapNodeKind(StrEnum):
    """Kind of a node. A value is a name that stands under one label in several documents ("Site: Pier 4")."""

    PARTY = "party"
    DOCUMENT = "document"
    PRODUCT = "product"
    PLACE = "place"
    NUMBER = "number"
    VALUE = "value"


class MapEdgeKind(StrEnum):
    """Kind of an edge: what the document that it comes from does with what it leads to."""

    NAMES = "names"
    STATES = "states"
    REFERS = "refers"
    AMENDS = "amends"
    UNDER = "under"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True)
class StatedPlace:
    """Words of a document, in the pages of that version."""

    document: DocumentId
    version: int
    quote: Quote


@dataclass(frozen=True, slots=True)
class MapNode:
    """A thing on the map. id: `kind:key`, the same as long as it is written so; bucket: of a document.

    forms: the ways in which its name is written, where there are several.
    """

    id: str
    kind: MapNodeKind
    name: str
    bucket: str = ""
    forms: tuple[str, ...] = ()

    @property
    def document(self) -> DocumentId | None:
        """The document that it is; None for anything else."""
        is_document = self.kind is MapNodeKind.DOCUMENT
        return DocumentId(self.id.partition(":")[2]) if is_document else None


@dataclass(frozen=True, slots=True)
class MapEdge:
    """A connection from a document. about: the field, role or label by which; places: never empty.

    probability: how likely its words state it.
    """

    source: str
    target: str
    kind: MapEdgeKind
    about: str
    probability: float
    places: tuple[StatedPlace, ...]

    def other(self, node: str) -> str:
        """The end that is not this one."""
        return self.target if node == self.source else self.source


@dataclass(frozen=True)
class ConnectionMap:
    """The nodes by id and all edges. left_out: by reason in words, how many were not put on the map."""

    nodes: Mapping[str, MapNode]
    edges: Sequence[MapEdge]
    left_out: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def at(self) -> Mapping[str, Sequence[MapEdge]]:
        """The edges by the nodes that they end at."""
        found: dict[str, list[MapEdge]] = {id: [] for id in self.nodes}
        for each in self.edges:
            found[each.source].append(each)
            found[each.target].append(each)
        return found


@dataclass(frozen=True, slots=True)
class MapPath:
    """A way from one node to another: edges[n] joins nodes[n] and nodes[n + 1]."""

    nodes: tuple[MapNode, ...]
    edges: tuple[MapEdge, ...]


@dataclass(frozen=True, slots=True)
class MapRoutes:
    """Ways between two nodes, best first. others: nodes that either name could mean beside the one taken."""

    one: MapNode
    other: MapNode
    paths: tuple[MapPath, ...]
    others: tuple[MapNode, ...] = ()


@dataclass(frozen=True, slots=True)
class MapPart:
    """Nodes that hang together more than with others. name: of the node with most edges."""

    id: str
    name: str
    nodes: tuple[str, ...]


_VERBS = {
    MapEdgeKind.NAMES: "names",
    MapEdgeKind.STATES: "states",
    MapEdgeKind.REFERS: "refers to",
    MapEdgeKind.AMENDS: "amends",
    MapEdgeKind.UNDER: "stands under",
    MapEdgeKind.CONTRADICTS: "contradicts",
}


def in_words(edge: MapEdge, source: str, target: str) -> str:
    """An edge between two names as a sentence without its stop."""
    about = edge.about.strip().lower() if edge.about.isupper() else edge.about.strip()
    if edge.kind is MapEdgeKind.CONTRADICTS:
        return f"{source} contradicts {target} in {about}"
    if edge.kind is MapEdgeKind.NAMES and about and about != MENTIONED:
        return f"{source} names {target} as {about[:1].lower()}{about[1:]}"
    if edge.kind is MapEdgeKind.STATES:
        return f"{source} mentions {target}" if about == MENTIONED else f"{source} states {about}: {target}"
    return f"{source} {_VERBS[edge.kind]} {target}"


MENTIONED = "mentioned"
"""The `about` of an edge that rests on a mention in the text, and on no field and no label."""
