"""Parts of the map as they are drawn: which nodes and lines, where they stand, and what is not shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from app.presenting.wording import brief, counted
from core.domain.evidence.connection import MapEdge, MapNode, MapNodeKind, MapPath, in_words

if TYPE_CHECKING:
    from core.graph.walk import MapWalks

MOST = 60
"""Nodes that are drawn at a time."""

MOST_PARTS = 35
_FAR = 4  # edges from the middle of a part
_SHORT, _ASIDE = 3, 0.08  # steps of a way from which on every other node stands lower
_BESIDE = 14  # nodes around one from which on those behind them are left out
SIGNS = {
    MapNodeKind.PARTY: ("●", "Party", "Parties"),
    MapNodeKind.DOCUMENT: ("▤", "Document", "Documents"),
    MapNodeKind.PRODUCT: ("◆", "Product", "Products"),
    MapNodeKind.PLACE: ("▲", "Place", "Places"),
    MapNodeKind.NUMBER: ("#", "Number", "Numbers"),
    MapNodeKind.VALUE: ("■", "Name in several", "Names in several"),
}
"""Sign and word of each kind of node, and the word of several."""

FAINT = 0.7
"""Edges below this probability are drawn broken."""


@dataclass(frozen=True, slots=True)
class ShownNode:
    """A node or a part where it stands, -1 to 1. weight: by which it is large."""

    id: str
    name: str
    kind: str
    sign: str
    word: str
    weight: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ShownEdge:
    """A line with what it says."""

    source: str
    target: str
    words: str
    is_faint: bool = False


@dataclass(frozen=True, slots=True)
class ShownMap:
    """What is drawn. label: what it is, for who hears it; note: what is not shown, "" for nothing."""

    label: str
    nodes: Sequence[ShownNode]
    edges: Sequence[ShownEdge]
    note: str = ""


PARTS = "part"


def has_parts(shown: ShownMap) -> bool:
    """True where parts are drawn, and no nodes."""
    return any(each.kind == PARTS for each in shown.nodes)


def overview(walks: MapWalks) -> ShownMap:
    """The whole map: its nodes where they are few, else what hangs together as parts that open."""
    connected = [id for id, edges in walks.map.at.items() if edges]
    alone = len(walks.map.nodes) - len(connected)
    note = f"{counted(alone, 'node has', 'nodes have')} no connection." if alone else ""
    if len(connected) <= MOST:
        return _nodes(walks, connected, "All that is connected", note)
    from core.graph.layout import lay_out

    parts = [each for each in walks.parts if each.id != "alone"]
    shown = parts[:MOST_PARTS]
    between = walks.between_parts(shown)
    at = lay_out([each.id for each in shown], between)
    nodes = [
        ShownNode(
            each.id,
            brief(each.name, 60),
            PARTS,
            f"{len(each.nodes):,}",
            "Part around",
            len(each.nodes),
            *at[each.id],
        )
        for each in shown
    ]
    edges = [ShownEdge(one, other, counted(count, "connection")) for (one, other), count in between.items()]
    behind = sum(len(each.nodes) for each in parts[MOST_PARTS:])
    if behind:
        note = (
            f"{len(parts) - len(shown):,} smaller parts with {counted(behind, 'node')} are not drawn. {note}"
        )
    return ShownMap(f"Map of {counted(len(shown), 'part')}", nodes, edges, note)


def of_part(walks: MapWalks, part: str) -> ShownMap | None:
    """The nodes of a part, those around its middle; None where there is no such part."""
    found = next((each for each in walks.parts if each.id == part), None)
    if found is None:
        return None
    inside = set(found.nodes)
    near = (id for id in walks.near(part, _FAR, len(walks.map.nodes)) if id in inside)
    shown = list(dict.fromkeys((*islice(near, MOST), *found.nodes)))[:MOST]
    left = len(found.nodes) - len(shown)
    note = (
        f"{len(shown)} of {counted(len(found.nodes), 'node')}, those nearest to its middle." if left else ""
    )
    return _nodes(walks, shown, f"Part around {found.name}", note)


def around(walks: MapWalks, node: str) -> ShownMap:
    """A node with what is beside it, and with what is behind that where it is little."""
    beside = {each.other(node) for each in walks.map.at[node]}
    shown = walks.near(node, 2 if len(beside) <= _BESIDE else 1, MOST)
    left = len(beside - set(shown))
    note = f"{counted(left, 'node')} beside it are not drawn: they stand in the table." if left else ""
    return _nodes(walks, shown, f"Around {walks.map.nodes[node].name}", note)


def of_paths(walks: MapWalks, paths: Sequence[MapPath]) -> ShownMap:
    """Ways side by side, from left to right."""
    longest = max(len(path.nodes) for path in paths) - 1
    columns: dict[str, float] = {paths[0].nodes[-1].id: 1.0}
    for path in paths:
        for step, node in enumerate(path.nodes):
            columns.setdefault(node.id, step / longest)
    rows: dict[float, list[str]] = {}
    for id, column in columns.items():
        rows.setdefault(column, []).append(id)
    aside = _ASIDE if longest > _SHORT else 0.0  # names of neighbours are as wide as two steps
    at = {
        id: (2 * column - 1, (1 - aside) * ((2 * row + 1) / len(ids) - 1) + aside * (-1) ** place)
        for place, (column, ids) in enumerate(sorted(rows.items()))
        for row, id in enumerate(ids)
    }
    edges = {edge for path in paths for edge in path.edges}
    return _drawn(walks, at, edges, f"{counted(len(paths), 'way')} between two nodes", "")


def _nodes(walks: MapWalks, ids: Sequence[str], label: str, note: str) -> ShownMap:
    from core.graph.layout import lay_out

    inside = set(ids)
    edges = {
        edge for id in ids for edge in walks.map.at[id] if edge.source in inside and edge.target in inside
    }
    at = lay_out(ids, {(edge.source, edge.target) for edge in edges})
    return _drawn(walks, at, edges, label, note)


def _drawn(
    walks: MapWalks, at: dict[str, tuple[float, float]], edges: Iterable[MapEdge], label: str, note: str
) -> ShownMap:
    nodes = [_node(walks.map.nodes[id], len(walks.map.at[id]), place) for id, place in at.items()]
    return ShownMap(f"{label}: {counted(len(nodes), 'node')}", nodes, _lines(walks, edges), note)


def _node(node: MapNode, weight: int, at: tuple[float, float]) -> ShownNode:
    sign, word, _ = SIGNS[node.kind]
    return ShownNode(node.id, node.name, node.kind.value, sign, word, max(1, weight), *at)


def _lines(walks: MapWalks, edges: Iterable[MapEdge]) -> list[ShownEdge]:
    """A line for each two nodes, with all that it says."""
    names = walks.map.nodes
    found: dict[tuple[str, str], ShownEdge] = {}
    for each in sorted(edges, key=lambda edge: (-edge.probability, edge.source, edge.target, edge.kind)):
        said = in_words(each, names[each.source].name, names[each.target].name)
        pair = (min(each.source, each.target), max(each.source, each.target))
        known = found.get(pair)
        words = f"{known.words}\n{said}" if known else said
        found[pair] = ShownEdge(*pair, words, each.probability < FAINT and (known is None or known.is_faint))
    return list(found.values())
